import { type Circumstance, type Configuration, has } from '../core/index.js';
import { difference } from './changes/myers.js';

/** A list of anything: each element is a delta. */
export const elements = <Element>(list: readonly Element[], name = 'element'): Circumstance<readonly Element[]> => ({
  name,
  count: list.length,
  build(configuration: Configuration) {
    const kept: Element[] = [];
    for (let i = 0; i < configuration.length; i += 2)
      for (let at = configuration[i]!; at < configuration[i + 1]!; at++) kept.push(list[at]!);
    return kept;
  },
  describe: delta => String(list[delta]),
});

/**
 * What makes `failing` out of `passing`: each element that is new or gone is a delta of its own.
 * No delta applied is the passing list, all of them is the failing one.
 */
export function between<Element>(
  passing: readonly Element[],
  failing: readonly Element[],
  name = 'change',
): Circumstance<readonly Element[]> {
  const numbers = new Map<Element, number>();
  const intern = (list: readonly Element[]) =>
    Int32Array.from(list, element => numbers.get(element) ?? (numbers.set(element, numbers.size), numbers.size - 1));
  type Piece = { readonly kind: 'shared' | 'gone' | 'new'; readonly element: Element };
  const sequence: Piece[] = [];
  let at = 0;
  for (const hunk of difference(intern(passing), intern(failing))) {
    for (; at < hunk.oldStart; at++) sequence.push({ kind: 'shared', element: passing[at]! });
    for (let i = 0; i < hunk.oldCount; i++) sequence.push({ kind: 'gone', element: passing[at++]! });
    for (let i = 0; i < hunk.newCount; i++) sequence.push({ kind: 'new', element: failing[hunk.newStart + i]! });
  }
  for (; at < passing.length; at++) sequence.push({ kind: 'shared', element: passing[at]! });
  const deltas = sequence.filter(piece => piece.kind !== 'shared');
  return {
    name,
    count: deltas.length,
    build(configuration) {
      const built: Element[] = [];
      let delta = 0;
      for (const { kind, element } of sequence)
        if (kind === 'shared' || has(configuration, delta++) === (kind === 'new')) built.push(element);
      return built;
    },
    describe: delta => `${deltas[delta]!.kind === 'new' ? '+' : '-'}${String(deltas[delta]!.element)}`,
  };
}
