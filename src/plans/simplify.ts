import { all, type Circumstance, type Configuration, equals, type Strategy, type Test } from '../core/index.js';
import { Counter, type Ended, type Event, type ExploreOptions, explore } from '../engine/index.js';
import { sweep } from '../strategies/index.js';
import type { Pass } from './pass.js';

export interface SimplifyOptions<Artifact> extends ExploreOptions<Artifact> {
  readonly identify: (artifact: Artifact) => string;
  /** Named in the first event. */
  readonly job?: string;
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

/**
 * Simplifies an artifact by passes, until nothing changes. Quick rounds come first: there a pass that finds nothing gives
 * way, proofs are left for later, and passes for small artifacts wait until it is small or nothing else helps. When a
 * quick round with all passes changes nothing, thorough rounds follow in which every pass has its
 * full run and proof; the result is called minimal only after one that changed nothing. A pass that was fruitless on
 * this very artifact is not run on it again. Another artifact of the same size (one name for another) is worth having when
 * others may build on it, and not worth a new proof: it is taken in quick rounds only, and once, until something shrinks.
 */
export async function* simplify<Artifact>(
  original: Artifact,
  passes: readonly Pass<Artifact>[],
  test: Test<Artifact>,
  options: SimplifyOptions<Artifact>,
): AsyncGenerator<Event, Simplified<Artifact>> {
  const { identify, measure } = options;
  const counter = options.counter ?? new Counter();
  const fruitless = new Map<string, string>();
  const visited = new Set([identify(original)]);
  const resting = new Set<Pass<Artifact>>();
  let current = original;
  let smallest = original;
  let round = 0;

  const keepSmallest = (artifact: Artifact) => {
    if (!measure || measure(artifact) <= measure(smallest)) {
      smallest = artifact;
      options.accepted?.(artifact);
    }
  };
  const mark = (pass: Pass<Artifact>, thorough: boolean) => `${pass.name} ${thorough}`;

  for (let stage = 0; ; ) {
    const thorough = stage === 3;
    round++;
    let changed = false;
    let shrunk = false;
    const restless: Pass<Artifact>[] = [];
    for (const pass of passes) {
      if (resting.has(pass)) continue;
      if (pass.late && stage < 2) continue;
      if (stage === 0 && measure && measure(current) > (pass.largest ?? Number.POSITIVE_INFINITY)) continue;
      const before = identify(current);
      const asked = pass.lastResort && measure ? `${measure(current)}` : before;
      if (fruitless.get(mark(pass, thorough)) === asked || fruitless.get(mark(pass, true)) === asked) continue;
      const circumstance = await pass.over(current);
      if (!circumstance || circumstance.count === 0) continue;
      const strategy = pass.strategy?.(circumstance, thorough) ?? defaultStrategy(circumstance, thorough);
      const bytes = measure ? { bytes: measure(current) } : {};
      yield { type: 'pass', pass: pass.name, round, deltas: circumstance.count, strategy: strategy.name, ...bytes };
      const run = explore(strategy, circumstance, test, { ...options, counter, accepted: keepSmallest });
      const end = yield* run;
      const result = equals(end.best, all(circumstance.count)) ? current : circumstance.build(end.best);
      const after = result === undefined ? before : identify(result);
      // What is no larger and was not there before is progress; anything else could go round in circles.
      const gain = result !== undefined && measure !== undefined ? measure(current) - measure(result) : 1;
      const isProgress = gain > 0 || (gain === 0 && !thorough);
      if (result !== undefined && after !== before && isProgress && !visited.has(after)) {
        if (gain === 0) restless.push(pass);
        else shrunk = true;
        current = result;
        visited.add(after);
        changed = true;
        if (pass.stable && end.ended === 'done' && (strategy.proves || !thorough))
          fruitless.set(mark(pass, thorough), after);
      } else if (end.ended === 'done') fruitless.set(mark(pass, thorough), asked);
      if (end.ended !== 'done') return { ended: end.ended, artifact: smallest, minimal: [] };
    }
    if (shrunk) resting.clear();
    else for (const pass of restless) resting.add(pass);
    if (changed) {
      stage = Math.min(stage, 1);
      continue;
    }
    if (thorough) break;
    stage++;
    resting.clear();
  }
  const minimal = [...new Set(passes.flatMap(pass => (pass.proves ? [pass.proves] : [])))];
  return { ended: 'done', artifact: current, minimal };
}

function defaultStrategy<Artifact>(_: Circumstance<Artifact>, thorough: boolean): Strategy<unknown, Configuration> {
  const strategy = thorough ? sweep() : sweep({ prove: false, patience });
  return strategy as unknown as Strategy<unknown, Configuration>;
}
