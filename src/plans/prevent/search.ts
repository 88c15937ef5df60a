/** Searches for what prevents a failure if it is added: options, variables, changes of another version. */
import {
  all,
  type Circumstance,
  type Configuration,
  empty,
  invert,
  type Strategy,
  size,
  type Test,
  type Verdict,
} from '../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import { askAll } from '../../strategies/ask-all.js';
import { ddmin } from '../../strategies/index.js';
import { preventions, type Searching } from '../../strategies/prevent.js';
import { type Proof, proofOf } from '../proof.js';

export interface Prevented {
  readonly ended: Ended;
  /** Sets that prevent the failure, in the order in which they were found. Nothing in a set can be left out. */
  readonly found: readonly Configuration[];
  /** How many sets did not prevent the failure when they were tested again. They are not in `found`. */
  readonly unstable: number;
  readonly proofs: readonly Proof<unknown>[];
}

export interface PreventOptions<Artifact> extends ExploreOptions<Artifact> {
  readonly identify: (artifact: Artifact) => string;
  /** How a set is made smaller (default: ddmin). */
  readonly strategy?: Strategy<unknown, Configuration>;
  /** What is added, in the plural: `options`. */
  readonly many: string;
  /** A sentence for each set as soon as it is found. */
  readonly describe: (set: Configuration, i: number) => string;
  /** Called with all known sets, as soon as there is another one. */
  readonly keep?: (found: readonly Configuration[]) => void;
}

/** Every set of candidates that prevents the failure, one after the other. Each is tested again at the end. */
export async function* prevent<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  {
    strategy: inner = ddmin() as Strategy<unknown, Configuration>,
    many,
    describe,
    keep,
    ...options
  }: PreventOptions<Artifact>,
): AsyncGenerator<Event, Prevented> {
  const whole = all(circumstance.count);
  const strategy: Strategy<Searching<unknown>, readonly Configuration[]> = preventions(inner);
  const naming = (prefix: string) => ({
    ...options,
    // The journal also knows the untouched failure by its name, and there a failure is a failure.
    identify: (artifact: Artifact) => `${prefix}${options.identify(artifact)}`,
  });
  yield {
    type: 'pass',
    pass: `${many} that may prevent it`,
    round: 1,
    deltas: circumstance.count,
    strategy: strategy.name,
  };
  const run = explore(strategy, circumstance, turnedRound(test), naming('prevents: '));
  // The same answers lead to the same state: what was found is read from the strategy's own state, however the search ends.
  let state = strategy.start(whole);
  for (;;) {
    const step = await run.next();
    if (step.done) {
      const { ended } = step.value;
      if (ended !== 'done' || state.found.length === 0) return { ended, found: state.found, unstable: 0, proofs: [] };
      break;
    }
    yield step.value;
    if (step.value.type !== 'answered') continue;
    const before = state.found.length;
    state = strategy.answer(state, step.value.outcome);
    if (state.found.length > before) keep?.(state.found);
    for (const [i, set] of state.found.entries())
      if (i >= before) yield { type: 'noticed', what: 'note', text: describe(set, i) };
  }
  const check = askAll(whole, state.found);
  yield { type: 'pass', pass: 'test the result again', round: 1, deltas: state.found.length, strategy: check.name };
  const { ended, result = [] } = yield* explore(check, circumstance, turnedRound(test), naming('again: prevents: '));
  const found = ended === 'done' ? state.found.filter((_, i) => result[i] === 'fail') : state.found;
  const { identify } = naming('prevents: ');
  const proofs = found.flatMap((set, i) =>
    // Without a single candidate there is nothing left but the failure itself.
    proofOf({ circumstance, set, deltas: size(set) > 1 ? set : empty, of: `set ${i + 1}`, identify }),
  );
  return { ended, found, unstable: state.found.length - found.length, proofs: proofs.map(inverted) };
}

const inverted = <Artifact>(proof: Proof<Artifact>): Proof<unknown> => ({
  ...(proof as Proof<unknown>),
  isInverted: true,
});

/** What is looked for is the absence of the failure: an evidence of the failure says that a set does not prevent it. */
const turnedRound =
  <Artifact>(test: Test<Artifact>): Test<Artifact> =>
  async (artifact, signal): Promise<Verdict> => {
    const verdict = await test(artifact, signal);
    return { ...verdict, outcome: invert(verdict.outcome) };
  };
