/** A chain of causes as lines of a terminal and as a table of the report page. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { greatestOf } from '../../core/lists.js';
import type { ChainView, SourceLine } from '../../report/page/data.js';
import type { Chain, Transition } from './chain.js';

/** A path relative to the current folder, if that is shorter. */
function near(path: string): string {
  const short = relative(process.cwd(), path);
  return path.startsWith('/') && short.length < path.length ? short : path;
}

const columns = ['place', 'variable', 'passing → failing', 'tests'] as const;

/** The chain as a table, then the transitions; empty if there are no causes. */
export function chainText({ chain, transitions }: Chain): string {
  const rows = chain.map(row => [
    `${near(row.file)}:${row.line}`,
    row.variable,
    `${row.passing} → ${row.failing}`,
    String(row.tests),
  ]);
  const widths = columns.map((name, i) => Math.max(name.length, greatestOf(rows.map(row => row[i]!.length))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  const text = [
    ...(rows.length > 0 ? [line(columns), ...rows.map(line)] : []),
    ...(transitions.length > 0 ? ['', 'Transitions, the most likely defect first:'] : []),
    ...transitions.map((transition, i) => `${String(i + 1).padStart(3)}. ${transitionText(transition)}`),
  ];
  return text.map(each => `${each}\n`).join('');
}

export const rangeText = ({ file, from, to }: Pick<Transition, 'file' | 'from' | 'to'>): string =>
  `${near(file)}:${from}${to === from ? '' : `–${to}`}`;

export const transitionText = (transition: Transition): string => {
  const { cause, effect, onlyFailing } = transition;
  const only =
    onlyFailing.length > 0
      ? `; only the failing run executes ${onlyFailing.length === 1 ? 'line' : 'lines'} ${onlyFailing.slice(0, 5).join(', ')}${onlyFailing.length > 5 ? ' …' : ''}`
      : '';
  return `${rangeText(transition)}  ${cause} → ${effect}${only}`;
};

/** Lines of source that are shown around a row, and transitions whose lines are shown. */
const around = 3;
const mostTransitions = 3;

/** The chain for the report page, with the source that it runs through. */
export function pageOf({ chain, transitions }: Chain): { readonly chain: ChainView } {
  const files = [...new Set([...chain, ...transitions].map(({ file }) => file))];
  const sources = files.flatMap(file => {
    const text = sourceOf(file);
    const shown = text === undefined ? [] : linesOf(file, text, { chain, transitions });
    return shown.length > 0 ? [{ file: near(file), lines: shown }] : [];
  });
  const rows = chain.map(({ file, line, variable, passing, failing, tests }) => ({
    place: `${near(file)}:${line}`,
    variable,
    passing,
    failing,
    tests,
  }));
  return { chain: { rows, transitions: transitions.map(each => transitionText(each)), sources } };
}

function linesOf(file: string, text: string, { chain, transitions }: Chain): readonly SourceLine[] {
  const likely = transitions.slice(0, mostTransitions).filter(each => each.file === file);
  const rows = chain.filter(row => row.file === file);
  const lines = text.split('\n');
  const wanted = new Set<number>();
  const want = (from: number, to: number) => {
    for (let n = Math.max(1, from - around); n <= Math.min(lines.length, to + around); n++) wanted.add(n);
  };
  for (const { line } of rows) want(line, line);
  for (const { from, to } of likely) want(from, Math.min(to, from + 40));
  return [...wanted]
    .sort((a, b) => a - b)
    .map(number => {
      const rank = transitions.findIndex(
        each => each.file === file && each.from <= number && number <= each.to && likely.includes(each),
      );
      return {
        number,
        text: lines[number - 1]!.slice(0, 300),
        causes: rows
          .filter(({ line }) => line === number)
          .map(({ variable, passing, failing }) => `${variable}: ${passing} → ${failing}`),
        ...(rank >= 0 ? { transition: rank + 1 } : {}),
        ...(likely.some(({ onlyFailing }) => onlyFailing.includes(number)) ? { onlyFailing: true as const } : {}),
      };
    });
}

function sourceOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
