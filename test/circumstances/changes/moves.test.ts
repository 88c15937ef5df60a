import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { movesIn } from '../../../src/circumstances/changes/moves.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const filesOf = (text: string) => inOrder([['a.js', { kind: 'file', bytes: Buffer.from(text) }]]);

/** The changes of each group with more than one. */
function movesBetween(old: string, now: string) {
  const changes = changesBetween(filesOf(old), filesOf(now), { granularity: 'line' });
  const groups = movesIn(
    changes,
    [...changes.changes.keys()].map(delta => [delta]),
  );
  expect(groups.flat().sort((a, b) => a - b)).toEqual([...changes.changes.keys()]);
  return groups.filter(group => group.length > 1).map(group => group.map(delta => changes.changes[delta]!.label));
}

test('the two ends of a moved line are one group, also if it is indented in another way', () => {
  expect(movesBetween('a();\nkeep();\nb();\nc();\n', 'keep();\nb();\n  a();\nc();\n')).toEqual([
    ['a.js -1,1 +0,0', 'a.js -3,0 +3,1'],
  ]);
});

test('a line that several changes remove or add is no move, and neither is one without words', () => {
  expect(movesBetween('a();\nreturn;\n}\nb();\nreturn;\n}\nc();\n', 'a();\nb();\nx();\nreturn;\n}\nc();\n')).toEqual(
    [],
  );
});
