/** The search of `actions`: removes actions from a recording. */
import { createHash } from 'node:crypto';
import { actionsOf } from '../../circumstances/actions.js';
import { all, type Configuration, type Strategy, type Test } from '../../core/index.js';
import { Counter, type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import type { Recording } from '../../sources/recording/recording.js';
import { sweep } from '../../strategies/index.js';
import { type Confirming, confirm, doubtOf } from '../confirm.js';
import { type Proof, proofOf } from '../proof.js';

export interface ReducedActions {
  readonly ended: Ended;
  /** The shortest recording that was seen to fail. */
  readonly recording: Recording;
  readonly minimal: readonly string[];
  readonly proofs: readonly Proof<Recording>[];
}

/**
 * The actions that matter, in one search with its proof. Usually only the end of a session matters, and a single action can
 * rarely be removed without its neighbours. On the paper's case, `sweep` asks 22 questions, ddmin on complements 28, ddmin
 * 40.
 */
export async function* reduceActions(
  original: Recording,
  test: Test<Recording>,
  given: ExploreOptions<Recording> & Confirming,
  strategy: Strategy<unknown, Configuration> = sweep() as unknown as Strategy<unknown, Configuration>,
): AsyncGenerator<Event, ReducedActions> {
  const actions = actionsOf(original);
  yield { type: 'pass', pass: 'actions', round: 1, deltas: actions.count, strategy: strategy.name };
  const options = { ...given, identify };
  const history = [actions.build(all(actions.count))!];
  const accepted = (recording: Recording, configuration: Configuration) => {
    history.push(recording);
    options.accepted?.(recording, configuration);
  };
  const { confirm: times } = options;
  const { ended, best } = yield* explore(strategy, actions, test, { ...options, accepted });
  const proofs = proofOf({ circumstance: actions, set: best, of: 'the result', identify });
  const minimal = strategy.proves ? [actions.name] : [];
  if (ended !== 'done') return { ended, recording: actions.build(best)!, minimal: [], proofs };
  if (!times) return { ended, recording: actions.build(best)!, minimal, proofs };
  const { counter = new Counter() } = options;
  const again = yield* confirm(history, test, { ...options, counter, times });
  const doubt = options.doubted ? undefined : doubtOf(again.how);
  if (doubt !== undefined) yield { type: 'noticed', what: 'note', text: doubt };
  return { ended: again.ended, recording: again.artifact, minimal: again.how === 'held' ? minimal : [], proofs };
}

export const identify = ({ steps }: Recording): string =>
  createHash('sha256').update(JSON.stringify(steps)).digest('base64url').slice(0, 32);
