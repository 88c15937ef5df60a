/** Two deltas: what one circumstance leaves out, and what another one leaves out of that. */
import { type Circumstance, empty, has } from '../core/index.js';
import { compose, type Trace } from '../core/trace.js';

/**
 * The first delta is what `second` leaves out of what is left by `first`, but for the first of its two steps; the second delta is
 * what `first` leaves out. Without the second one, the first one means nothing.
 */
export function inTurn(first: Circumstance<string>, second: Circumstance<string>): Circumstance<string> {
  return {
    name: second.name,
    count: 2,
    build: configuration =>
      has(configuration, 1)
        ? has(configuration, 0)
          ? first.build([0, first.count])
          : undefined
        : has(configuration, 0)
          ? first.build(empty)
          : second.build([0, 1]),
    trace(configuration): Trace {
      if (has(configuration, 1)) return first.trace!([0, first.count]);
      const older = first.trace!(empty);
      return has(configuration, 0) ? older : (compose(older, second.trace!([0, 1])) as Trace);
    },
    describe: delta => ['everything that is not used', 'other bodies'][delta]!,
  };
}
