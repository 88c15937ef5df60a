/** Reductions of a text as deltas, and the one rule for overlapping edits. */
import type { Circumstance, Configuration } from '../core/index.js';
import { add, type Fragment } from '../core/trace.js';
import { type Edit, gainOf, isDeletion, type Span } from '../syntax/edit.js';
import { glue } from '../syntax/text-cut.js';

export { type Edit, gainOf, type Span } from '../syntax/edit.js';

/**
 * Reductions as deltas: a delta that is applied leaves the base alone, a delta that is left out makes its edit.
 * All deltas applied is the base itself. Overlaps follow one rule: the outer edit wins, then the earlier one; of two for the
 * same place, the one with the shorter text, so that a longer alternative never undoes a shorter one. An edit that loses one
 * of its spans to an outer edit is still made elsewhere (the outer one removed that part).
 * Two deletions that overlap at their edges are both made: together they remove their union.
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
    .sort((a, b) => a.start - b.start || b.end - a.end || a.text.length - b.text.length || a.delta - b.delta);
  // A large text has ten thousand edits and is built thousands of times: plain numbers in a row, and no search for each.
  const starts = Uint32Array.from(order, span => span.start);
  const ends = Uint32Array.from(order, span => span.end);
  const deltas = Uint32Array.from(order, span => span.delta);
  const applied = new Uint8Array(edits.length);
  /** The one loop that makes both the text and its trace. */
  const walk = (configuration: Configuration, keep: (start: number, end: number) => void, put: (i: number) => void) => {
    applied.fill(0);
    for (let i = 0; i < configuration.length; i += 2) applied.fill(1, configuration[i]!, configuration[i + 1]!);
    let position = 0;
    /** Where the last deletion, or union of deletions, begins. */
    let from = 0;
    for (let i = 0; i < deltas.length; i++) {
      if (applied[deltas[i]!] === 1) continue;
      if (starts[i]! >= position) {
        keep(position, starts[i]!);
        put(i);
        [from, position] = [starts[i]!, ends[i]!];
      } else if (ends[i]! > position && isDeletion(order[i]!)) {
        const end = endOfUnion(base, order[i]!, position);
        if (end > position) put(i);
        position = glue(base[from - 1], base[end]) && /\s/.test(base[end - 1]!) ? end - 1 : end;
      }
    }
    keep(position, base.length);
  };
  return {
    name,
    count: edits.length,
    weights: edits.map(gainOf),
    build(configuration: Configuration) {
      const pieces: string[] = [];
      walk(
        configuration,
        (start, end) => pieces.push(base.slice(start, end)),
        i => pieces.push(order[i]!.text),
      );
      return pieces.join('');
    },
    trace(configuration) {
      const trace: Fragment[] = [];
      walk(
        configuration,
        (start, end) => add(trace, { start, end }),
        i => add(trace, { text: order[i]!.text }),
      );
      return trace;
    },
    describe: delta => edits[delta]?.label ?? `${name} ${delta}`,
    edited: {
      texts: new Map([['', base]]),
      changes: delta => edits[delta]!.spans.map(span => ({ file: '', ...span })),
    },
  };
}

/**
 * Where a deletion ends that begins inside another deletion; `position` if only whitespace is left of it. Two elements
 * of a list may claim the same separator (`a,` and `, b` of `a, b, c`): then the next one like it is removed with them.
 */
function endOfUnion(base: string, { start, end }: Span, position: number): number {
  if (base.slice(position, end).trim() === '') return position;
  const shared = base.slice(start, position).trim();
  if (shared === '') return end;
  let next = end;
  while (next < base.length && (base[next] === ' ' || base[next] === '\t')) next++;
  if (!base.startsWith(shared, next)) return end;
  next += shared.length;
  while (next < base.length && (base[next] === ' ' || base[next] === '\t')) next++;
  return next;
}
