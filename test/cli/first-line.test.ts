import { expect, test } from 'vitest';
import { showFirstLine } from '../../src/cli/first-line.js';

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
