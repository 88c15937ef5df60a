/** A pair of a passing and a failing side: how it is tested again, and what is proven about it. */
import { type Circumstance, type Configuration, empty, minus, size, type Test } from '../core/index.js';
import type { Counter, Event } from '../engine/index.js';
import { type Confirmed, type Confirming, type ConfirmOptions, confirm, doubtOf } from './confirm.js';
import { type Proof, proofOf } from './proof.js';

export interface Sides<Side> {
  readonly passing: Side;
  readonly failing: Side;
}

/** A pair fails if its failing side does and the passing one passes. */
export const testingBoth =
  <Artifact>(test: Test<Artifact>): Test<Sides<Artifact>> =>
  async ({ passing, failing }, signal) => {
    const bad = await test(failing, signal);
    if (bad.outcome !== 'fail') return bad.outcome === 'pass' ? bad : { ...bad, outcome: 'unresolved' };
    const good = await test(passing, signal);
    return good.outcome === 'pass'
      ? bad
      : { ...good, outcome: 'unresolved', reason: 'the passing side no longer passes' };
  };

export const identifyingBoth =
  <Artifact>(identify: (artifact: Artifact) => string) =>
  ({ passing, failing }: Sides<Artifact>): string =>
    `${identify(passing)}+${identify(failing)}`;

type ConfirmSides<Artifact> = Omit<ConfirmOptions<Artifact>, 'times' | 'counter' | 'measure'> &
  Pick<Confirming, 'confirm'> & { readonly counter: Counter };

/** The newest pair, tested again; if one side does not hold, the newest older pair of which both sides do. */
export async function* confirmSides<Artifact>(
  history: readonly Sides<Artifact>[],
  test: Test<Artifact>,
  options: ConfirmSides<Artifact>,
): AsyncGenerator<Event, Confirmed<Sides<Artifact>>> {
  const { confirm: times = 0, identify, ...rest } = options;
  if (times === 0) return { ended: 'done', artifact: history.at(-1)!, how: 'held' };
  const found = yield* confirm(history, testingBoth(test), { ...rest, times, identify: identifyingBoth(identify) });
  const doubt = options.doubted ? undefined : doubtOf(found.how);
  if (doubt !== undefined) yield { type: 'noticed', what: 'note', text: doubt };
  return found;
}

/** No single delta can be taken from the difference: neither out of the failing side, nor into the passing one. */
export function proofsOfSides<Artifact>(
  circumstance: Circumstance<Artifact>,
  { passing, failing }: Sides<Configuration>,
  identify: (artifact: Artifact) => string,
  proves = circumstance.name,
): readonly Proof<Artifact>[] {
  const difference = minus(failing, passing);
  // Without the only delta, one side is the other.
  const deltas = size(difference) > 1 ? difference : empty;
  const common = { circumstance, deltas, identify, proves };
  const [bad, good] = [circumstance.build(failing), circumstance.build(passing)];
  const pair = bad && good ? { pair: identifyingBoth(identify)({ passing: good, failing: bad }) } : {};
  return [
    ...proofOf({ ...common, set: failing, of: 'the failing side' }),
    ...proofOf({ ...common, set: passing, of: 'the passing side', outcome: 'pass' }),
  ].map(proof => ({ ...proof, ...pair }));
}
