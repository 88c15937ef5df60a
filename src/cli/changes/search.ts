import type { Artifact } from '../../circumstances/artifact.js';
import { identify } from '../../circumstances/files.js';
import { all, type Outcome, type Test } from '../../core/index.js';
import type { Counter, Ended } from '../../engine/index.js';
import type { FirstRun } from '../../oracle/first-run.js';
import type { Hierarchy } from '../../plans/blame/hierarchy.js';
import { type PlainStrategy, plain } from '../../plans/blame/plain.js';
import { verified } from '../../plans/blame/verify.js';
import { type Blamed, type BlameOptions, blame } from '../../plans/blame.js';
import type { AllOptions } from '../causes.js';
import type { JobContext, JobResult } from '../job.js';
import { otherFailures } from '../other-failures.js';
import { allChanges } from './all.js';
import { patchFrom } from './culprits.js';
import { bothFail, checkNew, checkOld, type Trial } from './ends.js';
import { type CoverageKind, type Executed, executed } from './executed.js';
import { asTheyAre, type Historied, inHistory } from './history.js';
import type { Finest, Pair } from './pair.js';
import { counting, type PassTaken } from './passes.js';
import { told } from './told.js';

export interface Wanted {
  readonly finest: Finest;
  /** All causes, and not the first one that explains the failure. */
  readonly all?: AllOptions;
  readonly coverage: CoverageKind;
  /** One algorithm by itself, over the changes as a plain list. */
  readonly strategy?: PlainStrategy;
  readonly repeat: number;
  readonly isBuilt: boolean;
  /** The folder for the patches. */
  readonly output: string;
  readonly settings: BlameOptions;
  readonly counter: Counter;
}

/** What came of it, for people and programs. */
export interface Outcomes {
  readonly ended: Ended;
  readonly given: Pair;
  readonly history: Historied;
  readonly hierarchy: Hierarchy;
  readonly executed: Executed;
  readonly blamed: Blamed;
  /** What comes of old with a cause applied, and of new with the causes taken back. */
  readonly alone: Outcome;
  readonly without: Outcome;
  readonly first: FirstRun;
  readonly passes: readonly PassTaken[];
}

/** Both ends, the history between them, what the test runs, and then the changes that are to blame. */
export async function search(pair: Pair, trial: Trial, wanted: Wanted, outer: JobContext): Promise<JobResult> {
  const { finest, strategy, settings } = wanted;
  const passes: PassTaken[] = [];
  const context: JobContext = { ...outer, follow: run => outer.follow(counting(run, passes)) };
  const first = await checkNew(pair, trial, context);
  const test = testing(pair, trial, first, wanted, context, false);
  const old = await checkOld(pair, trial, test, first, context);
  const whole = await pair.hierarchy(hunksAtLeast(finest));
  context.see({
    type: 'began',
    job: 'changes',
    before: { deltas: whole.changes.count },
    rule: first.described,
    command: trial.command.join(' '),
    ...(first.signature ? { signature: first.signature.text } : {}),
  });
  warnOfUncommitted(pair, context);
  if (wanted.all) {
    // The commit that broke it first is one cause; the others may have come before or after it.
    if (old === 'fail') throw bothFail(pair);
    const by = wanted.isBuilt ? testing(pair, trial, first, wanted, context, true) : test;
    return allChanges({ pair, hierarchy: whole, test: by, first, options: wanted.all }, wanted, context);
  }
  const isPlain = strategy !== undefined && old === 'pass' && finest !== 'commit';
  const history = isPlain ? asTheyAre(pair) : await inHistory(pair, old, test, settings, context);
  const hierarchy = history.pair === pair ? whole : await history.pair.hierarchy(hunksAtLeast(finest));
  const found = { given: pair, history, hierarchy, first, passes };
  if (history.ended !== 'done' || finest === 'commit') {
    const ran = { dubious: all(hierarchy.changes.count), said: '' };
    const blamed = asAWhole(hierarchy, history.ended);
    return told(
      { ...found, executed: ran, blamed, ended: history.ended, alone: 'fail', without: 'pass' },
      wanted,
      context,
    );
  }
  const list = isPlain ? hierarchy.list() : hierarchy.changes;
  const ran = await executed(wanted.coverage, history.pair, list, trial.oracle, first.timeout, context);
  context.see({ type: 'noticed', what: 'note', text: ran.said });
  const kept = { ...settings, accepted: keeping(history.pair, context) };
  if (isPlain) {
    const { blamed, ...proof } = await context.follow(plain(strategy, list, ran.dubious, test, kept));
    return told({ ...found, ...proof, executed: ran, blamed, ended: blamed.ended }, wanted, context);
  }
  const run = (by: Test<Artifact>, options: BlameOptions) => context.follow(blame(hierarchy.levels, ran, by, options));
  let blamed = await run(test, kept);
  if (wanted.isBuilt && blamed.ended === 'done') {
    // What was built upon what another candidate left may be wrong: the proof is built from nothing.
    const anew = testing(pair, trial, first, wanted, context, true);
    const options = { ...kept, identify: (artifact: Artifact) => `anew ${identify(artifact)}` };
    if (!(await context.follow(verified(blamed, anew, options)))) {
      context.see({ type: 'noticed', what: 'note', text: notRebuilt });
      blamed = await run(anew, options);
    }
  }
  return told(
    { ...found, executed: ran, blamed, ended: blamed.ended, alone: 'fail', without: 'pass' },
    wanted,
    context,
  );
}

const notRebuilt =
  'Built from nothing, the result comes out otherwise: the build does not notice every change. All candidates are now built from nothing.';

/** The test of a candidate; what fails in another way is kept as a patch. */
function testing(
  pair: Pair,
  { oracle }: Trial,
  { rule, timeout }: FirstRun,
  { repeat }: Wanted,
  { folder, see }: JobContext,
  anew: boolean,
): Test<Artifact> {
  const kept = (artifact: Artifact): Artifact => ({
    files: new Map([['changes.patch', { kind: 'file', bytes: patchFrom(pair, 'old', artifact) }]]),
  });
  return otherFailures(oracle.test(rule, timeout, repeat, anew), folder, see, kept);
}

const hunksAtLeast = (finest: Finest) => (finest === 'commit' ? 'hunk' : finest);

/** Nothing narrower is known than that all of it is to blame. */
function asAWhole(hierarchy: Hierarchy, ended: Ended): Blamed {
  const [level] = hierarchy.levels;
  const failing = all(level.circumstance.count);
  const causes = ended === 'done' ? [{ changes: failing, suspects: failing }] : [];
  return { ended, level, causes, back: failing, failing, minimal: ['commit'], widened: false };
}

/** The smallest failing set of changes so far is on disk at every moment, as a patch for old. */
function keeping(pair: Pair, { folder }: JobContext): (artifact: Artifact) => void {
  let smallest = Number.POSITIVE_INFINITY;
  return artifact => {
    const bytes = patchFrom(pair, 'old', artifact);
    if (bytes.length >= smallest || folder.journal.replaying) return;
    smallest = bytes.length;
    folder.keepBest({ files: new Map([['culprit.patch', { kind: 'file', bytes }]]) });
  };
}

function warnOfUncommitted({ git }: Pair, { see }: JobContext): void {
  const paths = git?.repository.uncommitted() ?? [];
  if (paths.length === 0) return;
  const names = paths.length <= 3 ? paths.join(', ') : `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more`;
  const text = `What is not committed is no part of either version: ${names}. Commit it, or compare folders.`;
  see({ type: 'noticed', what: 'note', text });
}
