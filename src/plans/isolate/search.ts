/** Narrows the difference between a passing and a failing artifact from both sides, then what both share. */
import type { Artifact } from '../../core/artifact.js';
import { all, type Configuration, empty, type Strategy, type Test } from '../../core/index.js';
import { addAll } from '../../core/lists.js';
import {
  Counter,
  type Ended,
  type Event,
  type ExploreOptions,
  explore,
  orStopped,
  pauseIfDue,
  stopped,
} from '../../engine/index.js';
import { dd, sweep } from '../../strategies/index.js';
import type { Confirming } from '../confirm.js';
import type { Proof } from '../proof.js';
import { confirmSides, identifyingBoth, proofsOfSides, type Sides, testingBoth } from '../sides.js';
import { differencesAt, levels } from './differences.js';
import { guarded, guardOf } from './guard.js';
import { sharedFiles, sharedSegments, sharedText } from './in-common.js';
import { limitReached, limitUnresolved } from './limit-unresolved.js';
import type { Pair } from './texts.js';

export interface Isolated extends Pair {
  readonly ended: Ended;
  /** The levels at which the difference cannot be narrowed further. */
  readonly minimal: readonly string[];
  readonly proofs: readonly Proof<Artifact>[];
}

export interface IsolateOptions extends ExploreOptions<Artifact>, Confirming {
  readonly identify: (artifact: Artifact) => string;
  /** The algorithm that narrows; `dd` by default. */
  readonly strategy?: Strategy<unknown, unknown>;
  /** Called with each narrower pair. */
  readonly keep?: (pair: Pair) => void;
}

/**
 * Narrows the difference between two artifacts from both sides: whole files first, then lines, tokens and characters of
 * what still differs. Each level begins with the pair that the one before it left.
 */
export async function* isolate(
  pair: Pair,
  test: Test<Artifact>,
  options: IsolateOptions,
): AsyncGenerator<Event, Isolated> {
  let { passing, failing } = pair;
  const { strategy = dd(), keep } = options;
  const minimal: string[] = [];
  const proofs: Proof<Artifact>[] = [];
  const history: Pair[] = [pair];
  const fits = await guardOf(pair);
  for (const level of levels) {
    // Cutting a large text, and building its proof, take a while: a signal is heard in between.
    await pauseIfDue();
    const differing = await orStopped(differencesAt(level, { passing, failing }, options.signal), options.signal);
    if (differing === stopped) return { passing, failing, ended: 'interrupted', minimal, proofs };
    const circumstance = guarded(differing, fits);
    if (circumstance.count === 0) continue;
    yield {
      type: 'pass',
      pass: `${level}s that differ`,
      round: 1,
      deltas: circumstance.count,
      strategy: strategy.name,
    };
    let sides: Sides<Configuration> = { failing: all(circumstance.count), passing: empty };
    if (circumstance.count > 1) {
      const narrowed = (worst: Configuration, best: Configuration) => {
        const [bad, good] = [circumstance.build(worst), circumstance.build(best)];
        if (bad && good) keep?.({ passing: good, failing: bad });
      };
      const limited = limitUnresolved(strategy, mostUnresolved(circumstance.count));
      const end = yield* explore(limited, circumstance, test, { ...options, narrowed });
      passing = (end.passing && circumstance.build(end.passing)) ?? passing;
      failing = circumstance.build(end.best) ?? failing;
      if (end.ended !== 'done') return { passing, failing, ended: end.ended, minimal, proofs };
      sides = { failing: end.best, passing: end.passing ?? empty };
      if (end.result === limitReached) {
        yield { type: 'noticed', what: 'note', text: tooManyUnresolved(level) };
        history.push({ passing, failing });
        continue;
      }
    }
    minimal.push(level);
    await pauseIfDue();
    addAll(proofs, proofsOfSides(circumstance, sides, options.identify, level));
    history.push({ passing, failing });
  }
  return yield* confirmed(history, { minimal, proofs }, test, options);
}

/** With n differences that can hardly be separated, dd asks n² questions; from here on, the answer is as good as it gets. */
const mostUnresolved = (count: number): number => 4 * count + 64;

const tooManyUnresolved = (level: string): string =>
  `Too many tests by ${level} neither passed nor failed in the same way: the difference is not proven minimal by ${level}.`;

/** Tests the pair again. If one side does not hold, returns the newest older pair of which both sides hold. */
async function* confirmed(
  history: readonly Pair[],
  { minimal, proofs }: Pick<Isolated, 'minimal' | 'proofs'>,
  test: Test<Artifact>,
  options: IsolateOptions,
): AsyncGenerator<Event, Isolated> {
  const { counter = new Counter(), measure: _, ...rest } = options;
  const { ended, artifact, how } = yield* confirmSides(history, test, { ...rest, counter });
  return { ...artifact, ended, minimal: how === 'held' ? minimal : [], proofs };
}

/** Simplifies away what both share, keeping one passing and the other failing (PPR's commonality, after the difference). */
export async function* smallest(
  pair: Pair,
  test: Test<Artifact>,
  options: IsolateOptions,
): AsyncGenerator<Event, Isolated> {
  let current = pair;
  const both = testingBoth(test);
  const pairs = inPairs(options);
  const fits = await guardOf(pair);
  const bothFit = fits && (({ passing, failing }: Pair) => fits(passing) && fits(failing));
  for (let changed = true; changed; ) {
    changed = false;
    for (const level of ['member', 'line', 'token', 'character'] as const)
      for (const path of sharedFiles(current)) {
        const shared = level === 'member' ? sharedSegments(current, path) : sharedText(current, path, level);
        if (!shared || shared.count === 0) continue;
        const circumstance = guarded(shared, bothFit);
        yield { type: 'pass', pass: `${level}s in common`, round: 1, deltas: circumstance.count, strategy: 'sweep' };
        const end = yield* explore(sweep() as unknown as Strategy<unknown, Configuration>, circumstance, both, pairs);
        const next = circumstance.build(end.best);
        if (next && pairs.identify(next) !== pairs.identify(current)) {
          current = next;
          options.keep?.(next);
          changed = true;
        }
        if (end.ended !== 'done') return { ...current, ended: end.ended, minimal: [], proofs: [] };
      }
  }
  return yield* confirmed([pair, current], { minimal: ['line', 'token', 'character'], proofs: [] }, test, options);
}

function inPairs(options: IsolateOptions) {
  const { identify, measure, accepted: _, ...rest } = options;
  return {
    ...(rest as ExploreOptions<Pair>),
    identify: identifyingBoth(identify),
    ...(measure ? { measure: ({ passing, failing }: Pair) => measure(passing) + measure(failing) } : {}),
  };
}
