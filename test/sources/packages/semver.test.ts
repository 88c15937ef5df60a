import { expect, test } from 'vitest';
import { satisfies } from '../../../src/sources/packages/semver.js';

const rows: readonly (readonly [range: string, inside: string, outside: string])[] = [
  ['^1.2.3', '1.9.0 1.2.3', '2.0.0 1.2.2 2.0.0-rc.1'],
  ['^0.2.3', '0.2.9', '0.3.0 0.2.2'],
  ['^0.0.3', '0.0.3', '0.0.4'],
  ['^0', '0.9.9', '1.0.0'],
  ['^0.0', '0.0.9', '0.1.0'],
  ['~1.2.3', '1.2.9', '1.3.0 1.2.2'],
  ['~1.2', '1.2.0', '1.3.0'],
  ['~1', '1.9.0', '2.0.0'],
  ['1.x', '1.0.0 1.9.9', '2.0.0 0.9.0'],
  ['1.2.*', '1.2.7', '1.3.0'],
  ['*', '0.0.1 9.9.9', '1.0.0-rc.1'],
  ['', '1.0.0', '1.0.0-rc.1'],
  ['>=1.0.0 <2.0.0', '1.5.0', '2.0.0 0.9.9'],
  ['>= 1.0.0', '3.0.0', '0.1.0'],
  ['>1.2', '1.3.0', '1.2.9'],
  ['<=1.2', '1.2.9', '1.3.0'],
  ['<1.2', '1.1.9', '1.2.0'],
  ['1.0.0 - 2.3', '1.0.0 2.3.9', '2.4.0 0.9.0'],
  ['1.0.0 || ^3.0.0', '1.0.0 3.4.5', '2.0.0 1.0.1'],
  ['=1.2.3', '1.2.3 1.2.3+build', '1.2.4'],
  ['v1.2.3', '1.2.3', '1.2.4'],
  ['^1.2.3-beta.2', '1.2.3-beta.4 1.2.3 1.3.0', '1.2.3-beta.1 1.3.0-beta.3'],
  ['1.0.0-rc.3', '1.0.0-rc.3', '1.0.0-rc.2 1.0.0'],
];

test.each(rows)('%s holds %s and not %s', (range, inside, outside) => {
  for (const version of inside.split(' ')) expect([version, satisfies(version, range)]).toEqual([version, true]);
  for (const version of outside.split(' ')) expect([version, satisfies(version, range)]).toEqual([version, false]);
});

test('what is no range is not judged', () => {
  for (const range of ['latest', 'git+ssh://host/x.git', 'npm:other@1', 'file:../x', 'workspace:*'])
    expect(satisfies('1.0.0', range)).toBeUndefined();
});
