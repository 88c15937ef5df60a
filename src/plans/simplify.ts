/** Makes an artifact smaller by passes until none of them changes anything, then confirms the result. */
import {
  all,
  type Circumstance,
  type Configuration,
  equals,
  minus,
  of,
  type Strategy,
  type Test,
  union,
} from '../core/index.js';
import {
  Counter,
  type Ended,
  type Event,
  type ExploreOptions,
  explore,
  OutcomeStats,
  pauseIfDue,
} from '../engine/index.js';
import { sweep } from '../strategies/index.js';
import { type Confirming, confirm, doubtOf, History } from './confirm.js';
import type { Pass } from './pass.js';
import { answerPass, nextPass, patience, type Standing, startSchedule } from './schedule.js';

export interface SimplifyOptions<Artifact> extends ExploreOptions<Artifact>, Confirming {
  readonly identify: (artifact: Artifact) => string;
  /** The same for artifacts that differ in blank space only. */
  readonly identifyIgnoringWhitespace?: (artifact: Artifact) => string;
  /** Named in the first event. */
  readonly job?: string;
  /** Follows the search, to know later where the parts of a result come from. */
  readonly lineage?: Lineage<Artifact>;
}

export interface Lineage<Artifact> {
  /** A pass begins: what is asked, accepted and taken from now on are configurations of this circumstance. */
  over(circumstance: Circumstance<Artifact>, base: Artifact): void;
  asked(step: number, configuration: Configuration): void;
  made(artifact: Artifact, configuration: Configuration): void;
}

export interface Simplified<Artifact> {
  readonly ended: Ended;
  /** The smallest artifact that was seen to fail. */
  readonly artifact: Artifact;
  /** What was proven: no single one of these can go. */
  readonly minimal: readonly string[];
}

/** In a brief search a question is to remove one part in so many of the artifact. */
const worthwhile = 400;

/**
 * Simplifies an artifact by passes, until nothing changes. In quick rounds a pass that finds nothing gives way, and proofs
 * are left for later; in thorough ones every pass has its full run and proof. The result is called minimal only after a
 * thorough round that changed nothing. A pass that was fruitless on this very artifact is not run on it again. Another
 * artifact of the same size (one name for another) is worth having when others may build on it, and not worth a round of
 * its own or a new proof: it is taken in quick rounds, and looked at in the next stage.
 */
export async function* simplify<Artifact>(
  original: Artifact,
  passes: readonly Pass<Artifact>[],
  test: Test<Artifact>,
  options: SimplifyOptions<Artifact>,
): AsyncGenerator<Event, Simplified<Artifact>> {
  const { identify, identifyIgnoringWhitespace: gist = identify, measure, lineage } = options;
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
  const standingOf = (artifact: Artifact): Standing => ({
    identity: identify(artifact),
    // Only blind passes ask for it.
    get identityIgnoringWhitespace() {
      return gist(artifact);
    },
    ...(measure ? { size: measure(artifact) } : {}),
  });

  let schedule = startSchedule(standingOf(current));
  for (;;) {
    const before = standingOf(current);
    const following = nextPass(schedule, passes, before);
    schedule = following.schedule;
    if (following.step.kind === 'done') break;
    const { at, effort, round } = following.step;
    const pass = passes[at]!;
    const thorough = effort === 'thorough';
    await pauseIfDue();
    if (options.signal?.aborted) return { ended: 'interrupted', artifact: smallest, minimal: [] };
    const offered = await pass.over(current, effort === 'rough');
    // A proof is about what makes the artifact smaller: nothing else would be taken.
    const circumstance = thorough && offered && measure ? shrinking(offered) : offered;
    if (!circumstance || circumstance.count === 0) {
      schedule = answerPass(schedule, pass, effort, { kind: 'nothing offered' });
      continue;
    }
    const price = effort === 'brief' && measure ? measure(current) / worthwhile : undefined;
    const strategy =
      pass.strategy?.(circumstance, thorough) ?? defaultStrategy(circumstance, thorough, price, pass.early);
    const bytes = before.size === undefined ? {} : { bytes: before.size };
    yield { type: 'pass', pass: pass.name, round, deltas: circumstance.count, strategy: strategy.name, ...bytes };
    const asked = counter.counts.tests;
    lineage?.over(circumstance, current);
    const end = yield* explore(strategy, circumstance, test, {
      ...options,
      counter,
      stats,
      accepted: keepSmallest,
      ...(lineage ? { asked: (step, configuration) => lineage.asked(step, configuration) } : {}),
    });
    const result = equals(end.best, all(circumstance.count)) ? current : circumstance.build(end.best);
    const identity = result === undefined ? before.identity : identify(result);
    // What is no larger and was not there before is progress; anything else could go round in circles.
    const gain = result !== undefined && measure ? measure(current) - measure(result) : 1;
    const isProgress = gain > 0 || (gain === 0 && !thorough);
    const accepted = result !== undefined && identity !== before.identity && isProgress && !visited.has(identity);
    if (accepted) {
      lineage?.made(result, end.best);
      current = result;
      visited.add(identity);
    }
    if (end.ended !== 'done') return { ended: end.ended, artifact: smallest, minimal: [] };
    schedule = answerPass(schedule, pass, effort, {
      kind: 'searched',
      questions: counter.counts.tests - asked,
      before,
      after: accepted ? standingOf(current) : before,
      accepted,
      proved: !accepted || strategy.proves || !thorough,
    });
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

/** The circumstance without the deltas whose absence takes nothing away: one name for another of the same length. */
function shrinking<Artifact>(circumstance: Circumstance<Artifact>): Circumstance<Artifact> {
  const { weights, count } = circumstance;
  if (!weights) return circumstance;
  const kept: number[] = [];
  for (let delta = 0; delta < count; delta++) if ((weights[delta] ?? 1) > 0) kept.push(delta);
  if (kept.length === count) return circumstance;
  const others = minus(all(count), of(kept));
  const wholeOf = (configuration: Configuration) =>
    union(others, of(members(configuration).map(delta => kept[delta]!)));
  return {
    ...circumstance,
    count: kept.length,
    weights: kept.map(delta => weights[delta]!),
    build: configuration => circumstance.build(wholeOf(configuration)),
    ...(circumstance.trace ? { trace: configuration => circumstance.trace!(wholeOf(configuration)) } : {}),
    describe: delta => circumstance.describe?.(kept[delta]!) ?? `${circumstance.name} ${kept[delta]}`,
  };
}

function members(configuration: Configuration): number[] {
  const found: number[] = [];
  for (let i = 0; i < configuration.length; i += 2)
    for (let delta = configuration[i]!; delta < configuration[i + 1]!; delta++) found.push(delta);
  return found;
}

function defaultStrategy<Artifact>(
  { weights }: Circumstance<Artifact>,
  thorough: boolean,
  price?: number,
  halves = false,
): Strategy<unknown, Configuration> {
  const worth = price === undefined || !weights ? {} : { worth: (gone: Configuration) => sum(weights, gone) / price };
  const strategy = thorough ? sweep() : sweep({ prove: false, patience, halves, ...worth });
  return strategy as unknown as Strategy<unknown, Configuration>;
}

function sum(weights: ArrayLike<number>, configuration: Configuration): number {
  let total = 0;
  for (let i = 0; i < configuration.length; i += 2)
    for (let delta = configuration[i]!; delta < configuration[i + 1]!; delta++) total += weights[delta]!;
  return total;
}
