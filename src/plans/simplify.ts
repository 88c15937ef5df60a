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

/** What a round asks for. Each stage begins when a round of the one before it made nothing smaller. */
interface Stage {
  /** How hard it looks: only at what takes much away, at everything but not for long, at everything. */
  readonly way: Way;
  /** Whether passes for small artifacts look at large ones too. */
  readonly large?: boolean;
  /** Whether late passes take part. */
  readonly late?: boolean;
}

const ways = ['rough', 'quick', 'thorough'] as const;
type Way = (typeof ways)[number];

const stages: readonly Stage[] = [
  { way: 'rough' },
  { way: 'quick' },
  { way: 'quick', large: true },
  { way: 'quick', large: true, late: true },
  { way: 'thorough', large: true, late: true },
];
const firstLarge = stages.findIndex(stage => stage.large);

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
  const { identify, measure } = options;
  const counter = options.counter ?? new Counter();
  const fruitless = new Map<string, string>();
  const visited = new Set([identify(original)]);
  let current = original;
  let smallest = original;
  let round = 0;

  const keepSmallest = (artifact: Artifact) => {
    if (!measure || measure(artifact) <= measure(smallest)) {
      smallest = artifact;
      options.accepted?.(artifact);
    }
  };
  const mark = (pass: Pass<Artifact>, way: Way) => `${pass.name} ${way}`;
  // What is fruitless in one way is so in the easier ones, too.
  const isFruitless = (pass: Pass<Artifact>, way: Way, asked: string) =>
    ways.slice(ways.indexOf(way)).some(each => fruitless.get(mark(pass, each)) === asked);

  for (let number = 0; ; ) {
    const stage = stages[number]!;
    const thorough = stage.way === 'thorough';
    round++;
    let shrunk = false;
    for (const pass of passes) {
      const isAbove = (limit: number | undefined) =>
        limit !== undefined && measure !== undefined && measure(current) > limit;
      if ((pass.late && !stage.late) || (isAbove(pass.largest) && !stage.large)) continue;
      const isRough = stage.way === 'rough' && isAbove(pass.rough);
      const way = stage.way === 'rough' && !isRough ? 'quick' : stage.way;
      const before = identify(current);
      const asked = pass.lastResort && measure ? `${measure(current)}` : before;
      if (isFruitless(pass, way, asked)) continue;
      const circumstance = await pass.over(current, isRough);
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
        if (gain > 0) shrunk = true;
        current = result;
        visited.add(after);
        if (pass.stable && end.ended === 'done' && (strategy.proves || !thorough))
          fruitless.set(mark(pass, way), after);
      } else if (end.ended === 'done') fruitless.set(mark(pass, way), asked);
      if (end.ended !== 'done') return { ended: end.ended, artifact: smallest, minimal: [] };
    }
    if (shrunk) number = stage.large ? firstLarge : 0;
    else if (thorough) break;
    else number++;
  }
  const minimal = [...new Set(passes.flatMap(pass => (pass.proves ? [pass.proves] : [])))];
  return { ended: 'done', artifact: current, minimal };
}

function defaultStrategy<Artifact>(_: Circumstance<Artifact>, thorough: boolean): Strategy<unknown, Configuration> {
  const strategy = thorough ? sweep() : sweep({ prove: false, patience });
  return strategy as unknown as Strategy<unknown, Configuration>;
}
