/** Elements of a list as deltas, and the difference between two lists. */
import { hunksBetween } from '../core/diff.js';
import { type Circumstance, type Configuration, has, size } from '../core/index.js';

/**
 * A list of anything: each element is a delta.
 *
 * @example
 * ```ts
 * elements(['a', 'b', 'c']).build(of([0, 2])); // → ['a', 'c']
 * ```
 */
export const elements = <Element>(list: readonly Element[], name = 'element'): Circumstance<readonly Element[]> => ({
  name,
  count: list.length,
  build(configuration: Configuration) {
    // Allocated once: a list that grows by pushing costs more, at a million elements, than the rest of a search.
    const kept = new Array<Element>(size(configuration));
    let next = 0;
    for (let i = 0; i < configuration.length; i += 2)
      for (let at = configuration[i]!; at < configuration[i + 1]!; at++) kept[next++] = list[at]!;
    return kept;
  },
  describe: delta => String(list[delta]),
});

/** One element of two aligned lists: in both, only in the passing one, or only in the failing one. */
export interface Aligned<Element> {
  readonly kind: 'shared' | 'gone' | 'new';
  readonly element: Element;
}

/** Two lists, aligned so that they have as much in common as possible. */
export function alignment<Element>(
  passing: readonly Element[],
  failing: readonly Element[],
): readonly Aligned<Element>[] {
  const sequence: Aligned<Element>[] = [];
  let at = 0;
  for (const hunk of hunksBetween(passing, failing)) {
    for (; at < hunk.oldStart; at++) sequence.push({ kind: 'shared', element: passing[at]! });
    for (let i = 0; i < hunk.oldCount; i++) sequence.push({ kind: 'gone', element: passing[at++]! });
    for (let i = 0; i < hunk.newCount; i++) sequence.push({ kind: 'new', element: failing[hunk.newStart + i]! });
  }
  for (; at < passing.length; at++) sequence.push({ kind: 'shared', element: passing[at]! });
  return sequence;
}

/**
 * What makes `failing` out of `passing`: each added or removed element is a delta.
 * No delta applied is the passing list, all of them is the failing one.
 *
 * @example
 * ```ts
 * const changes = between(['a', 'b'], ['a', 'x', 'y']);
 * [changes.count, changes.build(empty), changes.build(all(3))]; // → [3, ['a', 'b'], ['a', 'x', 'y']]
 * changes.describe(0); // → '-b'
 * ```
 */
export function between<Element>(
  passing: readonly Element[],
  failing: readonly Element[],
  name = 'change',
): Circumstance<readonly Element[]> {
  const sequence = alignment(passing, failing);
  let count = 0;
  return differing(
    name,
    sequence,
    sequence.map(({ kind }) => (kind === 'shared' ? -1 : count++)),
  );
}

/** `deltaOf`: the delta that adds or removes each piece; −1 for what both have. */
export function differing<Element>(
  name: string,
  sequence: ReturnType<typeof alignment<Element>>,
  deltaOf: readonly number[],
): Circumstance<readonly Element[]> {
  return {
    name,
    count: deltaOf.reduce((most, delta) => Math.max(most, delta + 1), 0),
    build: configuration =>
      sequence.flatMap(({ kind, element }, i) =>
        kind === 'shared' || has(configuration, deltaOf[i]!) === (kind === 'new') ? [element] : [],
      ),
    describe(delta) {
      const parts = sequence.filter((_, i) => deltaOf[i] === delta);
      const texts = shorten(parts.map(({ element }) => String(element)));
      return parts.map(({ kind }, i) => `${kind === 'new' ? '+' : '-'}${texts[i]}`).join('');
    },
  };
}

/** Characters of an element that people read, and of what is beside the difference of two long ones. */
const mostRead = 200;
const around = 30;

/** Long elements as people can read them: of one that replaces another, what differs; of others, the beginning. */
function shorten(elements: readonly string[]): readonly string[] {
  if (elements.every(({ length }) => length <= mostRead)) return elements;
  const [a = '', b = ''] = elements;
  let [same, behind] = [0, 0];
  if (elements.length === 2) {
    while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
    const most = Math.min(a.length, b.length) - same;
    while (behind < most && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  }
  const from = Math.max(0, same - around);
  const end = (text: string) => Math.min(text.length - Math.max(0, behind - around), from + mostRead);
  const isCut = (text: string) => end(text) < text.trimEnd().length;
  return elements.map(
    text =>
      `${from > 0 ? '…' : ''}${text.slice(from, end(text))}${isCut(text) ? `…${text.endsWith('\n') ? '\n' : ''}` : ''}`,
  );
}

/** What two lists have in common, as deltas: leaving one out removes it from both. */
export function shared<Element>(
  passing: readonly Element[],
  failing: readonly Element[],
  name = 'element',
): Circumstance<{ readonly passing: readonly Element[]; readonly failing: readonly Element[] }> {
  const sequence = alignment(passing, failing);
  return {
    name,
    count: sequence.reduce((sum, piece) => sum + (piece.kind === 'shared' ? 1 : 0), 0),
    build(configuration) {
      const pair = { passing: [] as Element[], failing: [] as Element[] };
      let delta = 0;
      for (const { kind, element } of sequence) {
        if (kind === 'shared' && !has(configuration, delta++)) continue;
        if (kind !== 'new') pair.passing.push(element);
        if (kind !== 'gone') pair.failing.push(element);
      }
      return pair;
    },
  };
}
