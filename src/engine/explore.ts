/** The loop: answers the questions of a strategy on any number of workers, with the transcript of one. */
import {
  all,
  type Circumstance,
  type Configuration,
  endsAhead,
  equals,
  key,
  type Outcome,
  type Strategy,
  size,
  stepsAhead,
  type Test,
  type Verdict,
} from '../core/index.js';
import { pauseIfDue } from '../core/pause.js';
import { enoughForBeyond, mostEnds, muchLikelier, sureEnough, worthAhead, worthBeyond } from './ahead.js';
import { buildOnce } from './built.js';
import { Counter } from './counter.js';
import type { Ended, Event } from './events.js';
import { abandon, type Flight, newFlight } from './flight.js';
import { OutcomeStats } from './forecast.js';
import { type Memory, memoryOf, PassedSets } from './memory.js';
import { InfrastructureError, judge, localPool, type Pool, poolIn, type Room } from './pool.js';

export interface ExploreOptions<Artifact> {
  /** How many tests run at a time on this machine, if no pool is given. Never changes the answer. */
  readonly workers?: number;
  /** A pool that is not only on this machine; `workers` is then ignored. */
  readonly room?: Room;
  readonly signal?: AbortSignal;
  /** At most this many tests may be started ahead and still unused, if a test is expensive (default: no limit). */
  readonly mostAhead?: number;
  /** Idle workers take whatever may be asked next, as in a bisection: both answers are as likely, and each known one saves a round. */
  readonly eager?: boolean;
  /** Stop after this many tests, counted as a single worker would run them: the same on any number of workers. */
  readonly maxTests?: number;
  /** Checked before each test: is the time up? */
  readonly outOfTime?: () => boolean;
  /** Identifies an artifact by its content. Without it, only configurations are remembered. */
  readonly identify?: (artifact: Artifact) => string;
  readonly memory?: Memory;
  /** Answer a question that was asked before from memory (default), or test it again. */
  readonly remember?: boolean;
  /** Treat a subset of a passing configuration as passing. */
  readonly monotony?: boolean;
  /** Bytes of an artifact, for the events. */
  readonly measure?: (artifact: Artifact) => number;
  readonly counter?: Counter;
  /** What earlier searches of the same run showed about how questions are answered. */
  readonly stats?: OutcomeStats;
  /**
   * Running tests that consecutive searches of a run share: the tests of this one may have begun already. Needs `identify`
   * and `memory`.
   */
  readonly flight?: Flight;
  /** What would probably be tested after this search, if it ended with this result, the likeliest first: for idle workers. */
  readonly beyond?: Beyond<Artifact>;
  /** Called with each smaller artifact that fails, before its event is emitted: it is on disk before people see it. */
  readonly accepted?: (artifact: Artifact, configuration: Configuration) => void;
  /** Called with each answered question, before its event is emitted. */
  readonly asked?: (step: number, configuration: Configuration, outcome: Outcome) => void;
  /** Called when either side of an isolation moves. */
  readonly narrowed?: (failing: Configuration, passing: Configuration) => void;
}

export type Beyond<Artifact> = (best: Configuration) => AsyncIterable<AheadArtifact<Artifact>>;

/** An artifact that will be tested with this probability. */
export interface AheadArtifact<Artifact> {
  readonly artifact: Artifact;
  readonly probability: number;
}

export interface Exploration<Result> {
  readonly ended: Ended;
  /** The strategy's own result, if it finished. */
  readonly result?: Result;
  /** The smallest failing configuration, however it ended. */
  readonly best: Configuration;
  /** The largest known passing configuration, if the strategy knows one. */
  readonly passing?: Configuration;
}

interface Wanted {
  readonly probability: number;
  readonly begin: () => void;
}

interface Known {
  readonly verdict: Verdict;
  /** Needs no test. */
  readonly free?: boolean;
}

/** How often in a row a test may fail to run before the search gives up: with growing pauses, about a minute. */
const mostBroken = 15;

const infeasible: Known = { verdict: { outcome: 'unresolved', reason: 'infeasible' }, free: true };
const covered: Known = { verdict: { outcome: 'pass', reason: 'a superset passed' }, free: true };
const forgetful: Memory = { recall: () => undefined, record: () => {} };

/**
 * Drives any strategy over any circumstance on any number of workers. The true state changes only by true answers, in the
 * strategy's own order; idle workers test what will probably be asked next, and tests that can no longer matter are
 * abandoned. Transcript and result are those of the reference driver, whatever the number of workers and the order of
 * completion.
 *
 * @example
 * ```ts
 * const run = explore(sweep(), elements(['a', 'b', 'c']), async list => ({ outcome: list.includes('b') ? 'fail' : 'pass' }));
 * let step = await run.next();
 * while (!step.done) step = await run.next(); // step.value is an event here, and the end below
 * step.value; // → { ended: 'done', result: [1, 2], best: [1, 2] }
 * ```
 */
export async function* explore<State, Result, Artifact>(
  strategy: Strategy<State, Result>,
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact> | Pool<Artifact>,
  options: ExploreOptions<Artifact> = {},
): AsyncGenerator<Event, Exploration<Result>> {
  const { signal, identify, remember = true, memory = remember ? memoryOf() : forgetful, measure } = options;
  const { counter = new Counter(), maxTests = Infinity, mostAhead = Infinity } = options;
  const { room, workers: slots } = options;
  const pool = typeof test !== 'function' ? test : room ? poolIn(room, test) : localPool(slots, test);
  const built = buildOnce(circumstance, measure);
  const { build } = built;
  // A pool that has lost all its workers still waits for the current question.
  const workers = () => Math.max(1, pool.capacity());
  const { stats = new OutcomeStats() } = options;
  const passed = options.monotony ? new PassedSets() : undefined;
  const known = new Map<string, Known>();
  const names = new Map<string, string>();
  const answered = new Set<string>();
  const { flight = newFlight() } = options;
  const { running } = flight;
  const wake = () => flight.wake();
  const idle = () => ({ workers: workers(), eager: options.eager, counter, running: running.size });
  const abandonAll = () => abandon(flight);

  /** Identifies a question by the content of its artifact if it is known, so that no content is tested twice. */
  const nameOf = (configuration: Configuration): string => {
    const deltas = key(configuration);
    if (!identify) return deltas;
    let name = names.get(deltas);
    if (name === undefined) {
      const artifact = build(configuration);
      name = artifact === undefined ? `\0${deltas}` : identify(artifact);
      if (artifact === undefined) known.set(name, infeasible);
      names.set(deltas, name);
    }
    return name;
  };

  const recall = (configuration: Configuration, name = nameOf(configuration)): Known | undefined => {
    // Monotony comes before speculative answers, and after real ones: the same as with one worker.
    if (passed && !answered.has(name) && passed.covers(configuration)) return covered;
    const here = known.get(name);
    if (here || !identify || running.has(name)) return here;
    const verdict = memory.recall(name);
    if (verdict) known.set(name, { verdict });
    return known.get(name);
  };
  const isAnswered = (name: string): boolean => known.has(name) || (identify && memory.recall(name)) !== undefined;
  const outcomeOf = (configuration: Configuration): Outcome | undefined => recall(configuration)?.verdict.outcome;

  /** How many tests in a row could not be run. */
  let broken = 0;
  let fault: InfrastructureError | undefined;
  const begin = (configuration: Configuration, name: string): void => {
    const artifact = build(configuration);
    if (artifact === undefined) {
      known.set(name, infeasible);
      return;
    }
    run(artifact, name);
  };
  const run = (artifact: Artifact, name: string): void => {
    const stop = new AbortController();
    counter.started++;
    running.set(name, stop);
    void judge(pool, artifact, stop.signal).then(async verdict => {
      if (verdict instanceof InfrastructureError) {
        counter.started--;
        if (++broken > mostBroken) fault = verdict;
        else await new Promise(resolve => setTimeout(resolve, 2 ** broken));
        if (stop.signal.aborted) return;
        running.delete(name);
        wake();
        return;
      }
      if (stop.signal.aborted) return;
      broken = 0;
      running.delete(name);
      // It may have been answered by monotony in the meantime; that answer stays.
      if (!known.has(name)) known.set(name, { verdict });
      if (identify) memory.record(name, verdict);
      wake();
    });
  };

  /** Gives idle workers the questions that will probably be asked next, the current one first. */
  const testAhead = async (state: State, present: Configuration): Promise<void> => {
    if (!remember) {
      if (running.size === 0) begin(present, nameOf(present));
      return;
    }
    const wanted = new Map<string, Wanted>();
    for (const ahead of stepsAhead(strategy, state, outcomeOf, {
      forecast: stats.forecast,
      breadth: 64 + 16 * workers(),
      least: worthAhead(idle()),
    })) {
      if (ahead) {
        const name = nameOf(ahead.configuration);
        // Several configurations may have the same content; the first one is the likeliest.
        if (!wanted.has(name))
          wanted.set(name, { probability: ahead.probability, begin: () => begin(ahead.configuration, name) });
      }
      if (wanted.size >= 2 * workers()) break;
      await pauseIfDue();
    }
    const now = nameOf(present);
    // Looking beyond takes time, so what is needed first begins before that.
    const beyond = workers() >= enoughForBeyond ? options.beyond : undefined;
    if (beyond) beginLikeliest(wanted, now, 'in free slots');
    if (beyond) await lookBeyond(state, beyond, wanted);
    if (!signal?.aborted) beginLikeliest(wanted, now);
  };

  const beginLikeliest = (wanted: ReadonlyMap<string, Wanted>, now: string, where?: 'in free slots'): void => {
    const chanceOf = (name: string): number => (name === now ? 2 : (wanted.get(name)?.probability ?? 0));
    for (const [name, { probability, begin: start }] of [...wanted].sort(([a], [b]) => chanceOf(b) - chanceOf(a))) {
      // It may have been answered since it was listed.
      if (running.has(name) || isAnswered(name)) continue;
      if (name !== now && counter.started - counter.spent > mostAhead) break;
      if (where && (probability < sureEnough || running.size >= workers())) break;
      if (running.size >= workers()) {
        const [least] = [...running.keys()].sort((a, b) => chanceOf(a) - chanceOf(b));
        const isPresent = name === now;
        if (least === undefined || (!isPresent && probability <= muchLikelier * chanceOf(least))) break;
        running.get(least)!.abort();
        running.delete(least);
      }
      start();
    }
  };

  /** What the next searches would ask, after the likeliest ways in which this one may end. */
  const lookBeyond = async (state: State, beyond: Beyond<Artifact>, wanted: Map<string, Wanted>): Promise<void> => {
    if (!identify) return;
    const isFull = wanted.size >= workers();
    const least = isFull ? [...wanted.values()][workers() - 1]!.probability : worthBeyond(idle());
    const chances = { forecast: stats.forecast, least };
    for (const end of firstOf(mostEnds(workers()), endsAhead(strategy, state, outcomeOf, chances))) {
      let left = workers();
      for await (const { artifact, probability } of beyond(strategy.best(end.state))) {
        await pauseIfDue();
        const chance = end.probability * probability;
        if (signal?.aborted || chance < least || left <= 0) break;
        const name = identify(artifact);
        if (isAnswered(name)) continue;
        left--;
        if (!wanted.has(name)) wanted.set(name, { probability: chance, begin: () => run(artifact, name) });
      }
    }
  };

  let state = strategy.start(all(circumstance.count));
  let best = strategy.best(state);
  let isDone = false;
  const sofar = () => ({ best, ...(strategy.passing ? { passing: strategy.passing(state) } : {}) });
  signal?.addEventListener('abort', abandonAll);
  // New capacity is for speculative questions: a waiting caller checks again by itself.
  const deaf = pool.onCapacityChange(() => wake());
  try {
    for (;;) {
      // If every answer is known, nothing below waits for anything.
      await pauseIfDue();
      if (signal?.aborted) return { ended: 'interrupted', ...sofar() };
      const step = strategy.next(state);
      if (step.kind === 'done') {
        isDone = true;
        return { ended: 'done', result: step.result, ...sofar() };
      }
      const { configuration } = step;
      built.ask(configuration);
      const name = nameOf(configuration);
      const answer = recall(configuration, name);
      // A budget counts what one worker would have to test, even if another worker already has the answer.
      const free = answer?.free || (remember && counter.knows(name));
      if (!free && (counter.spent >= maxTests || options.outOfTime?.())) return { ended: 'budget', ...sofar() };
      if (!answer) {
        if (signal?.aborted) return { ended: 'interrupted', ...sofar() };
        const completion = new Promise<void>(resolve => {
          flight.wake = resolve;
        });
        await testAhead(state, configuration);
        if (running.has(name)) await completion;
        if (fault) throw fault;
        continue;
      }
      const { outcome, reason } = answer.verdict;
      const { step: number, known: repeated } = counter.answered(name, outcome, !!answer.free, !remember);
      answered.add(name);
      if (remember) known.set(name, answer);
      else known.delete(name);
      stats.learn(step.questionKind, outcome);
      if (outcome === 'pass') passed?.add(configuration);
      options.asked?.(number, configuration, outcome);
      const artifact = measure ? build(configuration) : undefined;
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
        ...(strategy.progress?.(state) ?? {}),
      };
      const before = strategy.passing?.(state);
      state = strategy.answer(state, outcome);
      const now = strategy.best(state);
      const passing = strategy.passing?.(state);
      if (passing && before && !(equals(passing, before) && equals(now, best))) options.narrowed?.(now, passing);
      if (size(now) < size(best)) {
        best = now;
        const watched = measure ?? options.accepted;
        const smaller = watched && (artifact !== undefined && equals(now, configuration) ? artifact : build(now));
        if (smaller !== undefined) options.accepted?.(smaller, now);
        const weight = measure && smaller !== undefined ? { bytes: measure(smaller) } : {};
        yield { type: 'reduced', step: number, size: { deltas: size(now), ...weight } };
      }
    }
  } finally {
    deaf();
    signal?.removeEventListener('abort', abandonAll);
    if (!isDone || !options.flight) abandonAll();
  }
}

function firstOf<T>(most: number, items: Iterable<T>): readonly T[] {
  const first: T[] = [];
  for (const item of items) if (first.push(item) >= most) break;
  return first;
}
