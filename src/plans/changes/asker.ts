/** Runs the questions of one level: single checks, the descent to the suspects, and the fewest changes of a set. */

import { type Complaints, complaintsIn } from '../../circumstances/changes/complaints.js';
import type { Artifact } from '../../core/artifact.js';
import {
  all,
  type Circumstance,
  type Configuration,
  deltasOf,
  empty,
  equals,
  has,
  intersection,
  isEmpty,
  minus,
  type Outcome,
  of,
  type Strategy,
  size,
  type Test,
  union,
} from '../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import { askAll } from '../../strategies/ask-all.js';
import { cutting, type Grouping } from '../../strategies/cutting.js';
import { type Descended, descend, type Sweep } from '../../strategies/index.js';
import { type MinimiseOptions, minimiseAdded, minimiseReverted } from '../../strategies/minimise-changes.js';
import type { SingleRuns } from '../job.js';
import type { Level } from './levels.js';

export interface BlameOptions extends ExploreOptions<Artifact> {
  readonly identify: (artifact: Artifact) => string;
  /** If the failure shows only sometimes. */
  readonly flaky?: SingleRuns<Artifact>;
}

/** The search was stopped: what is known becomes the result. */
export class Stopped extends Error {
  constructor(readonly ended: Ended) {
    super(ended);
  }
}

/** How often the search may descend again with what it learned from the error messages. */
const mostLessons = 4;
/** How often in a row a part may be asked about again with what a message showed that it needs. */
const mostRepairs = 8;
const nothing: Complaints = { missing: [], conflicting: [] };
/** Skips straight to the proof. */
const proofOnly = { patience: 0 };
/** As long as one half is enough, the other goes; then the proof is left to others. */
const halvesOnly = { halves: true, patience: 0, prove: false };
/** A set of at most this size is as quickly decided one by one as by halves. */
const tooFewToHalve = 4;
/** A set of at most this size is decided one by one: trying is as fast as working out what belongs together. */
const fewEnough = 12;
/** A walk ends after this many questions in a row without a success: a rewritten file can hardly be split. */
const walkOnly = { prove: false, patience: 48 };
/** In a set of more than this many, a success restores only some patience: to remove thousands of changes one by one never ends. */
const manyChanges = 200;
const walkBriefly = { ...walkOnly, worth: (gone: Configuration) => 2 * size(gone) };
/** With more indistinguishable changes than this, single changes are not proven individually. */
const mostProven = 48;

export type Asker = ReturnType<typeof askerFor>;

/** What the messages of tests have shown so far, at all levels. */
export interface Lessons {
  /** Names that some test was missing. */
  missing: ReadonlySet<string>;
}

/** A strategy that can continue from a state of an earlier one that knew less. */
type Relearning<State, Result> = Strategy<State, Result> & { resume(state: State): State };

export interface AskedLevel {
  readonly level: Level;
  readonly lessons: Lessons;
}

export function askerFor(
  { level, lessons }: AskedLevel,
  test: Test<Artifact>,
  options: BlameOptions,
  smaller: (failing: Configuration) => void,
) {
  const { circumstance, groupings = [], proven } = level;
  const everything = all(circumstance.count);
  let needs = level.dependencies;
  /** Messages have shown something about what belongs together since this was last set to false. */
  let hasLearned = false;
  let unproven = false;

  /** `relearn`: the same strategy with what is known by now, so that messages count at once. */
  async function* run<State, Result>(
    given: Strategy<State, Result>,
    pass: string,
    deltas: number,
    relearn?: () => Relearning<State, Result>,
  ): AsyncGenerator<Event, Result> {
    let strategy = given;
    yield { type: 'pass', pass, round: 1, deltas, strategy: strategy.name };
    let state = strategy.start(everything);
    let repairs = 0;
    for (;;) {
      const [machine, from] = [strategy, state];
      const exploring = explore({ ...machine, start: () => from }, testable(), test, options);
      let isLesson = false;
      let step = await exploring.next();
      while (!step.done) {
        const event = step.value;
        if (event.type === 'answered') {
          const before = state;
          state = strategy.answer(state, event.outcome);
          const complaints = event.outcome === 'unresolved' ? complaintsIn(event.reason ?? '') : nothing;
          isLesson = hear(complaints.missing);
          if (learn(complaints) && relearn) {
            const better = relearn();
            const again = better.resume(before);
            const next = better.next(again);
            // The same part with what it turned out to need, if that makes another question.
            const isOther = next.kind === 'ask' && !equals(next.configuration, event.configuration);
            const isRepair = isOther && repairs < mostRepairs;
            repairs = isRepair ? repairs + 1 : 0;
            [strategy, state, isLesson] = [better, isRepair ? again : better.resume(state), true];
          } else repairs = 0;
        }
        yield event;
        if (isLesson) break;
        step = await exploring.next();
      }
      if (!step.done) {
        // What was tested ahead was built without the lesson, so the search goes on from here with a fresh start.
        await exploring.return(undefined as never);
        continue;
      }
      const { ended, result, best } = step.value;
      smaller(best);
      if (ended !== 'done') throw new Stopped(ended);
      return result!;
    }
  }

  /** Takes in the names that a message misses. Whether candidates that lack them can be left out from now on. */
  function hear(names: readonly string[]): boolean {
    const fresh = names.filter(name => !lessons.missing.has(name));
    if (!level.lacks || fresh.length === 0) return false;
    lessons.missing = new Set([...lessons.missing, ...fresh]);
    return true;
  }

  /** Whether a message shows anything new about what belongs together. */
  function learn(complaints: Complaints): boolean {
    const more = complaints === nothing ? undefined : needs?.learning(complaints);
    if (!more) return false;
    needs = more;
    hasLearned = true;
    return true;
  }

  /** The changes without candidates that lack a name which some test has missed. */
  function testable(): Circumstance<Artifact> {
    const { lacks } = level;
    const names = lessons.missing;
    if (!lacks || names.size === 0) return circumstance;
    return {
      ...circumstance,
      build(configuration) {
        const artifact = circumstance.build(configuration);
        return artifact && lacks(artifact, names) ? undefined : artifact;
      },
    };
  }

  type Made = Strategy<Sweep, Configuration>;

  /**
   * The fewest of a set. First everything irrelevant is removed, then what belongs together, then the proof removes single
   * deltas and whole groups until nothing changes.
   */
  async function* shrink(
    free: Configuration,
    pass: string,
    make: (few: Omit<MinimiseOptions, 'fixed'>) => Made,
  ): AsyncGenerator<Event, Configuration> {
    let left = free;
    const together = needs ? { needs } : {};
    const inert = level.inert ? intersection(free, level.inert) : empty;
    if (size(inert) > 1 && size(inert) < size(free)) {
      const kinds = [[...deltasOf(minus(free, inert))], [...deltasOf(inert)]];
      left = yield* run(make({ free, groups: kinds, sweep: proofOnly }), pass, size(free));
    }
    for (const grouping of groupings)
      if (size(left) > fewEnough && isGrouped(left, grouping))
        left = yield* run(make({ free: left, groups: grouping, ...together, sweep: walkIn(left) }), pass, size(left));
    if (isEmpty(left)) return left;
    if (size(left) > fewEnough)
      left = yield* run(make({ free: left, ...together, sweep: walkIn(left) }), pass, size(left));
    if (size(left) > mostProven) {
      unproven = true;
      return left;
    }
    for (;;) {
      const single = isEmpty(left) ? left : yield* run(make({ free: left, sweep: proofOnly }), pass, size(left));
      if (!proven || !isGrouped(single, proven)) return single;
      left = yield* run(make({ free: single, groups: proven, sweep: proofOnly }), pass, size(single));
      if (equals(single, left)) return single;
    }
  }

  return {
    everything,
    testable,

    /** Whether some set was too large, or too entangled, for the proof. */
    isProven: (): boolean => !unproven,

    ask: (pass: string, ...questions: readonly Configuration[]): AsyncGenerator<Event, readonly Outcome[]> =>
      run(askAll(everything, questions), pass, circumstance.count),

    /** With everything in the same places. */
    whole: (some: Configuration): Configuration => wholeOf(some, groupings.at(-1)),

    /** What of the suspects makes the difference inside a failing set. `patience`: unresolved answers until it gives up. */
    async *down(
      failing: Configuration,
      suspects: Configuration,
      likely: (delta: number) => number,
      patience = Number.POSITIVE_INFINITY,
    ): AsyncGenerator<Event, Descended> {
      const cuts = cutting({ groupings, likely });
      let [inside, remaining, passing] = [failing, suspects, empty];
      for (let lesson = 0; ; lesson++) {
        hasLearned = false;
        const [from, of] = [inside, remaining];
        const make = () => {
          const machine = descend({ suspects: of, ...cuts, ...(needs ? { needs } : {}), patience });
          return { ...machine, start: () => machine.start(from) };
        };
        const found = yield* run(make(), `${level.name}s under suspicion`, size(remaining), make);
        if (size(found.passing) > size(passing)) passing = found.passing;
        if (found.refuted || size(found.suspects) < 2 || lesson === mostLessons || !hasLearned)
          return { ...found, passing };
        [inside, remaining] = [found.failing, found.suspects];
      }
    },

    /** The suspects with what they need, as far as declarations and messages show; undefined if that does not make old fail. */
    async *supplied(suspects: Configuration): AsyncGenerator<Event, Configuration | undefined> {
      let before: Configuration | undefined;
      for (let attempt = 0; attempt <= mostRepairs; attempt++) {
        const set = needs?.certain.withNeeded(suspects) ?? suspects;
        if (before && equals(set, before)) return undefined;
        const alone = equals(set, suspects) ? 'the suspects alone' : 'the suspects with what they need';
        const [outcome] = yield* run(askAll(everything, [set]), alone, circumstance.count);
        if (outcome !== 'unresolved') return outcome === 'fail' ? set : undefined;
        before = set;
      }
      return undefined;
    },

    /** The fewest of `free` that, together with `fixed`, make old fail. */
    async *needed(free: Configuration, fixed: Configuration, pass: string): AsyncGenerator<Event, Configuration> {
      const few = isEmpty(free) || (isEmpty(fixed) && size(free) === 1);
      return few ? free : yield* shrink(free, pass, part => minimiseAdded({ ...part, fixed }));
    },

    /** The fewest of `free` that must be reverted, together with `fixed`, so that new passes. */
    async *back(free: Configuration, fixed: Configuration, pass: string): AsyncGenerator<Event, Configuration> {
      const few = isEmpty(free) || (isEmpty(fixed) && size(free) === 1);
      if (few) return free;
      const make = (part: Omit<MinimiseOptions, 'fixed'>) => minimiseReverted(everything, { ...part, fixed });
      // To take back one of several things that only fail together is enough, so half of them often is.
      const half = size(free) > tooFewToHalve ? yield* run(make({ free, sweep: halvesOnly }), pass, size(free)) : free;
      return yield* shrink(half, pass, make);
    },
  };
}

const walkIn = (set: Configuration) => (size(set) > manyChanges ? walkBriefly : walkOnly);

const wholeOf = (some: Configuration, places: Grouping = []): Configuration => {
  const touched = places.filter(members => members.some(delta => has(some, delta))).flat();
  return union(some, of(touched));
};

/** Some of it is in groups, and not all of it in one. */
function isGrouped(free: Configuration, grouping: Grouping): boolean {
  const sizes = grouping.map(members => members.filter(delta => has(free, delta)).length);
  return sizes.some(count => count > 1) && sizes.filter(count => count > 0).length > 1;
}
