/** Makes an artifact smaller by passes until none of them changes anything, then confirms the result. */
import { all, type Circumstance, type Configuration, deltasOf, equals, minus, type Test } from '../core/index.js';
import {
  abandon,
  Counter,
  type Ended,
  type Event,
  type ExploreOptions,
  explore,
  newFlight,
  OutcomeStats,
  orStopped,
  pauseIfDue,
  stopped,
} from '../engine/index.js';
import { lookBeyond } from './beyond.js';
import { type Confirming, confirm, doubtOf, History } from './confirm.js';
import type { Pass } from './pass.js';
import { nothingRefused, type Refused, refuse, refusedAfter } from './refused.js';
import { answerPass, type Fingerprint, isDue, nextPass, startSchedule } from './schedule.js';
import { offeredBy, skippedBy, strategyFor } from './searching-pass.js';

export interface SimplifyOptions<Artifact> extends ExploreOptions<Artifact>, Confirming {
  readonly identify: (artifact: Artifact) => string;
  /** The same for artifacts that differ only in whitespace. */
  readonly identifyIgnoringWhitespace?: (artifact: Artifact) => string;
  /** Named in the first event. */
  readonly job?: string;
  /** Follows the search, so that the parts of a result can be traced to the original. */
  readonly lineage?: Lineage<Artifact>;
}

export interface Lineage<Artifact> {
  /** A pass begins: from now on, all configurations belong to this circumstance. */
  over(circumstance: Circumstance<Artifact>, base: Artifact): void;
  asked(step: number, configuration: Configuration): void;
  made(artifact: Artifact, configuration: Configuration): void;
}

export interface Simplified<Artifact> {
  readonly ended: Ended;
  /** The smallest artifact that failed. */
  readonly artifact: Artifact;
  /** What was proven: no single one of these can be removed. */
  readonly minimal: readonly string[];
}

/**
 * Simplifies an artifact by passes, until nothing changes. In quick rounds a pass that finds nothing stops early, and proofs
 * are postponed; in thorough rounds every pass runs in full, with its proof. The result is called minimal only after a thorough
 * round that changed nothing. A pass that found nothing in an artifact is not run on the same artifact again. A different
 * artifact of the same size (one name for another) may help other passes, but is not worth another round or a new proof: quick
 * rounds accept it, and the next stage continues from it.
 */
export async function* simplify<Artifact>(
  original: Artifact,
  passes: readonly Pass<Artifact>[],
  test: Test<Artifact>,
  options: SimplifyOptions<Artifact>,
): AsyncGenerator<Event, Simplified<Artifact>> {
  const { identify, identifyIgnoringWhitespace = identify, measure, lineage } = options;
  const counter = options.counter ?? new Counter();
  const visited = new Set([identify(original)]);
  let current = original;
  let smallest = original;
  const stats = new OutcomeStats();
  const history = new History(original, measure);
  const keepSmallest = (artifact: Artifact, configuration: Configuration) => {
    if (!measure || measure(artifact) <= measure(smallest)) {
      lineage?.made(artifact, configuration);
      smallest = artifact;
      if (options.confirm) history.add(artifact);
      options.accepted?.(artifact, configuration);
    }
  };
  const fingerprintOf = (artifact: Artifact): Fingerprint => ({
    identity: identify(artifact),
    // Only whitespace-blind passes need it.
    get identityIgnoringWhitespace() {
      return identifyIgnoringWhitespace(artifact);
    },
    ...(measure ? { size: measure(artifact) } : {}),
  });

  // Without a memory that outlives a pass, tests started ahead for the next pass would be lost.
  const looksBeyond = options.memory !== undefined && options.remember !== false;
  const flight = looksBeyond ? { flight: newFlight() } : {};
  let refused: Refused = nothingRefused;
  let schedule = startSchedule(fingerprintOf(current));
  try {
    for (;;) {
      const before = fingerprintOf(current);
      const following = nextPass(schedule, passes, before);
      schedule = following.schedule;
      if (following.step.kind === 'done') break;
      const { at, effort, round } = following.step;
      const pass = passes[at]!;
      const thorough = effort === 'thorough';
      await pauseIfDue();
      if (options.signal?.aborted) return { ended: 'interrupted', artifact: smallest, minimal: [] };
      const isMeasured = measure !== undefined;
      const skipped = skippedBy(pass, round, refused);
      const offering = offeredBy({ pass, artifact: current, effort, isMeasured, refused: skipped });
      const circumstance = await orStopped(offering, options.signal);
      if (circumstance === stopped) return { ended: 'interrupted', artifact: smallest, minimal: [] };
      if (!circumstance || !isDue(schedule, pass, effort, circumstance.count)) {
        schedule = answerPass(schedule, pass, effort, { kind: 'nothing offered' });
        continue;
      }
      const strategy = strategyFor(pass, circumstance, effort, before.size);
      const bytes = before.size === undefined ? {} : { bytes: before.size };
      yield { type: 'pass', pass: pass.name, round, deltas: circumstance.count, strategy: strategy.name, ...bytes };
      const asked = counter.counts.tests;
      lineage?.over(circumstance, current);
      let best = all(circumstance.count);
      const refusedSets: Configuration[] = [];
      const { memory } = options;
      const now = { passes, schedule, at, effort, current, circumstance, stats, visited, refused };
      const aheadOptions = { ...now, fingerprintOf, identify, measure, memory };
      const beyond = looksBeyond ? { ...flight, beyond: lookBeyond(aheadOptions) } : {};
      const end = yield* explore(strategy, circumstance, test, {
        ...options,
        ...beyond,
        counter,
        stats,
        accepted(artifact, configuration) {
          best = configuration;
          keepSmallest(artifact, configuration);
        },
        asked(step, configuration, outcome) {
          lineage?.asked(step, configuration);
          if (outcome !== 'fail' && (circumstance.edited || circumstance.identify))
            refusedSets.push(minus(best, configuration));
        },
      });
      const result = equals(end.best, all(circumstance.count)) ? current : circumstance.build(end.best);
      const identity = result === undefined ? before.identity : identify(result);
      // An artifact that is no larger and new is progress; accepting anything else could loop forever.
      const gain = result !== undefined && measure ? measure(current) - measure(result) : 1;
      // An empty file has no bytes, and still is one file less.
      const isProgress = gain > 0 || (gain === 0 && (!thorough || weighs(circumstance, end.best)));
      const accepted = result !== undefined && identity !== before.identity && isProgress && !visited.has(identity);
      if (accepted) {
        lineage?.made(result, end.best);
        current = result;
        visited.add(identity);
      }
      refused = refuse(refused, { circumstance, best: end.best, refusedSets });
      if (accepted) refused = refusedAfter(refused, circumstance, end.best);
      if (end.ended !== 'done') return { ended: end.ended, artifact: smallest, minimal: [] };
      schedule = answerPass(schedule, pass, effort, {
        kind: 'searched',
        questions: counter.counts.tests - asked,
        deltas: circumstance.count,
        before,
        after: accepted ? fingerprintOf(current) : before,
        accepted,
        proved: !accepted || strategy.proves || !thorough,
      });
    }
  } finally {
    if (flight.flight) abandon(flight.flight);
  }
  const minimal = [...new Set(passes.flatMap(pass => (pass.proves ? [pass.proves] : [])))];
  if (!options.confirm) return { ended: 'done', artifact: current, minimal };
  const { ended, artifact, how } = yield* confirm(history.upTo(current), test, {
    ...options,
    counter,
    times: options.confirm,
    round: schedule.round + 1,
  });
  const doubt = options.doubted ? undefined : doubtOf(how);
  if (doubt !== undefined) yield { type: 'noticed', what: 'note', text: doubt };
  return { ended, artifact, minimal: how === 'held' ? minimal : [] };
}

/** Whether what was left out counts for something, whatever its bytes. */
function weighs<Artifact>({ weights, count }: Circumstance<Artifact>, kept: Configuration): boolean {
  return weights !== undefined && [...deltasOf(minus(all(count), kept))].some(delta => weights[delta]! > 0);
}
