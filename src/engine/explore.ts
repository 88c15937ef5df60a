import {
  all,
  type Circumstance,
  type Configuration,
  key,
  lookahead,
  type Outcome,
  type Strategy,
  size,
  type Test,
  type Verdict,
} from '../core/index.js';
import { Counter } from './counter.js';
import type { Ended, Event } from './events.js';
import { Weather } from './forecast.js';
import { type Memory, memoryOf, PassedSets } from './memory.js';

export interface ExploreOptions<Artifact> {
  /** How many tests run at a time. Never changes the answer. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
  /** Stop after so many tests, counted as a single worker would run them: the same on any number of workers. */
  readonly maxTests?: number;
  /** Asked before each test: has the time run out? */
  readonly outOfTime?: () => boolean;
  /** What an artifact is known by: its content. Without it, only configurations are remembered. */
  readonly identify?: (artifact: Artifact) => string;
  readonly memory?: Memory;
  /** Answer a question that was asked before from memory (default), or test it again. */
  readonly remember?: boolean;
  /** Take a subset of a passing configuration as passing. */
  readonly monotony?: boolean;
  /** Bytes of an artifact, for the events. */
  readonly measure?: (artifact: Artifact) => number;
  readonly counter?: Counter;
  /** Called with each smaller artifact that fails, before the event goes out: it is on disk when people hear of it. */
  readonly accepted?: (artifact: Artifact) => void;
}

export interface Exploration<Result> {
  readonly ended: Ended;
  /** The strategy's own result, where it came to an end. */
  readonly result?: Result;
  /** The smallest failing configuration, however it ended. */
  readonly best: Configuration;
}

interface Known {
  readonly verdict: Verdict;
  /** Nothing is run for it: the configuration can't be built. */
  readonly infeasible?: boolean;
}

/**
 * Drives any strategy over any circumstance on any number of workers. The true state moves only by true answers, in the
 * strategy's own order; idle workers test what will probably be asked next, and what can no longer matter is abandoned.
 * Transcript and result are those of the reference driver, whatever the number of workers and the order of completion.
 */
export async function* explore<State, Result, Artifact>(
  strategy: Strategy<State, Result>,
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  options: ExploreOptions<Artifact> = {},
): AsyncGenerator<Event, Exploration<Result>> {
  const { workers = 1, signal, identify, memory = memoryOf(), remember = true, measure } = options;
  const { counter = new Counter(), maxTests = Infinity } = options;
  const weather = new Weather();
  const passed = options.monotony ? new PassedSets() : undefined;
  const known = new Map<string, Known>();
  const identities = new Map<string, string>();
  const running = new Map<string, AbortController>();
  /** Ends the wait for the next completion. */
  let wake = () => {};
  const abandonAll = () => {
    for (const stop of running.values()) stop.abort();
    running.clear();
    wake();
  };

  const recall = (configuration: Configuration): Known | undefined => {
    const name = key(configuration);
    const here = known.get(name);
    if (here) return here;
    if (passed?.covers(configuration)) return { verdict: { outcome: 'pass', reason: 'a superset passed' } };
    if (!identify || running.has(name)) return undefined;
    if (!identities.has(name)) {
      const artifact = circumstance.build(configuration);
      if (artifact === undefined)
        known.set(name, { verdict: { outcome: 'unresolved', reason: 'infeasible' }, infeasible: true });
      else identities.set(name, identify(artifact));
    }
    const verdict = memory.recall(identities.get(name) ?? '');
    if (verdict) known.set(name, { verdict });
    return known.get(name);
  };
  const outcomeOf = (configuration: Configuration): Outcome | undefined => recall(configuration)?.verdict.outcome;

  const begin = (configuration: Configuration): void => {
    const name = key(configuration);
    const artifact = circumstance.build(configuration);
    if (artifact === undefined) {
      known.set(name, { verdict: { outcome: 'unresolved', reason: 'infeasible' }, infeasible: true });
      return;
    }
    const stop = new AbortController();
    counter.executed++;
    running.set(name, stop);
    void judge(test, artifact, stop.signal).then(verdict => {
      if (stop.signal.aborted) return;
      running.delete(name);
      known.set(name, { verdict });
      if (identify) memory.record(identities.get(name) ?? identify(artifact), verdict);
      wake();
    });
  };

  /** Gives idle workers the questions that will probably be asked next, the present one first. */
  const testAhead = (state: State, present: Configuration): void => {
    if (!remember) {
      if (running.size === 0) begin(present);
      return;
    }
    const wanted = new Set<string>();
    for (const { configuration } of lookahead(strategy, state, outcomeOf, weather.forecast, {
      breadth: 64 + 16 * workers,
    })) {
      const name = key(configuration);
      wanted.add(name);
      if (running.has(name)) continue;
      if (wanted.size > workers) break;
      if (running.size >= workers) abandonOne(wanted);
      if (running.size < workers) begin(configuration);
    }
  };
  /** Makes room for a likelier question than any that is running outside the wanted ones. */
  const abandonOne = (wanted: ReadonlySet<string>): void => {
    for (const [name, stop] of running)
      if (!wanted.has(name)) {
        stop.abort();
        running.delete(name);
        return;
      }
  };

  let state = strategy.start(all(circumstance.count));
  let best = strategy.best(state);
  signal?.addEventListener('abort', abandonAll);
  try {
    for (;;) {
      const step = strategy.next(state);
      if (step.kind === 'done') return { ended: 'done', result: step.result, best };
      const { configuration } = step;
      const name = key(configuration);
      const answer = recall(configuration);
      // A budget counts what one worker would have to test, also where another worker has the answer already.
      const free = answer?.infeasible || counter.knows(identities.get(name) ?? name);
      if (!free && (counter.spent >= maxTests || options.outOfTime?.())) return { ended: 'budget', best };
      if (!answer) {
        if (signal?.aborted) return { ended: 'interrupted', best };
        const completion = new Promise<void>(resolve => {
          wake = resolve;
        });
        testAhead(state, configuration);
        if (running.size > 0) await completion;
        continue;
      }
      const { outcome, reason } = answer.verdict;
      const { step: number, known: repeated } = counter.answered(
        identities.get(name) ?? name,
        outcome,
        !!answer.infeasible,
      );
      if (!remember) known.delete(name);
      weather.learn(step.sort, outcome);
      if (outcome === 'pass') passed?.add(configuration);
      const artifact = measure || outcome === 'fail' ? circumstance.build(configuration) : undefined;
      const bytes = measure && artifact !== undefined ? { bytes: measure(artifact) } : {};
      yield {
        type: 'answered',
        step: number,
        configuration,
        outcome,
        known: repeated,
        ...bytes,
        ...(strategy.explain?.(state, outcome) ?? {}),
        ...(reason ? { reason } : {}),
      };
      state = strategy.answer(state, outcome);
      const now = strategy.best(state);
      if (size(now) < size(best)) {
        best = now;
        const smaller = outcome === 'fail' && key(now) === name ? artifact : circumstance.build(now);
        if (smaller !== undefined) options.accepted?.(smaller);
        const weight = measure && smaller !== undefined ? { bytes: measure(smaller) } : {};
        yield { type: 'reduced', step: number, size: { deltas: size(now), ...weight } };
      }
    }
  } finally {
    signal?.removeEventListener('abort', abandonAll);
    abandonAll();
  }
}

/** A test that throws or rejects is unresolved: the test broke, and nothing can be said of the artifact. */
async function judge<Artifact>(test: Test<Artifact>, artifact: Artifact, signal: AbortSignal): Promise<Verdict> {
  try {
    return await test(artifact, signal);
  } catch (error) {
    return {
      outcome: 'unresolved',
      reason: `the test broke: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
