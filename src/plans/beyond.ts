/** Looks beyond the end of a pass: which artifacts the next passes would test first, if this one ended with a given result. */
import {
  all,
  type Circumstance,
  type Configuration,
  endsAhead,
  equals,
  key,
  type Outcome,
  type Strategy,
  stepsAhead,
} from '../core/index.js';
import type { AheadArtifact, Memory, OutcomeStats } from '../engine/index.js';
import type { Pass } from './pass.js';
import { type Refused, refusedAfter } from './refused.js';
import { answerPass, type Effort, type Fingerprint, isDue, nextPass, type Schedule } from './schedule.js';
import { offeredBy, skippedBy, strategyFor } from './searching-pass.js';

/** How many passes ahead, and how many questions of each. A wrong guess costs a test, and never changes an answer. */
const farthest = 8;
const perPass = 64;
/** A question, or the end of a pass without a success, that is less likely than this is not followed. */
const least = 0.01;
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
  readonly refused: Refused;
}

/** Parsing an artifact takes longer than some tests, so what was found is kept until the result changes. */
export function lookBeyond<Artifact>(
  options: BeyondOptions<Artifact>,
): (best: Configuration) => AsyncIterable<AheadArtifact<Artifact>> {
  type Ahead = AheadArtifact<Artifact>;
  const held = new Map<string, { readonly found: Ahead[]; readonly rest: AsyncGenerator<Ahead> }>();
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

/** The likeliest first, as if no pass found anything: the more passes lie between, the less likely that is. */
async function* artifactsAfter<Artifact>(
  options: BeyondOptions<Artifact>,
  best: Configuration,
): AsyncGenerator<AheadArtifact<Artifact>> {
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
  const refused = accepted ? refusedAfter(options.refused, circumstance, best) : options.refused;
  let schedule = answerPass(options.schedule, passes[options.at]!, effort, {
    kind: 'searched',
    questions: 0,
    deltas: circumstance.count,
    before,
    after: now,
    accepted,
    proved: true,
  });
  let reached = 1;
  const unlikely: AheadArtifact<Artifact>[] = [];
  for (let far = 0; far < farthest && reached >= least; ) {
    const following = nextPass(schedule, passes, now);
    schedule = following.schedule;
    if (following.step.kind === 'done') break;
    const { at, effort: its, round } = following.step;
    const pass = passes[at]!;
    if (pass.needsRun?.(artifact)) break;
    const isMeasured = measure !== undefined;
    const offered = await offeredBy({
      pass,
      artifact,
      effort: its,
      isMeasured,
      refused: skippedBy(pass, round, refused),
    });
    if (!offered || !isDue(schedule, pass, its, offered.count)) {
      schedule = answerPass(schedule, pass, its, { kind: 'nothing offered' });
      continue;
    }
    const strategy = strategyFor(pass, offered, its, now.size);
    const recall = (candidate: Artifact) => memory?.recall(identify(candidate))?.outcome;
    const { questions, quiet } = questionsOf(strategy, offered, recall, stats.forecast);
    for (const { artifact: candidate, probability } of questions) {
      const one = { artifact: candidate, probability: reached * probability };
      // What follows the pass is likelier than this.
      if (probability < quiet) unlikely.push(one);
      else yield one;
    }
    reached *= quiet;
    // A pass whose questions are all answered already costs no test.
    if (questions.length > 0) far++;
    const result = { deltas: offered.count, before: now, after: now, accepted: false, proved: true };
    schedule = answerPass(schedule, pass, its, { kind: 'searched', questions: questions.length, ...result });
  }
  yield* unlikely.sort((a, b) => b.probability - a.probability);
}

/** What a pass will probably ask, the likeliest first, and how likely it is to end without a success. */
function questionsOf<State, Artifact>(
  strategy: Strategy<State>,
  { count, build }: Circumstance<Artifact>,
  recall: (candidate: Artifact) => Outcome | undefined,
  forecast: OutcomeStats['forecast'],
): { readonly questions: readonly AheadArtifact<Artifact>[]; readonly quiet: number } {
  const built = new Map<string, { readonly candidate: Artifact | undefined; readonly outcome: Outcome | undefined }>();
  const look = (configuration: Configuration) => {
    const name = key(configuration);
    const seen = built.get(name);
    if (seen) return seen;
    const candidate = build(configuration);
    const fresh = { candidate, outcome: candidate === undefined ? ('unresolved' as const) : recall(candidate) };
    built.set(name, fresh);
    return fresh;
  };
  const known = (configuration: Configuration) => look(configuration).outcome;
  const start = strategy.start(all(count));
  const questions: AheadArtifact<Artifact>[] = [];
  for (const ahead of stepsAhead(strategy, start, known, { forecast, least })) {
    const candidate = ahead && look(ahead.configuration).candidate;
    if (candidate !== undefined) questions.push({ artifact: candidate, probability: ahead!.probability });
    if (questions.length >= perPass) break;
  }
  for (const { state, probability } of endsAhead(strategy, start, known, { forecast, least }))
    if (equals(strategy.best(state), all(count))) return { questions, quiet: probability };
  return { questions, quiet: 0 };
}
