/** What a terminal shows about a run: pure functions from the report state to lines. */

import { type Outcome, signs } from '../core/index.js';
import { grouped } from '../core/phrases.js';
import { amount, amountInFull, bytes, duration, listed, plural, share, shareLeft, speed } from './format.js';
import { itemsOf, lastOf } from './log.js';
import {
  clip,
  columnsOf,
  cut,
  flow,
  type Line,
  type Piece,
  piece,
  printable,
  type Style,
  spread,
  wrap,
} from './screen.js';
import { measure, type Pass, type ReportState, type Row, rowsOf, secondsOf, speedOf, unitOf } from './state.js';

const styles: Readonly<Record<Outcome, Style>> = { pass: 'pass', fail: 'fail', unresolved: 'unresolved' };

/** The first lines of a run: the expected failure, and the rule that decides what counts as it. */
export function openingLines(state: ReportState, width: number): Line[] {
  const { bytes: size, deltas } = state.before;
  // A single file is one delta, which says nothing, and neither does none.
  const parts = deltas > (size === undefined ? 0 : 1) ? [plural(deltas, 'delta')] : [];
  if (size !== undefined) parts.unshift(plural(size, 'byte'));
  return [
    cut([piece(printable(state.job), 'strong'), piece(`  ${parts.join(', ')}`)], width),
    ...labelled(
      [
        ['failure', state.signature, 'fail'],
        ['rule', state.rule],
        ['command', state.command, 'accent'],
      ],
      width,
    ),
  ];
}

/** Before the search begins: what is happening, and for how long. */
export function waitingLines(text: string, seconds: number, columns: number): Line[] {
  const width = Math.min(widest, columns);
  return [spread([piece(printable(text), 'strong')], [piece(duration(seconds), 'faint')], width)];
}

/** The live panel: the current pass, the size over time, and the counts. */
export function panelLines(state: ReportState, now: number, columns: number): Line[] {
  const width = Math.min(widest, columns);
  const clock = [piece(duration(secondsOf(state, now)), 'faint')];
  if (width < 30)
    return [cut([piece(`${amount(state, measure(state, state.best))} ${grouped(state.counts.tests)}`)], width)];
  const { counts } = state;
  const facts: Piece[] = [piece(plural(counts.tests, 'test')), piece(speed(speedOf(state, now)))];
  if (counts.cached > 0) facts.push(piece(`${grouped(counts.cached)} cached`));
  if (counts.unresolved > 0) facts.push(piece(`${grouped(counts.unresolved)} unresolved`));
  const others = state.otherFailures.length;
  if (others > 0) facts.push(piece(plural(others, 'other failure'), 'unresolved'));
  return [spread(level(state, now), clock, width), sizeLine(state, width), ...flow(facts, width)];
}

/** The candidate that is being tested; without one, the latest answers. */
export function lookLines(state: ReportState, candidate: string | undefined, columns: number, rows: number): Line[] {
  const bar = piece('│ ', 'faint');
  const room = Math.max(1, columns - 2);
  if (candidate === undefined)
    return rowsOf(state)
      .slice(-rows)
      .map(row => [bar, ...transcriptLine(state, row, room)]);
  const lines = candidate.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, rows).map(line => [bar, piece(clip(printable(line), room))]);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown.slice(0, -1), [bar, piece(`… ${plural(more + 1, 'more line')}`, 'faint')]] : shown;
}

const widest = 100;

function level(state: ReportState, now: number): Line {
  const pass = state.passes.at(-1);
  if (!pass) return [piece(printable(state.job), 'strong')];
  const n = lastOf(state.recent)?.n;
  const rest = [
    ` by ${printable(pass.strategy)}`,
    pass.round > 1 ? `, round ${pass.round}` : '',
    n === undefined ? '' : `, n = ${grouped(n)}`,
  ];
  return [
    piece(printable(pass.name), 'strong'),
    piece(rest.join(''), 'faint'),
    ...progressPieces(state, now).map(text => piece(text)),
  ];
}

/** `proof: 31 of 74, about 12 s left`. A proof asks once for each delta; the length of a search can't be predicted. */
function progressPieces(state: ReportState, now: number): readonly string[] {
  const { progress } = state;
  if (!progress || progress.of < 2) return [];
  const { done, of, proof } = progress;
  const perSecond = speedOf(state, now);
  const left = proof && perSecond > 0 ? (of - done) / perSecond : 0;
  const estimate = left >= 2 ? `, about ${duration(Math.round(left)).replace('.0 s', ' s')} left` : '';
  return [`  ${proof ? 'proof: ' : ''}${grouped(done)} of ${grouped(of)}${estimate}`];
}

function sizeLine(state: ReportState, width: number): Line {
  const first = measure(state, state.before);
  const now = measure(state, state.best);
  const start = `${amount(state, first)} `;
  const end = ` ${amount(state, now)}`;
  const left = `  ${share(now, first)}${width >= 60 ? '  log scale' : ''}`;
  const room = width - columnsOf(start) - columnsOf(end) - columnsOf(left);
  return cut(
    [
      piece(start, 'faint'),
      piece(sparkline(state, Math.max(4, room)), 'accent'),
      piece(end, 'strong'),
      piece(left, 'faint'),
    ],
    width,
  );
}

/**
 * The papers' plot in one line: best size against tests. The scale is logarithmic, so that the last bytes are visible too,
 * and it is fixed: full height is the original and no height is a single byte. A scale that ended at the best so far would
 * make every run look finished.
 */
export function sparkline(state: ReportState, width: number): string {
  const points = itemsOf(state.series);
  const height = Math.log(Math.max(1, points[0]?.size ?? 1));
  const tests = Math.max(1, state.counts.tests);
  const blocks = '▁▂▃▄▅▆▇█';
  let text = '';
  for (let cell = 0, i = 0; cell < width; cell++) {
    const step = (tests * (cell + 1)) / width;
    while (i + 1 < points.length && points[i + 1]!.step <= step) i++;
    const level = height <= 0 ? 1 : Math.log(Math.max(1, points[i]?.size ?? 1)) / height;
    text += blocks[Math.round(Math.min(1, Math.max(0, level)) * 7)];
  }
  return text;
}

/** One line for each improvement; together they are the log of a run. */
export function improvementLine(state: ReportState, now: number, width: number): Line {
  const pass = state.passes.at(-1);
  const point = lastOf(state.series);
  const row = rowAt(state, point?.step);
  const facts = [
    duration(secondsOf(state, now)).padStart(8),
    `#${grouped(point?.step ?? 0)}`.padStart(8),
    amountInFull(state, measure(state, state.best)).padStart(16),
    // Each pass has a different kind of delta: lines, then tokens. Bytes mean the same throughout.
    (unitOf(state) === 'deltas' && pass ? share(state.best.deltas, pass.deltas) : shareLeft(state)).padStart(8),
  ];
  // The number of a rule in a paper's table means nothing to a reader of the terminal.
  const rule = row?.rule && !/^\(\d+\)$/.test(row.rule) ? printable(row.rule) : undefined;
  const rest = [pass && printable(pass.name), rule].filter(Boolean).join(': ');
  return cut([piece(facts.join('')), piece(rest && `  ${rest}`, 'faint')], width);
}

/** A row of the transcript, as the papers print it. */
export function transcriptLine(state: ReportState, row: Row, width: number): Line {
  const pass: Pass | undefined = state.passes[row.pass];
  const size = row.bytes === undefined || unitOf(state) === 'deltas' ? plural(row.deltas, 'delta') : bytes(row.bytes);
  const why = [row.rule, row.outcome === 'unresolved' ? row.reason : undefined, row.known ? 'cached' : undefined];
  return cut(
    [
      piece(`${grouped(row.step).padStart(7)}  `, 'faint'),
      piece(signs[row.outcome], styles[row.outcome]),
      piece(`  ${clip(printable(pass?.name ?? ''), 12).padEnd(12)} ${size.padStart(12)}  `),
      piece(row.part ? `${printable(row.part)}  ` : ''),
      piece(printable(why.filter(Boolean).join(', ')), 'faint'),
    ],
    width,
  );
}

/** What only the caller knows about the end of a run. */
export interface Ending {
  readonly output?: string;
  readonly run?: string;
  readonly page?: string;
  /** Where the smallest form is, if the result is laid out for reading. */
  readonly smallest?: string;
  /** The command that reproduces the failure on the result. */
  readonly reproduce?: string;
  /** The command that resumes a stopped run. */
  readonly resume?: string;
  /** The result itself; it is shown if it is short. */
  readonly result?: string;
  /** The result is an answer in words, which is shown even if it is long. */
  readonly inWords?: boolean;
}

export function summaryLines(state: ReportState, ending: Ending, width: number): Line[] {
  const { ended, counts } = state;
  const before = measure(state, state.before);
  const after = measure(state, state.best);
  const times = after > 0 && before / after >= 2 ? `, ${grouped(before / after)} times smaller` : '';
  const size =
    after < before
      ? `${grouped(before)} → ${amountInFull(state, after)}  (${share(after, before)} left${times})`
      : `${amountInFull(state, before)}; nothing could be removed`;
  const work = [`${grouped(counts.executed)} run + ${grouped(counts.cached)} cached`];
  if (counts.unresolved > 0) work.push(`${grouped(counts.unresolved)} unresolved`);
  if (counts.speculative > 0) work.push(`also ${plural(counts.speculative, 'speculative run')}, unused`);
  const tests = `${plural(counts.tests, 'test')} in ${duration(secondsOf(state))}: ${work.join('; ')}`;
  const others = state.otherFailures.length > 0 ? plural(state.otherFailures.length, 'other failure') : undefined;
  return [
    ...proofLines(state, width),
    ...labelled(
      [
        ['size', ended?.sentence === undefined ? size : undefined],
        ['tests', tests],
        ['failure', state.signature, 'fail'],
        ['others', others && `${others} seen${ending.run ? `, kept in ${ending.run}/other-failures` : ''}`],
        ['result', ending.output, 'strong'],
        ['', ending.smallest && `laid out for reading; the smallest form is in ${ending.smallest}`],
        ['page', ending.page],
        ['reproduce', ending.reproduce, 'accent'],
        ['resume', ended?.ended === 'done' ? undefined : ending.resume, 'accent'],
      ],
      width,
    ),
    ...shortResult(ending),
  ];
}

/** For `--quiet`: the result, and where it is; in one line, unless the result itself has more. */
export function quietLines(state: ReportState, { result, output }: Ending): Line[] {
  const size = () => `${grouped(measure(state, state.before))} → ${amountInFull(state, measure(state, state.best))}`;
  const isAnswer = result !== undefined && state.ended?.sentence !== undefined;
  const lines = (isAnswer ? result.trimEnd() : size()).split('\n').map(line => line.trimEnd());
  const place = output === undefined ? [] : [output];
  const all = lines.length > 1 ? [...lines, ...place] : [[lines[0]!.replace(/\.$/, ''), ...place].join(': ')];
  return all.map(line => [piece(printable(line))]);
}

/** What was proven, and for a stopped run what was not. */
export function proof(state: ReportState): string {
  const { ended } = state;
  if (!ended) return 'Running. The smallest failure so far is kept; nothing is proven yet.';
  if (ended.sentence !== undefined) return ended.sentence;
  const proven =
    ended.minimal.length > 0 ? `1-minimal: no single ${listed(ended.minimal, 'or')} can be removed` : undefined;
  if (ended.ended === 'done') return proven ? `Done. ${proven}.` : 'Done. Not proven minimal.';
  const why = ended.ended === 'budget' ? 'The budget is used up' : 'Interrupted';
  return proven ? `${why}. Proven so far: ${proven}.` : `${why}. The result still fails, but it is not proven minimal.`;
}

function proofLines(state: ReportState, width: number): Line[] {
  const done = state.ended?.ended === 'done';
  const lines = wrap(printable(proof(state)), Math.max(20, width - 2));
  const sign = piece(done ? '✓ ' : '■ ', done ? 'pass' : 'unresolved');
  return lines.map((line, i) => [i === 0 ? sign : piece('  '), piece(line, 'strong')]);
}

type Labelled = readonly [label: string, text: string | undefined, style?: Style];

/** Text is wrapped next to its label. A command stays on one line, however long, so that it can be copied. */
function labelled(rows: readonly Labelled[], width: number): Line[] {
  return rows.flatMap(([label, text, style]) => {
    if (!text) return [];
    const whole = style === 'accent';
    const lines = whole ? [printable(text)] : wrap(printable(text), Math.max(20, width - 13));
    return lines.map((line, i) => [piece(`  ${(i === 0 ? label : '').padEnd(11)}`, 'faint'), piece(line, style)]);
  });
}

function shortResult({ result, inWords }: Ending): Line[] {
  if (result === undefined) return [];
  const lines = result.replace(/\r?\n$/, '').split(/\r?\n/);
  if (result.length === 0 || (!inWords && (lines.length > 20 || result.length > 1200))) return [];
  return [[], ...lines.map(line => [piece('  │ ', 'faint'), piece(printable(line))])];
}

function rowAt(state: ReportState, step: number | undefined): Row | undefined {
  const tail = state.recent.at(-1) ?? [];
  return (
    tail.find(row => row.step === step) ??
    (tail.length === 0 ? rowsOf(state).find(row => row.step === step) : undefined)
  );
}
