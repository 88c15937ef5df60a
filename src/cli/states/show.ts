/** A chain of causes as lines of a terminal and as a table of the report page. */
import { relative } from 'node:path';
import type { Chain, Transition } from '../../plans/states/index.js';

/** A path as it is typed from here, if that is shorter. */
export function near(path: string): string {
  const short = relative(process.cwd(), path);
  return path.startsWith('/') && short.length < path.length ? short : path;
}

const columns = ['place', 'variable', 'passing → failing', 'tests'] as const;

export function chainLines({ chain, transitions }: Chain): readonly string[] {
  const rows = chain.map(row => [
    `${near(row.file)}:${row.line}`,
    row.variable,
    `${row.passing} → ${row.failing}`,
    String(row.tests),
  ]);
  const widths = columns.map((name, i) => Math.max(name.length, ...rows.map(row => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  return [
    ...(rows.length > 0 ? [line(columns), ...rows.map(line)] : []),
    ...(transitions.length > 0 ? ['', 'Transitions, the most likely defect first:'] : []),
    ...transitions.map((transition, i) => `${String(i + 1).padStart(3)}. ${transitionText(transition)}`),
  ];
}

export const rangeText = ({ file, from, to }: Pick<Transition, 'file' | 'from' | 'to'>): string =>
  `${near(file)}:${from}${to === from ? '' : `–${to}`}`;

const transitionText = (transition: Transition): string => {
  const { cause, effect, onlyFailing } = transition;
  const only =
    onlyFailing.length > 0
      ? `; only the failing run executes ${onlyFailing.length === 1 ? 'line' : 'lines'} ${onlyFailing.slice(0, 5).join(', ')}${onlyFailing.length > 5 ? ' …' : ''}`
      : '';
  return `${rangeText(transition)}  ${cause} → ${effect}${only}`;
};
