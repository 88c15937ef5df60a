/** Looks beyond the end of a pass: which artifacts the next passes would test first, if this one ended with a given result. */
import { all, type Circumstance, type Configuration, equals, key, stepsAhead } from '../core/index.js';
import type { Memory, OutcomeStats } from '../engine/index.js';
import type { Pass } from './pass.js';
import { answerPass, type Effort, type Fingerprint, isDue, nextPass, type Schedule } from './schedule.js';
import { offeredBy, strategyFor } from './searching-pass.js';

/** How many passes ahead, and how many questions of each. A wrong guess costs a test, and never changes an answer. */
const farthest = 8;
const perPass = 64;
/** Results whose continuations are kept. */
const mostHeld = 8;

export interface BeyondOptions<Artifact> {
  readonly passes: readonly Pass<Artifact>[];
  readonly schedule: Schedule;
  /** The current pass. */
  readonly at: number;
  readonly effort: Effort;
  readonly current: Artifact;
  readonly circumstance: Circumstance<Artifact>;
  readonly fingerprintOf: (artifact: Artifact) => Fingerprint;
  readonly stats: OutcomeStats;
  readonly visited: ReadonlySet<string>;
  readonly identify: (artifact: Artifact) => string;
  readonly measure?: ((artifact: Artifact) => number) | undefined;
  readonly memory?: Memory | undefined;
}

/** Parsing an artifact takes longer than some tests, so what was found is kept until the result changes. */
export function lookBeyond<Artifact>(
  options: BeyondOptions<Artifact>,
): (best: Configuration) => AsyncIterable<Artifact> {
  const held = new Map<string, { readonly found: Artifact[]; readonly rest: AsyncGenerator<Artifact> }>();
  return async function* (best) {
    const name = key(best);
    const { found, rest } = held.get(name) ?? { found: [], rest: artifactsAfter(options, best) };
    // The newest is the last.
    held.delete(name);
    held.set(name, { found, rest });
    for (const old of held.keys()) if (held.size > mostHeld) held.delete(old);
    for (let i = 0; ; i++) {
      if (i === found.length) {
        const next = await rest.next();
        if (next.done) return;
        found.push(next.value);
      }
      yield found[i]!;
    }
  };
}

async function* artifactsAfter<Artifact>(
  options: BeyondOptions<Artifact>,
  best: Configuration,
): AsyncGenerator<Artifact> {
  const { passes, effort, current, circumstance, fingerprintOf, stats, visited } = options;
  const { identify, measure, memory } = options;
  const isUnchanged = equals(best, all(circumstance.count));
  const built = isUnchanged ? current : circumstance.build(best);
  const before = fingerprintOf(current);
  const after = built === undefined ? before : fingerprintOf(built);
  const isSmaller = before.size === undefined || after.size === undefined || after.size < before.size;
  const accepted = after.identity !== before.identity && isSmaller && !visited.has(after.identity);
  const artifact = accepted && built !== undefined ? built : current;
  const now = accepted ? after : before;
  let schedule = answerPass(options.schedule, passes[options.at]!, effort, {
    kind: 'searched',
    questions: 0,
    deltas: circumstance.count,
    before,
    after: now,
    accepted,
    proved: true,
  });
  for (let far = 0; far < farthest; ) {
    const following = nextPass(schedule, passes, now);
    schedule = following.schedule;
    if (following.step.kind === 'done') return;
    const { at, effort: its } = following.step;
    const pass = passes[at]!;
    const offered = await offeredBy(pass, artifact, its, measure !== undefined);
    if (!offered || !isDue(schedule, pass, its, offered.count)) {
      schedule = answerPass(schedule, pass, its, { kind: 'nothing offered' });
      continue;
    }
    far++;
    const strategy = strategyFor(pass, offered, its, now.size);
    const known = (configuration: Configuration) => {
      const candidate = offered.build(configuration);
      return candidate === undefined ? 'unresolved' : memory?.recall(identify(candidate))?.outcome;
    };
    let asked = 0;
    for (const ahead of stepsAhead(strategy, strategy.start(all(offered.count)), known, {
      forecast: stats.forecast,
      least: 0.05,
    })) {
      if (!ahead) continue;
      const candidate = offered.build(ahead.configuration);
      if (candidate !== undefined) yield candidate;
      if (++asked >= perPass) break;
    }
    const result = { questions: asked, deltas: offered.count, before: now, after: now, accepted: false, proved: true };
    schedule = answerPass(schedule, pass, its, { kind: 'searched', ...result });
  }
}
