import { expect, test } from 'vitest';
import packed from '../../package.json' with { type: 'json' };
import { showFirstLine } from '../../src/cli/first-line.js';
import { refuseNode } from '../../src/cli/node-version.js';

function screens(isTTY: boolean) {
  const written: string[] = [];
  const screen = (name: string) => ({ isTTY, write: (text: string) => written.push(`${name} ${text}`) });
  return { written, both: { error: screen('error'), output: screen('output') } };
}

test('On a terminal a line is there at once, and goes away with the first thing that is written.', () => {
  for (const first of ['error', 'output'] as const) {
    const { written, both } = screens(true);
    showFirstLine(['reduce', 'a.c', '--', 'gcc', '{}'], { NO_COLOR: '1' }, both);
    both[first].write('hello');
    both.error.write('again');
    both.output.write('again');
    expect(written).toEqual([
      'error reduce: starting\r',
      'error \x1b[K',
      `${first} hello`,
      'error again',
      'output again',
    ]);
  }
});

test.each([
  ['no terminal', false, ['reduce', 'a', '--', 'x'], {}],
  ['CI', true, ['reduce', 'a', '--', 'x'], { CI: '1' }],
  ['a dumb terminal', true, ['reduce', 'a', '--', 'x'], { TERM: 'dumb' }],
  ['--quiet', true, ['reduce', '--quiet', 'a', '--', 'x'], {}],
  ['--help', true, ['reduce', '--help'], {}],
  ['a command that is done at once', true, ['explain', 'ddmin'], {}],
  ['nothing', true, [], {}],
] as const)('With %s nothing is written.', (_, isTTY, argv, env) => {
  const { written, both } = screens(isTTY);
  showFirstLine(argv, env, both);
  both.output.write('x');
  expect(written).toEqual(['output x']);
});

test('A Node that is older than the package says is refused with a sentence.', () => {
  const least = packed.engines.node.replace('>=', '');
  for (const version of [`${least}.0`, '20.20.2', '22.0.0', '24.11.1']) expect(refuseNode(version)).toBeUndefined();
  for (const version of ['20.18.3', '18.20.8', '8.0.0'])
    expect(refuseNode(version)).toMatch(`culprit: Node ${least} or later is needed, and this is Node ${version}.\n`);
});
