/** The same deltas, ordered by what they weigh. */
import { type Circumstance, type Configuration, deltasOf, of } from '../core/index.js';

/** The heaviest delta comes last, because a search begins at the end. */
export function heaviestLast<Artifact>(inner: Circumstance<Artifact>): Circumstance<Artifact> {
  const { weights, count, trace, edited } = inner;
  if (weights === undefined) return inner;
  const order = Array.from({ length: count }, (_, delta) => delta).sort((a, b) => weights[a]! - weights[b]! || a - b);
  const innerOf = (configuration: Configuration): Configuration =>
    of([...deltasOf(configuration)].map(delta => order[delta]!));
  return {
    ...inner,
    weights: order.map(delta => weights[delta]!),
    build: configuration => inner.build(innerOf(configuration)),
    describe: delta => inner.describe?.(order[delta]!) ?? `${inner.name} ${order[delta]}`,
    ...(trace ? { trace: (configuration: Configuration) => trace(innerOf(configuration)) } : {}),
    ...(edited ? { edited: { ...edited, changes: (delta: number) => edited.changes(order[delta]!) } } : {}),
  } as Circumstance<Artifact>;
}
