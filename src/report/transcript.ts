/** Prints the steps of an algorithm as the papers' tables do. */
import { type Configuration, empty, equals, has, isEmpty, key, type Row, signs } from '../core/index.js';
import { greatestOf } from '../core/lists.js';

/** Steps as the papers print them: step, n, the deltas kept with dots for those left out, outcome, rule; `*` marks known tests. */
export function transcriptText(rows: readonly Row[], labels: readonly string[]): string {
  const table = rows.map(row => cells(row, labels));
  const widths = [0, 1, 2, 3, 4, 5].map(column => Math.max(0, greatestOf(table.map(cell => width(cell[column]!)))));
  const lines = table.map(cell =>
    cell.map((text, column) =>
      column < 2 ? text.padStart(widths[column]!) : text + ' '.repeat(widths[column]! - width(text)),
    ),
  );
  return lines
    .map(cell =>
      cell
        .filter((_, i) => widths[i]! > 0)
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function transcriptMarkdown(rows: readonly Row[], labels: readonly string[]): string {
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  return [
    line(['step', 'n', 'part', 'kept', 'test', 'rule']),
    line(['---:', '---:', '---', '---', '---', '---']),
    ...rows.map(row => line(cells(row, labels))),
  ].join('\n');
}

/** How many tests are really run, including those on the empty and the full configuration, whose outcomes every algorithm assumes. */
export function differentTests(rows: readonly Row[], all: Configuration): number {
  const extra = [empty, all].filter(given => !rows.some(row => equals(row.configuration, given)));
  return new Set(rows.map(row => key(row.configuration))).size + extra.length;
}

/** {1, 7, 8}; with many deltas, {1–4, 7}. */
export const setText = (configuration: Configuration, labels: readonly string[]): string =>
  isEmpty(configuration) ? '{}' : `{${labelsOf(configuration, labels).join(', ')}}`;

/** A row with one column per delta is readable up to about this many. */
const manyDeltas = 24;

function labelsOf(configuration: Configuration, labels: readonly string[]): readonly string[] {
  if (labels.length <= manyDeltas) return labels.filter((_, delta) => has(configuration, delta));
  return Array.from({ length: configuration.length / 2 }, (_, i) => {
    const [from, to] = [labels[configuration[2 * i]!]!, labels[configuration[2 * i + 1]! - 1]!];
    return from === to ? from : `${from}–${to}`;
  });
}

function cells(row: Row, labels: readonly string[]): readonly string[] {
  const kept =
    labels.length > manyDeltas
      ? labelsOf(row.configuration, labels).join(' ') || '·'
      : labels.map((label, delta) => (has(row.configuration, delta) ? label : '·'.padEnd(label.length))).join(' ');
  const sign = signs[row.outcome] + (row.known ? '*' : '');
  return [String(row.step), row.n === undefined ? '' : String(row.n), row.part ?? '', kept, sign, row.rule ?? ''];
}

const width = (text: string): number => [...text].length;
