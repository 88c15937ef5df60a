/** The passes of `options`, and the search for options that prevent a failure. */
import { overArgs } from '../../circumstances/options/artifact.js';
import { isUncertain, type OptionSettings, optionsOf } from '../../circumstances/options/options.js';
import type { Artifact } from '../../core/artifact.js';
import {
  type Circumstance,
  type Configuration,
  invert,
  type Strategy,
  type Test,
  type Verdict,
} from '../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import { ddmin } from '../../strategies/index.js';
import { preventions, type Searching } from '../../strategies/prevent.js';
import type { Pass } from '../pass.js';

/**
 * Options with their values first; then, where a value was only a guess, the option and the word after it apart.
 * An artifact's arguments begin with the program.
 */
export function optionPasses(args: readonly string[], settings: OptionSettings = {}): readonly Pass<Artifact>[] {
  const over = (uncertain: 'together' | 'apart') => (artifact: Artifact) => {
    const [program = '', ...rest] = artifact.args ?? args;
    const options = optionsOf(rest, { program, ...settings, uncertain });
    return options.count === 0 ? undefined : overArgs(after(program, options), artifact);
  };
  const [program = '', ...rest] = args;
  const together: Pass<Artifact> = { name: 'options', proves: 'option', over: over('together') };
  const apart: Pass<Artifact> = { name: 'arguments', proves: 'argument', over: over('apart') };
  return isUncertain(rest, { program, ...settings }) ? [together, apart] : [together];
}

/** The same with the program in front. */
export const after = (
  program: string,
  circumstance: Circumstance<readonly string[]>,
): Circumstance<readonly string[]> => ({
  ...circumstance,
  build(configuration) {
    const args = circumstance.build(configuration);
    return args && [program, ...args];
  },
});

export interface Prevented {
  readonly ended: Ended;
  /** Sets of options that prevent the failure, in the order in which they were found. */
  readonly found: readonly Configuration[];
}

/** Every set of candidates that prevents the failure. What is said of each as soon as it is found comes from `inWords`. */
export async function* prevent(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  options: ExploreOptions<Artifact> & { readonly strategy?: Strategy<unknown, Configuration> },
  inWords: (set: Configuration, i: number) => string,
): AsyncGenerator<Event, Prevented> {
  const inner = options.strategy ?? (ddmin() as Strategy<unknown, Configuration>);
  const strategy: Strategy<Searching<unknown>, readonly Configuration[]> = preventions(inner);
  const pass = { name: 'options that may prevent it', deltas: circumstance.count, strategy: strategy.name };
  yield { type: 'pass', pass: pass.name, round: 1, deltas: pass.deltas, strategy: pass.strategy };
  const run = explore(strategy, circumstance, turnedRound(test), options);
  // The same answers lead the same way: what was found is read from the strategy's own state, however the search ends.
  let state = strategy.start([0, circumstance.count]);
  for (;;) {
    const step = await run.next();
    if (step.done) return { ended: step.value.ended, found: state.found };
    yield step.value;
    if (step.value.type !== 'answered') continue;
    const before = state.found.length;
    state = strategy.answer(state, step.value.outcome);
    for (const [i, set] of state.found.entries())
      if (i >= before) yield { type: 'noticed', what: 'note', text: inWords(set, i) };
  }
}

/** What is looked for is the absence of the failure: an evidence of the failure says that a set does not prevent it. */
const turnedRound =
  (test: Test<Artifact>): Test<Artifact> =>
  async (artifact, signal): Promise<Verdict> => {
    const verdict = await test(artifact, signal);
    return { ...verdict, outcome: invert(verdict.outcome) };
  };
