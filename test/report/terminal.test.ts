import { expect, test } from 'vitest';
import type { Event } from '../../src/engine/events.js';
import { type Ending, openingLines, panelLines, proof, summaryLines, transcriptLine } from '../../src/report/panel.js';
import { columnsOf, type Line, print } from '../../src/report/screen.js';
import { fold, foldAll, nothingYet, rowsOf } from '../../src/report/state.js';
import { Terminal, type TerminalOptions } from '../../src/report/terminal.js';
import { sampleRun } from './sample.js';

const { events, result } = sampleRun();
const text = (lines: readonly Line[]) => `${lines.map(line => print(line, false)).join('\n')}\n`;
const at = (count: number) =>
  events.slice(0, count).reduce((state, event, i) => fold(state, event, i * 10), nothingYet);
const ending: Ending = {
  output: 'bugzilla.reduced.html',
  run: '.culprit/bugzilla-1',
  page: '.culprit/bugzilla-1/report.html',
  reproduce: './render --print bugzilla.reduced.html',
  resume: 'culprit resume .culprit/bugzilla-1',
  result,
};

/** What a stream got, and a clock that goes on by ten milliseconds with every event. */
function watch(options: TerminalOptions, out: { isTTY?: boolean; columns?: number }, seen = events) {
  const writes: string[] = [];
  let now = 0;
  const terminal = new Terminal(
    { ...out, write: (written: string) => writes.push(written) },
    { env: {}, clock: () => now, every: () => () => {}, ...options },
  );
  for (const event of seen) {
    terminal.see(event);
    now += 10;
  }
  const during = writes.length;
  terminal.finish(ending);
  return { writes, during, text: writes.join(''), seconds: now / 1000 };
}

for (const width of [40, 80, 120]) {
  test(`The panel, the opening and the summary at ${width} columns are the committed ones.`, async () => {
    const drawn = [
      openingLines(at(1), width),
      panelLines(at(1), 0, width),
      panelLines(at(60), 600, width),
      panelLines(at(600), 6_000, width),
      summaryLines(at(events.length), ending, width),
    ];
    await expect(drawn.map(text).join('\n')).toMatchFileSnapshot(`golden/panel-${width}.txt`);
  });
}

test('No line of the panel is wider than the terminal, at any width and any moment.', () => {
  const states = [at(0), at(1), at(3), at(77), at(700), at(events.length)];
  for (let width = 1; width <= 140; width++)
    for (const state of states)
      for (const line of panelLines(state, 1e7, width))
        expect(columnsOf(print(line, false))).toBeLessThanOrEqual(width);
});

test('The verbose transcript reads like the papers.', async () => {
  const state = at(events.length);
  const lines = rowsOf(state)
    .slice(0, 40)
    .map(row => transcriptLine(state, row, 100));
  await expect(text(lines)).toMatchFileSnapshot('golden/transcript.txt');
});

test('On a terminal the panel is redrawn at most about ten times a second.', () => {
  const { during, seconds } = watch({}, { isTTY: true, columns: 80 });
  expect(during).toBeLessThanOrEqual(seconds * 10 + 2);
  expect(during).toBeGreaterThan(seconds * 5);
});

test('On a terminal nothing but the opening and the summary is left on the screen.', () => {
  const { text: written } = watch({ env: { NO_COLOR: '1' } }, { isTTY: true, columns: 80 });
  const screen = shown(written);
  expect(screen[0]).toMatch(/^reduce bugzilla\.html/);
  expect(screen.filter(line => /tests · /.test(line))).toEqual([]);
  expect(screen.at(-1)).toBe(`  │ ${result}`);
});

test('Elsewhere, and in CI, there is one plain line per improvement and no escape sequence.', () => {
  const improvements = events.filter(event => event.type === 'reduced').length;
  for (const [env, isTTY] of [
    [{}, false],
    [{ CI: 'true', NO_COLOR: '1' }, true],
    [{ TERM: 'dumb' }, true],
  ] as const) {
    const { text: written } = watch({ env }, { isTTY, columns: 200 });
    expect(written).not.toContain('\x1b');
    expect(written.match(/^ +[\d.:]+( s)? +#[\d,]+ /gm)).toHaveLength(improvements);
  }
});

test('NO_COLOR takes the colours away, and the panel stays.', () => {
  const { text: coloured } = watch({}, { isTTY: true, columns: 80 });
  const { text: plain } = watch({ env: { NO_COLOR: '1' } }, { isTTY: true, columns: 80 });
  expect(coloured).toMatch(/\x1b\[\d+m/);
  expect(plain).not.toMatch(/\x1b\[\d+m/);
  expect(plain).toMatch(/\x1b\[\d+A/);
});

test('Quiet says one line, at the end.', () => {
  const { text: written } = watch({ quiet: true }, { isTTY: true, columns: 80 });
  expect(written).toBe(`${(34_297).toLocaleString('en-US')} → ${result.length} bytes: bugzilla.reduced.html\n`);
});

test('Verbose prints every answer, once.', () => {
  const answers = events.filter(event => event.type === 'answered').length;
  const { text: written } = watch({ verbose: true }, { isTTY: true, columns: 120 });
  expect(shown(written).filter(line => /^ +[\d,]+ {2}\S*[✓✗?]/.test(line))).toHaveLength(answers);
});

test('What a program under test printed can not steer the terminal.', () => {
  const evil = 'boom \x1b[2J\x07 \u202e txt \x9b31m';
  const began: Event = { type: 'began', job: evil, before: { deltas: 3 }, signature: evil, rule: evil, command: evil };
  const noticed: Event = { type: 'noticed', what: 'note', text: evil };
  const { text: written } = watch({ env: { NO_COLOR: '1' } }, { isTTY: false }, [began, noticed]);
  expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(written).toContain('␛[2J');
});

test('A stopped run says what it did not prove, and how to go on.', () => {
  const last = events.at(-1) as Extract<Event, { type: 'ended' }>;
  for (const ended of ['budget', 'interrupted'] as const) {
    const state = foldAll([...events.slice(0, -1), { ...last, ended, minimal: ['line'] }], 0);
    expect(proof(state)).toMatch(/Proven so far: 1-minimal: no single line can be removed\.$/);
    expect(text(summaryLines(state, ending, 80))).toContain('culprit resume .culprit/bugzilla-1');
  }
});

test('A long result is not printed, and a command to copy is never broken.', () => {
  const long = { ...ending, result: 'x\n'.repeat(21), reproduce: `node ${'a'.repeat(100)} ${'b'.repeat(100)}` };
  const written = text(summaryLines(at(events.length), long, 60));
  expect(written).not.toContain('│');
  expect(written).toContain(long.reproduce);
});

/** What a screen shows after all this was written to it: just enough of a terminal for cursor-up and erase-below. */
function shown(written: string): string[] {
  let lines: string[] = [];
  for (const [, up, rest] of written.matchAll(/(?:\x1b\[(\d+)A\r\x1b\[J)?([^\x1b]*(?:\x1b\[\d+m[^\x1b]*)*)/g)) {
    if (up) lines = lines.slice(0, lines.length - Number(up));
    lines.push(...rest!.split('\n').slice(0, -1));
  }
  return lines.map(line => line.replace(/\x1b\[\d+m/g, ''));
}
