/** The search of `actions`: removes actions from a recording. */
import { actionsOf } from '../../circumstances/actions.js';
import type { Configuration, Strategy, Test } from '../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import type { Recording } from '../../sources/recording/recording.js';
import { sweep } from '../../strategies/index.js';

export interface ReducedActions {
  readonly ended: Ended;
  /** The shortest recording that was seen to fail. */
  readonly recording: Recording;
  readonly minimal: readonly string[];
}

/**
 * The actions that matter, in one search with its proof. Usually only the end of a session matters, and a single action can
 * rarely be removed without its neighbours. On the paper's case, `sweep` asks 22 questions, ddmin on complements 28, ddmin
 * 40.
 */
export async function* reduceActions(
  original: Recording,
  test: Test<Recording>,
  options: ExploreOptions<Recording>,
  strategy: Strategy<unknown, Configuration> = sweep() as unknown as Strategy<unknown, Configuration>,
): AsyncGenerator<Event, ReducedActions> {
  const actions = actionsOf(original);
  yield { type: 'pass', pass: 'actions', round: 1, deltas: actions.count, strategy: strategy.name };
  const { ended, best } = yield* explore(strategy, actions, test, options);
  return { ended, recording: actions.build(best)!, minimal: ended === 'done' && strategy.proves ? [actions.name] : [] };
}
