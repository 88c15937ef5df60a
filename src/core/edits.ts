/** Edits of a text as deltas: replacements that can be applied in any combination. */
import type { Circumstance, Configuration } from './index.js';

/** Replace base[start, end) by `text`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One reduction of a text: one or more replacements that only make sense together. They do not overlap each other. */
export interface Edit {
  readonly spans: readonly Span[];
  /** In words, for people: `hoist call_expression`. */
  readonly label?: string;
}

/** By how much it makes the text shorter. */
export const gainOf = (edit: Edit): number =>
  edit.spans.reduce((sum, span) => sum + span.end - span.start - span.text.length, 0);

/**
 * Reductions as deltas: a delta that is applied leaves the base alone, a delta that is left out makes its edit.
 * All deltas applied is the base itself. Overlaps are settled by one rule: the outer edit wins, then the earlier one;
 * an edit that loses one of its spans to an outer edit is still made elsewhere (the outer one took that part away).
 *
 * @example
 * ```ts
 * const shorter = { spans: [{ start: 4, end: 12, text: 'x' }] };
 * const circumstance = editing('rename', 'let variable = 1;', [shorter]);
 * [circumstance.build(all(1)), circumstance.build(empty)]; // → ['let variable = 1;', 'let x = 1;']
 * ```
 */
export function editing(name: string, base: string, edits: readonly Edit[]): Circumstance<string> {
  const order = edits
    .flatMap((edit, delta) => edit.spans.map(span => ({ ...span, delta })))
    .sort((a, b) => a.start - b.start || b.end - a.end || a.delta - b.delta);
  // A large text has ten thousand edits and is built thousands of times: plain numbers in a row, and no search for each.
  const starts = Uint32Array.from(order, span => span.start);
  const ends = Uint32Array.from(order, span => span.end);
  const deltas = Uint32Array.from(order, span => span.delta);
  const applied = new Uint8Array(edits.length);
  return {
    name,
    count: edits.length,
    weights: edits.map(gainOf),
    build(configuration: Configuration) {
      applied.fill(0);
      for (let i = 0; i < configuration.length; i += 2) applied.fill(1, configuration[i]!, configuration[i + 1]!);
      const pieces: string[] = [];
      let position = 0;
      for (let i = 0; i < deltas.length; i++) {
        if (starts[i]! < position || applied[deltas[i]!] === 1) continue;
        pieces.push(base.slice(position, starts[i]!), order[i]!.text);
        position = ends[i]!;
      }
      pieces.push(base.slice(position));
      return pieces.join('');
    },
    describe: delta => edits[delta]?.label ?? `${name} ${delta}`,
  };
}
