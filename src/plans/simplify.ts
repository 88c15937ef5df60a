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
import { confirm, doubtOf, History } from './confirm.js';
import type { Pass } from './pass.js';

export interface SimplifyOptions<Artifact> extends ExploreOptions<Artifact> {
  readonly identify: (artifact: Artifact) => string;
  /** The same for artifacts that differ in blank space only. */
  readonly gist?: (artifact: Artifact) => string;
  /** Named in the first event. */
  readonly job?: string;
  /** How often the result is tested again, without the cache, before anything is called proven (default: never). */
  readonly confirm?: number;
}

export interface Simplified<Artifact> {
  readonly ended: Ended;
  /** The smallest artifact that was seen to fail. */
  readonly artifact: Artifact;
  /** What was proven: no single one of these can go. */
  readonly minimal: readonly string[];
}

/** Questions without a success after which a pass gives way, as long as others may still find something. */
const patience = 48;

/** What a round asks for. Each stage begins when a round of the one before it made nothing, or not much, smaller. */
interface Stage {
  readonly way: Way;
  /** Whether passes for small artifacts look at large ones too. */
  readonly large?: boolean;
  /** Whether late passes take part. */
  readonly late?: boolean;
}

/**
 * How hard a pass looks: at what takes much away; at everything, for as long as each question brings much, or something; at
 * everything, with proof. The first two are for large artifacts. A small cause in a large artifact is found in a few questions
 * that each take most of it away; where everything is needed for the moment, the small parts are not worth a question yet.
 */
type Way = 'rough' | 'brief' | 'quick' | 'thorough';

const stages: readonly Stage[] = [
  { way: 'brief' },
  { way: 'rough' },
  { way: 'quick' },
  { way: 'quick', large: true },
  { way: 'quick', large: true, late: true },
  { way: 'thorough', large: true, late: true },
];
const firstLarge = stages.findIndex(stage => stage.large);
const firstQuick = stages.findIndex(stage => stage.way === 'quick');

/** A round that makes a large artifact smaller by this part of it was worth another one like it. */
const much = 8;
/** In a brief search a question is to take one part in so many of the artifact away. */
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
  const { identify, gist = identify, measure } = options;
  const counter = options.counter ?? new Counter();
  const fruitless = new Map<string, string>();
  const visited = new Set([identify(original)]);
  let current = original;
  let smallest = original;
  let round = 0;
  const stats = new OutcomeStats();
  const history = new History(original, measure);

  const keepSmallest = (artifact: Artifact) => {
    if (!measure || measure(artifact) <= measure(smallest)) {
      smallest = artifact;
      if (options.confirm) history.add(artifact);
      options.accepted?.(artifact);
    }
  };
  const mark = (pass: Pass<Artifact>, way: Way) => `${pass.name} ${way}`;
  const keyOf = (pass: Pass<Artifact>, way: Way, artifact: Artifact) => {
    if (pass.lastResort && measure) return `${measure(artifact)}`;
    return (pass.blind && way !== 'thorough' ? gist : identify)(artifact);
  };
  const bearsNothing = (pass: Pass<Artifact>, way: Way, artifact: Artifact) => {
    fruitless.set(mark(pass, way), keyOf(pass, way, artifact));
    if (way === 'thorough') fruitless.set(mark(pass, 'quick'), keyOf(pass, 'quick', artifact));
  };
  // What is fruitless in one way is so in the easier ones, too.
  const isFruitless = (pass: Pass<Artifact>, way: Way) =>
    (way === 'thorough' ? ([way] as const) : ([way, 'quick'] as const)).some(
      each => fruitless.get(mark(pass, each)) === keyOf(pass, each, current),
    );

  for (let number = 0; ; ) {
    const stage = stages[number]!;
    const thorough = stage.way === 'thorough';
    round++;
    const size = measure?.(current);
    // Of nothing, nothing can be gained: 0 of 0 bytes would otherwise be much, again and again.
    const isMuch = (before: number | undefined) =>
      measure !== undefined && before !== undefined && before > 0 && (before - measure(current)) * much >= before;
    let shrunk = false;
    let weary = false;
    for (let at = 0; at < passes.length; at++) {
      const pass = passes[at]!;
      const isAbove = (limit: number | undefined) =>
        limit !== undefined && measure !== undefined && measure(current) > limit;
      if ((pass.late && !stage.late) || (pass.early && number > 0)) continue;
      if (isAbove(pass.largest) && !stage.large) continue;
      const way = number < firstQuick && !isAbove(pass.rough) ? 'quick' : stage.way;
      const before = identify(current);
      if (isFruitless(pass, way)) continue;
      await pauseIfDue();
      if (options.signal?.aborted) return { ended: 'interrupted', artifact: smallest, minimal: [] };
      const offered = await pass.over(current, way === 'rough');
      // A proof is about what makes the artifact smaller: nothing else would be taken.
      const circumstance = thorough && offered && measure ? shrinking(offered) : offered;
      if (!circumstance || circumstance.count === 0) continue;
      const price = way === 'brief' && measure ? measure(current) / worthwhile : undefined;
      const strategy =
        pass.strategy?.(circumstance, thorough) ?? defaultStrategy(circumstance, thorough, price, pass.early);
      const bytes: { readonly bytes?: number } = measure ? { bytes: measure(current) } : {};
      yield { type: 'pass', pass: pass.name, round, deltas: circumstance.count, strategy: strategy.name, ...bytes };
      const asks = counter.counts.tests;
      const run = explore(strategy, circumstance, test, { ...options, counter, stats, accepted: keepSmallest });
      const end = yield* run;
      const result = equals(end.best, all(circumstance.count)) ? current : circumstance.build(end.best);
      const after = result === undefined ? before : identify(result);
      // What is no larger and was not there before is progress; anything else could go round in circles.
      const gain = result !== undefined && measure !== undefined ? measure(current) - measure(result) : 1;
      const isProgress = gain > 0 || (gain === 0 && !thorough);
      if (result !== undefined && after !== before && isProgress && !visited.has(after)) {
        if (gain > 0) shrunk = true;
        current = result;
        visited.add(after);
        if (pass.stable && end.ended === 'done' && (strategy.proves || !thorough)) bearsNothing(pass, way, current);
      } else if (end.ended === 'done') bearsNothing(pass, way, current);
      if (end.ended !== 'done') return { ended: end.ended, artifact: smallest, minimal: [] };
      // What makes room and took half away looks at the other half, of which smaller parts are large ones.
      if (pass.early && measure && bytes.bytes && measure(current) * 2 <= bytes.bytes) at--;
      // Where everything is needed for the moment, it is so for the other passes, too.
      weary = way === 'brief' && counter.counts.tests - asks >= patience && !isMuch(bytes.bytes);
      if (weary) break;
    }
    if (stage.large && shrunk) number = firstLarge;
    else if (thorough) break;
    else if (weary || (!isMuch(size) && (number < firstQuick || !shrunk))) number++;
  }
  const minimal = [...new Set(passes.flatMap(pass => (pass.proves ? [pass.proves] : [])))];
  if (!options.confirm) return { ended: 'done', artifact: current, minimal };
  const { ended, artifact, how } = yield* confirm(history.upTo(current), test, {
    ...options,
    counter,
    times: options.confirm,
    round: round + 1,
  });
  const doubt = doubtOf(how);
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
  return {
    ...circumstance,
    count: kept.length,
    weights: kept.map(delta => weights[delta]!),
    build: configuration => circumstance.build(union(others, of(members(configuration).map(delta => kept[delta]!)))),
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
