import { expect, test } from 'vitest';
import type { Event } from '../../src/engine/events.js';
import {
  type Ending,
  improvementLine,
  openingLines,
  panelLines,
  proof,
  quietLines,
  sparkline,
  summaryLines,
  transcriptLine,
} from '../../src/report/panel.js';
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

test('A terminal without a size is drawn as one with 80 columns.', () => {
  const [none, usual] = [0, 80].map(columns => watch({ env: { NO_COLOR: '1' } }, { isTTY: true, columns }).text);
  expect(none).toBe(usual);
});

test('Elsewhere, and in CI, there is one plain line per real gain and no escape sequence.', () => {
  let logged = Number.POSITIVE_INFINITY;
  const gains = events.filter(event => {
    if (event.type === 'began') logged = event.before.bytes!;
    if (event.type !== 'reduced' || event.size.bytes! > logged * 0.95) return false;
    logged = event.size.bytes!;
    return true;
  });
  expect(gains.length).toBeLessThan(events.filter(event => event.type === 'reduced').length);
  for (const [env, isTTY] of [
    [{}, false],
    [{ CI: 'true', NO_COLOR: '1' }, true],
    [{ TERM: 'dumb' }, true],
  ] as const) {
    const { text: written } = watch({ env }, { isTTY, columns: 200 });
    expect(written).not.toContain('\x1b');
    expect(written.match(/^ +[\d.:]+( s)? +#[\d,]+ /gm)).toHaveLength(gains.length);
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

test('Quiet prints an answer that has several lines as it is, and then where it is.', () => {
  const ended = events.find(event => event.type === 'ended')!;
  const state = foldAll([...events, { ...ended, sentence: 'Two causes.' }], 0);
  const quiet = (answer: string) => text(quietLines(state, { result: answer, output: 'out/causes.txt' }));
  expect(quiet('cause 1: -a\ncause 2: -b\n\nThis avoids it:\n  cmd -c\n')).toBe(
    'cause 1: -a\ncause 2: -b\n\nThis avoids it:\n  cmd -c\nout/causes.txt\n',
  );
  expect(quiet('The timer runs before the read.')).toBe('The timer runs before the read: out/causes.txt\n');
});

test('Verbose prints every answer, once.', () => {
  const answers = events.filter(event => event.type === 'answered').length;
  const { text: written } = watch({ verbose: true }, { isTTY: true, columns: 120 });
  expect(shown(written).filter(line => /^ +[\d,]+ {2}\S*[✓✗?]/.test(line))).toHaveLength(answers);
});

test('What a program under test printed cannot steer the terminal.', () => {
  const evil = 'boom \x1b[2J\x07 \u202e txt \x9b31m';
  const began: Event = { type: 'began', job: evil, before: { deltas: 3 }, signature: evil, rule: evil, command: evil };
  const noticed: Event = { type: 'noticed', what: 'note', text: evil };
  const { text: written } = watch({ env: { NO_COLOR: '1' } }, { isTTY: false }, [began, noticed]);
  expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(written).toContain('␛[2J');
});

test('A stopped run says what it did not prove, and how to continue.', () => {
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

test('A long answer in words is printed in full.', () => {
  const written = text(summaryLines(at(events.length), { ...ending, result: 'x\n'.repeat(41), inWords: true }, 60));
  expect(written.match(/│ x/g)).toHaveLength(41);
});

test('While nothing big happens, a small gain is logged after a while, and no gain never is.', () => {
  const began: Event = { type: 'began', job: 'reduce', before: { bytes: 1000, deltas: 1 } };
  const reduced = (step: number, bytes: number): Event => ({ type: 'reduced', step, size: { bytes, deltas: 1 } });
  const seen = [
    began,
    reduced(1, 990),
    ...Array.from({ length: 1100 }, (_, i) => reduced(i + 2, 980)),
    reduced(2000, 100),
  ];
  const { text: written } = watch({ env: {} }, { isTTY: false }, seen);
  expect(written.match(/#[\d,]+ +\d+ bytes/g)?.map(line => line.replace(/^#[\d,]+ +/, ''))).toEqual([
    '980 bytes',
    '100 bytes',
  ]);
});

test('Before the first event there is a line that says what is going on; it is gone once the run has begun.', () => {
  const writes: string[] = [];
  const every = () => () => {};
  const out = { isTTY: true, columns: 80, write: (written: string) => writes.push(written) };
  const terminal = new Terminal(out, { env: { NO_COLOR: '1' }, clock: () => 0, every });
  terminal.wait('reduce: the first run');
  expect(shown(writes.join(''))).toEqual([expect.stringMatching(/^reduce: the first run +0\.0 s$/)]);
  const later = new Terminal({ ...out, isTTY: false }, { env: {}, clock: () => 0, every });
  writes.length = 0;
  later.wait('reduce: the first run');
  expect(writes).toEqual([]);
});

test('The panel tells how far the pass is, and in a proof how long it will take.', () => {
  const answered = (step: number, left: number, proof: boolean): Event => ({
    ...{ type: 'answered', step, configuration: [0, 10], outcome: 'pass', known: false, bytes: 10, left },
    ...(proof ? { proof } : {}),
  });
  const began: Event = { type: 'began', job: 'reduce', before: { bytes: 100, deltas: 10 } };
  const pass: Event = { type: 'pass', pass: 'lines', round: 1, deltas: 80, strategy: 'sweep' };
  const smaller: Event = { type: 'reduced', step: 1, size: { bytes: 90, deltas: 74 } };
  const searching = foldAll([began, pass, answered(1, 60, false)], 0);
  expect(text(panelLines(searching, 1000, 80))).toContain('lines by sweep  20 of 80');
  const events = [began, pass, answered(1, 60, false), smaller, answered(2, 43, true)];
  const state = events.reduce((now, event, i) => fold(now, event, i * 250), nothingYet);
  expect(text(panelLines(state, 1000, 80))).toContain('proof: 31 of 74, about 22 s left');
});

test('Deltas are counted within their pass, because each pass has its own kind, and the number of a rule is not shown.', () => {
  const to = (step: number, deltas: number): readonly Event[] => [
    { type: 'answered', step, configuration: [0, deltas], outcome: 'fail', known: false, rule: '(1)' },
    { type: 'reduced', step, size: { deltas } },
  ];
  const pass = (pass: string, deltas: number): Event => ({ type: 'pass', pass, round: 1, deltas, strategy: 'dd' });
  const lines: readonly Event[] = [
    { type: 'began', job: 'isolate', before: { deltas: 40 } },
    pass('lines', 40),
    ...to(1, 10),
  ];
  const shown = (events: readonly Event[]) => print(improvementLine(foldAll(events, 0), 0, 120), false);
  expect(shown(lines)).toMatch(/ 10 deltas +25\.0 % {2}lines$/);
  expect(shown([...lines, pass('tokens', 200), ...to(2, 20)])).toMatch(/ 20 deltas +10\.0 % {2}tokens$/);
});

test('The sparkline ends as high as the size is, and not at the bottom of its own scale.', () => {
  const began: Event = { type: 'began', job: 'reduce', before: { bytes: 10_000, deltas: 1 } };
  const to = (bytes: number) => foldAll([began, { type: 'reduced', step: 1, size: { bytes, deltas: 1 } }], 0);
  expect([5_000, 100, 1].map(bytes => sparkline(to(bytes), 1))).toEqual(['▇', '▅', '▁']);
});

test('The key c shows the candidate and hides it again, and control characters in it do nothing.', () => {
  const writes: string[] = [];
  let press = (_: string) => {};
  let closed = 0;
  const terminal = new Terminal(
    { isTTY: true, columns: 60, rows: 24, write: (written: string) => writes.push(written) },
    {
      env: { NO_COLOR: '1' },
      clock: () => 0,
      every: () => () => {},
      keys: call => {
        press = call;
        return () => closed++;
      },
    },
  );
  terminal.look = () => `int main() {\n  \x1b[2Jboom\n${'more\n'.repeat(40)}`;
  terminal.see(events[0]!);
  expect(shown(writes.join('')).at(-1)).toBe('c: show the candidate');
  press('x');
  press('c');
  const looking = shown(writes.join(''));
  expect(looking).toContain('│ int main() {');
  expect(looking).toContain('│   ␛[2Jboom');
  expect(looking.at(-1)).toBe('│ … 31 more lines');
  // Between two tests there is no candidate: the last one stays.
  terminal.look = () => undefined;
  press('c');
  press('c');
  expect(shown(writes.join(''))).toContain('│ int main() {');
  press('C');
  expect(shown(writes.join('')).at(-1)).toBe('c: show the candidate');
  terminal.close();
  terminal.close();
  expect(closed).toBe(1);
  expect(shown(writes.join('')).filter(line => /candidate|│/.test(line))).toEqual([]);
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
