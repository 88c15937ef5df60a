/** Searches every cause of a failure, and every way to avoid it, over any circumstance. */
import {
  all,
  type Circumstance,
  type Configuration,
  empty,
  isSubset,
  key,
  minus,
  type Strategy,
  size,
  type Test,
  union,
} from '../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import { askAll } from '../../strategies/ask-all.js';
import { type Contradiction, causesIn, type Marco, marco } from '../../strategies/index.js';
import { listed, wordsOf } from './describe-causes.js';

export interface AllCauses {
  readonly ended: Ended;
  /** Each is enough by itself, and nothing in it can be left out. In the order in which they were found. */
  readonly causes: readonly Configuration[];
  /** What to leave out so that no cause remains; tested, the smallest first. */
  readonly avoid: readonly Configuration[];
  /** Leaving these out can't be judged: another cause may hide there. */
  readonly unknown: readonly Configuration[];
  /** Deltas without which nothing can be judged: they are always applied, and are part of no cause. */
  readonly needed: Configuration;
  /** With what is always needed in place, these are all causes and all ways to avoid them, if the test is monotone. */
  readonly complete: boolean;
  readonly stopped?: 'limit' | 'effort';
  readonly contradiction?: Contradiction;
  /** How many causes and ways to avoid them did not hold when they were tested again. They are not listed. */
  readonly unstable: number;
  /** The causes as they were tested: with what is always needed. */
  readonly failing: readonly Configuration[];
}

export interface AllCausesOptions<Artifact> extends ExploreOptions<Artifact> {
  /** At most this many causes, and this many ways to avoid them. */
  readonly limit?: number;
  /** How a failing set is shrunk (default: sweep). */
  readonly list?: Strategy<unknown>;
  /** Names for the final check, in which every cause and every way to avoid it is tested again: the cache must not know them. */
  readonly identifyAgain?: (artifact: Artifact) => string;
  /** Called with everything that is known so far, as soon as there is another cause or another way to avoid it. */
  readonly keep?: (known: AllCauses) => void;
}

/** Before the first test. */
export const nothingKnown: AllCauses = {
  ended: 'interrupted',
  causes: [],
  avoid: [],
  unknown: [],
  needed: empty,
  complete: false,
  unstable: 0,
  failing: [],
};

/** Finds all causes. An event names each as soon as it is found. */
export async function* allCauses<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  { limit, list, keep, identifyAgain, ...options }: AllCausesOptions<Artifact> = {},
): AsyncGenerator<Event, AllCauses> {
  const whole = all(circumstance.count);
  const strategy = marco<unknown>({ ...(limit === undefined ? {} : { limit }), ...(list ? { list } : {}) });
  const { name, count } = circumstance;
  yield { type: 'pass', pass: `causes by ${name}`, round: 1, deltas: count, strategy: strategy.name };
  const run = explore(strategy, circumstance, test, options);
  // The same answers lead to the same state: what is known is read from the strategy's own state, however the search ends.
  let state = strategy.start(whole);
  const said = new Set<string>();
  for (;;) {
    const step = await run.next();
    if (step.done) {
      const found = concluded(state, whole, step.value.ended);
      if (found.ended !== 'done') return found;
      const again = identifyAgain ? { identify: identifyAgain } : {};
      return yield* confirmed(found, circumstance, test, { ...options, ...again });
    }
    yield step.value;
    if (step.value.type !== 'answered') continue;
    const before = state;
    state = strategy.answer(state, step.value.outcome);
    if (state.causes !== before.causes || state.passing !== before.passing)
      keep?.(concluded(state, whole, 'interrupted'));
    for (const cause of state.causes) {
      if (said.has(key(cause))) continue;
      said.add(key(cause));
      const text = `cause ${said.size}: ${listed(cause, wordsOf(circumstance))}`;
      yield { type: 'noticed', what: 'cause', text, configuration: cause };
    }
  }
}

function concluded(state: Marco<unknown>, whole: Configuration, ended: Ended): AllCauses {
  const { causes, passing, unknown, stopped, contradiction } = causesIn(state);
  const without = (sets: readonly Configuration[]) =>
    sets.map(each => minus(whole, each)).sort((a, b) => size(a) - size(b));
  const avoid = without(passing);
  const unjudged = without(unknown);
  // Leaving out one delta can't be judged, and no way was found to do without it: the command needs it to say anything at all.
  const needed = unjudged
    .filter(each => size(each) === 1 && !avoid.some(set => isSubset(each, set)))
    .reduce(union, empty);
  const open = unjudged.filter(each => !isSubset(each, needed));
  const others = causes.map(cause => minus(cause, needed));
  return {
    ended,
    unstable: 0,
    failing: causes,
    // A failure that needs only what is always there keeps its deltas: an empty cause would say nothing.
    causes: causes.map((cause, i) => (size(others[i]!) === 0 ? cause : others[i]!)),
    avoid,
    unknown: open,
    needed,
    complete: ended === 'done' && !stopped && !contradiction && open.length === 0,
    ...(stopped ? { stopped } : {}),
    ...(contradiction ? { contradiction } : {}),
  };
}

/** What still holds when it is tested again. */
async function* confirmed<Artifact>(
  found: AllCauses,
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  options: ExploreOptions<Artifact>,
): AsyncGenerator<Event, AllCauses> {
  const whole = all(circumstance.count);
  const { causes, failing, avoid } = found;
  const questions = [...failing, ...avoid.map(set => minus(whole, set))];
  const check = askAll(whole, questions);
  yield { type: 'pass', pass: 'test the result again', round: 1, deltas: questions.length, strategy: check.name };
  const { ended, result = [] } = yield* explore(check, circumstance, test, options);
  if (ended !== 'done') return { ...found, ended, complete: false };
  const causesHeld = causes.filter((_, i) => result[i] === 'fail');
  const avoidHeld = avoid.filter((_, i) => result[causes.length + i] === 'pass');
  const unstable = questions.length - causesHeld.length - avoidHeld.length;
  const held = { causes: causesHeld, failing: failing.filter((_, i) => result[i] === 'fail'), avoid: avoidHeld };
  return { ...found, ...held, unstable, complete: found.complete && unstable === 0 };
}
