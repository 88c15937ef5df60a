/** Runs the questions of one level: single checks, the descent to the suspects, and the fewest changes of a set. */

import { linesOf } from '../../../circumstances/changes/lines.js';
import { type Complaints, complaintsIn } from '../../../circumstances/changes/needs/complaints.js';
import { source } from '../../../circumstances/changes/needs/languages.js';
import type { Dependencies } from '../../../circumstances/changes/needs/needs.js';
import type { Artifact } from '../../../core/artifact.js';
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
  key,
  minus,
  type Outcome,
  of,
  type Strategy,
  size,
  type Test,
  union,
} from '../../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../../engine/index.js';
import { askAll } from '../../../strategies/ask-all.js';
import { cutting, type Grouping } from '../../../strategies/cutting.js';
import { type Descended, descend } from '../../../strategies/index.js';
import { type MinimiseOptions, minimiseAdded, minimiseReverted } from '../../../strategies/minimise-changes.js';
import type { SingleRuns } from '../../job.js';
import type { Level } from './levels.js';
import { halvesOnly, shrinkingIn, tooFewToHalve } from './shrink.js';

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
/** A descent that has brought nothing for this many questions ends with the suspects that are left. */
const mostIdle = 64;
/** How often in a row a part may be asked about again with what a message showed that it needs. */
const mostRepairs = 8;
/** Of a revert with at most this many changes, each is tried by itself: to keep a block from being empty, whole blocks may have come with it. */
const mostSingles = 32;
const nothing: Complaints = { missing: [], conflicting: [], absent: [], places: [] };
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
  const { circumstance, groupings = [] } = level;
  const everything = all(circumstance.count);
  const brokenOnes = new Map<string, boolean>();
  let needs = level.dependencies;
  /** Messages have shown something about what belongs together since this was last set to false. */
  let hasLearned = false;

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
      try {
        while (!step.done) {
          const event = step.value;
          if (event.type === 'answered') {
            const before = state;
            state = strategy.answer(state, event.outcome);
            const complaints = event.outcome === 'unresolved' ? complaintsAbout(event) : nothing;
            // What a compiler misses may be a local name, which says nothing about other places.
            isLesson = complaints.places.length === 0 && hear(complaints.missing);
            if (learn(complaints, event.configuration) && relearn) {
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
      } finally {
        // What was tested ahead was built without the lesson, or for a search that has been ended.
        await exploring.return(undefined as never);
      }
      // The search goes on from here with a fresh start.
      if (!step.done) continue;
      const { ended, result, best } = step.value;
      smaller(best);
      if (ended !== 'done') throw new Stopped(ended);
      return result!;
    }
  }

  /** What an unresolved candidate shows: the message of its test, or where it has a syntax error. */
  function complaintsAbout({ reason = '', configuration }: Extract<Event, { type: 'answered' }>): Complaints {
    const error = level.syntaxErrorIn?.(configuration);
    return error ? { ...nothing, places: [error] } : complaintsIn(reason);
  }

  /** Takes in the names that a message misses. Whether candidates that lack them can be left out from now on. */
  function hear(names: readonly string[]): boolean {
    const fresh = names.filter(name => !lessons.missing.has(name));
    if (!level.lacks || fresh.length === 0) return false;
    lessons.missing = new Set([...lessons.missing, ...fresh]);
    return true;
  }

  /** Whether a message shows anything new about what belongs together. */
  function learn(complaints: Complaints, candidate: Configuration): boolean {
    const linesIn = (path: string) => {
      const entry = circumstance.build(candidate)?.files.get(path);
      return entry?.kind === 'file' ? linesOf(entry.bytes) : undefined;
    };
    const more = complaints === nothing ? undefined : needs?.learning(complaints, linesIn);
    if (!more) return false;
    needs = more;
    hasLearned = true;
    return true;
  }

  /** Whether a candidate has a syntax error that shows nothing about what belongs together, as it does in C. */
  function isBroken(configuration: Configuration): boolean {
    const name = key(configuration);
    let found = brokenOnes.get(name);
    if (found === undefined) {
      const error = circumstance.build(configuration) ? undefined : level.syntaxErrorIn?.(configuration);
      found = error !== undefined && !source.test(error.path);
      brokenOnes.set(name, found);
    }
    return found;
  }

  const around = (some: Configuration): Configuration => wholeOf(some, groupings[0]);

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

  const { shrink, isProven, leaveUnproven } = shrinkingIn(level, run, () => needs);

  return {
    everything,
    testable,

    isProven,
    leaveUnproven,

    ask: (pass: string, ...questions: readonly Configuration[]): AsyncGenerator<Event, readonly Outcome[]> =>
      run(askAll(everything, questions), pass, circumstance.count),

    /** The same up to the first question that passes. */
    askUntilPass: (pass: string, questions: readonly Configuration[]): AsyncGenerator<Event, readonly Outcome[]> =>
      run(askAll(everything, questions, 'pass'), pass, circumstance.count),

    /** With everything in the same places. */
    whole: (some: Configuration): Configuration => wholeOf(some, groupings.at(-1)),

    /** What of the suspects makes the difference inside a failing set. `patience`: questions that may bring nothing. */
    async *down(
      failing: Configuration,
      suspects: Configuration,
      likely: (delta: number) => number,
      patience = mostIdle,
    ): AsyncGenerator<Event, Descended> {
      const cuts = cutting({ groupings, likely });
      let [inside, remaining, passing] = [failing, suspects, empty];
      for (let lesson = 0; ; lesson++) {
        hasLearned = false;
        const [from, of] = [inside, remaining];
        const make = () => {
          const machine = descend({ suspects: of, ...cuts, ...(needs ? { needs } : {}), patience, isBroken, around });
          return { ...machine, start: () => machine.start(from) };
        };
        const found = yield* run(make(), `${level.name}s under suspicion`, size(remaining), make);
        if (size(found.passing) > size(passing)) passing = found.passing;
        if (found.refuted || size(found.suspects) < 2 || lesson === mostLessons || !hasLearned)
          return { ...found, passing };
        [inside, remaining] = [found.failing, found.suspects];
      }
    },

    /** The suspects with what they need, as far as declarations and messages show; or why that does not make old fail. */
    async *supplied(suspects: Configuration): AsyncGenerator<Event, Configuration | 'passes' | 'untestable'> {
      let before: Configuration | undefined;
      for (let attempt = 0; attempt <= mostRepairs; attempt++) {
        const set = needs?.certain.withNeeded(suspects) ?? suspects;
        if (before && equals(set, before)) return 'untestable';
        const alone = equals(set, suspects) ? 'the suspects alone' : 'the suspects with what they need';
        const [outcome] = yield* run(askAll(everything, [set]), alone, circumstance.count);
        if (outcome !== 'unresolved') return outcome === 'fail' ? set : 'passes';
        before = set;
      }
      return 'untestable';
    },

    /** The fewest of `free` that, together with `fixed`, make old fail. */
    async *needed(free: Configuration, fixed: Configuration, pass: string): AsyncGenerator<Event, Configuration> {
      const few = isEmpty(free) || (isEmpty(fixed) && size(free) === 1);
      return few ? free : yield* shrink('cause', free, pass, part => minimiseAdded({ ...part, fixed }));
    },

    /** The fewest of `free` that must be reverted, together with `fixed`, so that new passes. */
    async *back(free: Configuration, fixed: Configuration, pass: string): AsyncGenerator<Event, Configuration> {
      const few = isEmpty(free) || (isEmpty(fixed) && size(free) === 1);
      if (few) return free;
      const make = (part: Omit<MinimiseOptions, 'fixed'>) => minimiseReverted(everything, { ...part, fixed });
      // To take back one of several things that only fail together is enough, so half of them often is.
      const half = size(free) > tooFewToHalve ? yield* run(make({ free, sweep: halvesOnly }), pass, size(free)) : free;
      const fewest = yield* shrink('revert', half, pass, make);
      // Some of them may be there only because of each other: then one of them is enough, with what can't stay without it.
      if (size(fewest) <= 2 || size(fewest) > mostSingles) return fewest;
      const single = smallParts(fewest, needs);
      const reverts = single.map(part => minus(everything, union(fixed, part)));
      const outcomes = yield* run(askAll(everything, reverts, 'pass'), pass, size(fewest));
      if (outcomes.at(-1) !== 'pass') return fewest;
      const enough = single[outcomes.length - 1]!;
      return size(enough) === 1 ? enough : yield* shrink('revert', enough, pass, make);
    },
  };
}

/** Each change of a set with those that need it, the smallest first. */
function smallParts(set: Configuration, needs: Dependencies | undefined): readonly Configuration[] {
  const parts = new Map<string, Configuration>();
  for (const delta of deltasOf(set))
    for (const part of [of([delta]), intersection(set, needs?.certain.withNeeding(of([delta])) ?? empty)])
      if (!isEmpty(part) && size(part) < size(set)) parts.set(part.join(), part);
  return [...parts.values()].sort((a, b) => size(a) - size(b));
}

const wholeOf = (some: Configuration, places: Grouping = []): Configuration => {
  const touched = places.filter(members => members.some(delta => has(some, delta))).flat();
  return union(some, of(touched));
};
