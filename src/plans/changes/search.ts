/** The search of `changes`: the history between two versions, what the test runs, then the changes themselves. */

import type { Changes } from '../../circumstances/changes/changes.js';
import type { Artifact } from '../../core/artifact.js';
import { all, minus, type Outcome, type Test } from '../../core/index.js';
import { addAll } from '../../core/lists.js';
import type { Ended, Event } from '../../engine/index.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import { identify } from '../../sources/files.js';
import type { Context } from '../job.js';
import { patchFrom } from './answer/culprits.js';
import { unlessInVain, watchTest } from './answer/in-vain.js';
import { disagreements, flaky, type Known, mayAskAgain } from './answer/retest.js';
import { verify } from './answer/verify.js';
import type { Trial } from './ends.js';
import { type CoverageKind, type Executed, executed, type Observations } from './executed.js';
import { type HistoryResult, searchHistory, withoutHistory } from './history.js';
import { type Into, searchInto, upgradeIn } from './into.js';
import { type Blamed, type BlameOptions, blame } from './levels/blame.js';
import type { Hierarchy } from './levels/hierarchy.js';
import { unlessNamesAreMissing } from './mixtures.js';
import type { Finest, Pair } from './pair.js';
import { counting, type PassTaken } from './passes.js';
import { type PlainStrategy, plain } from './plain.js';
import type { NewWithEdits } from './rewritten/code-edits.js';
import type { LineInOld } from './rewritten/function-search.js';
import { fromLikeliestParts } from './rewritten/likeliest-parts.js';
import { type Answered, lookAgain, type SecondLook, type SmallerRevert } from './rewritten/second-look.js';
import { startFrom } from './rewritten/start.js';
import { wordsOfTest } from './test-words.js';

export interface Wanted {
  readonly finest: Finest;
  readonly coverage: CoverageKind;
  /** One algorithm by itself, over the changes as a plain list. */
  readonly strategy?: PlainStrategy;
  readonly isBuilt: boolean;
  /** Goes on inside the package whose upgrade is to blame; the folder in which fetched packages are kept. */
  readonly into?: string;
  readonly settings: BlameOptions;
  /** The same test with every candidate built from scratch. */
  readonly fromScratch: Test<Artifact>;
  /** To be called with each smaller set of changes that fails. */
  keep(artifact: Artifact): void;
}

/** The outcome, for people and programs. */
export interface Outcomes {
  readonly ended: Ended;
  readonly given: Pair;
  readonly history: HistoryResult;
  readonly hierarchy: Hierarchy;
  readonly executed: Executed;
  readonly blamed: Blamed;
  /** Which outcomes changed when they were tested again, in words; empty if the test is stable. */
  readonly unsteady: readonly string[];
  /** The outcomes of old with a cause applied, and of new with the causes reverted. */
  readonly alone: Outcome;
  readonly without: Outcome;
  readonly first: FirstRun;
  readonly passes: readonly PassTaken[];
  /** A smaller revert than that of `blamed`: some functions of new as in old, or lines of them. */
  readonly smaller?: SmallerRevert;
  /** If new with some old functions was searched: where its lines are in old. */
  readonly lineInOld?: LineInOld;
  /** What was found inside the package whose upgrade is to blame. */
  readonly into?: Into;
  /** The failure shows only sometimes. */
  readonly isFlaky?: boolean;
}

export interface SearchedVersions {
  readonly pair: Pair;
  readonly trial: Trial;
  readonly first: FirstRun;
  /** The outcome of the old version. */
  readonly old: Outcome;
  readonly whole: Hierarchy;
}

/** The history between the ends, what the test runs, and then the changes that are to blame. */
export async function* searchChanges(
  versions: SearchedVersions,
  test: Test<Artifact>,
  wanted: Wanted,
  context: Context,
): AsyncGenerator<Event, Outcomes> {
  const passes: PassTaken[] = [];
  const found = yield* counting(withHistory(versions, test, wanted, context), passes);
  return { ...found, passes, ...(wanted.settings.flaky ? { isFlaky: true } : {}) };
}

async function* withHistory(
  versions: SearchedVersions,
  test: Test<Artifact>,
  wanted: Wanted,
  context: Context,
): AsyncGenerator<Event, Omit<Outcomes, 'passes'>> {
  const { pair, first, old, whole } = versions;
  const { finest, strategy, settings } = wanted;
  const uncommitted = uncommittedIn(pair);
  if (uncommitted) yield note(uncommitted);
  const submodules = submodulesIn(pair);
  if (submodules) yield note(submodules);
  const ends: readonly Known[] = [
    { what: `the old version (${pair.titles[0]})`, artifact: pair.old, outcome: old },
    { what: `the new version (${pair.titles[1]})`, artifact: pair.new, outcome: 'fail' },
  ];
  const surely = wanted.isBuilt ? wanted.fromScratch : test;
  const isAsked = mayAskAgain('both ends', ends.length, settings, context);
  const unsteady = isAsked ? await disagreements(ends, 'both ends again', surely, context) : [];
  if (unsteady.length > 0) yield note(flaky(unsteady));
  const isPlain = strategy !== undefined && old === 'pass' && finest !== 'commit';
  const history = isPlain ? withoutHistory(pair) : yield* searchHistory({ pair, old }, test, settings, context);
  const given = history.pair === pair ? whole : await history.pair.hierarchy(hunksAtLeast(finest), context.signal);
  const known = { given: pair, history, first, unsteady };
  if (history.ended !== 'done' || finest === 'commit') {
    const ran = { suspects: all(given.changes.count), said: '' };
    const blamed = asAWhole(given, history);
    return {
      ...known,
      hierarchy: given,
      executed: ran,
      blamed,
      ended: history.ended,
      alone: 'fail',
      without: 'pass',
    };
  }
  const begun = { versions, given, known, unasked: isAsked ? [] : ends, isPlain };
  if (isPlain) return yield* searching(begun, test, wanted, context);
  // From here on, candidates are mixtures of the two versions.
  const unmixed = (each: Test<Artifact>) => unlessNamesAreMissing(each, history.pair.new);
  return yield* searching(begun, unmixed(test), { ...wanted, fromScratch: unmixed(wanted.fromScratch) }, context);
}

/** What is known before the changes are searched. */
interface Begun {
  readonly versions: SearchedVersions;
  /** The changes between the two versions, or those of the commit that is to blame. */
  readonly given: Hierarchy;
  readonly known: Pick<Outcomes, 'given' | 'history' | 'first' | 'unsteady'>;
  /** The ends, if there was no room to ask about them again. */
  readonly unasked: readonly Known[];
  readonly isPlain: boolean;
}

/** The changes between two versions, or of a commit. */
async function* searching(
  { versions: { trial }, given, known, unasked, isPlain }: Begun,
  test: Test<Artifact>,
  wanted: Wanted,
  context: Context,
): AsyncGenerator<Event, Omit<Outcomes, 'passes'>> {
  const { finest, strategy, settings } = wanted;
  const { history, first } = known;
  const unsteady = [...known.unsteady];
  const observations: Observations = new Map();
  const inTest = wordsOfTest(trial.command, history.pair);
  const observed = (compared: Pair, changes: Hierarchy['changes']) =>
    executed(
      { kind: wanted.coverage, pair: compared, changes, oracle: trial.oracle, first, inTest, observations },
      context,
    );
  const list = isPlain ? given.list() : given.changes;
  const seen = await observed(history.pair, list);
  const judging = (compared: Pair) => (changes: Changes) => observed(compared, changes);
  const lookAt = async (compared: Pair) => {
    const between = await compared.hierarchy(hunksAtLeast(finest), context.signal);
    const suspicion = await observed(compared, between.changes);
    return { pair: compared, hierarchy: between, changes: between.changes, suspicion, judge: judging(compared) };
  };
  const { pair: between } = history;
  // What is put together of both versions may pass because it ends early. A whole build for each check would take too long.
  const mayWatch =
    !isPlain && !wanted.isBuilt && ['auto', 'v8'].includes(wanted.coverage) && settings.flaky === undefined;
  const checked = mayWatch ? unlessInVain(test, between, watchTest(trial, between, first)) : test;
  const entire = { pair: between, hierarchy: given, changes: list, suspicion: seen, judge: judging(between) };
  const mayTakeFunctions = !wanted.isBuilt && finest !== 'file';
  const start = isPlain
    ? undefined
    : yield* startFrom({ ...entire, lookAt, mayTakeFunctions }, checked, settings, context);
  const left = start ? await lookAt(start.pair) : entire;
  const mayTakeParts = !isPlain && (!start || start.isWhole) && finest !== 'file';
  const parts = mayTakeParts ? yield* partsFirst(left, checked, wanted) : undefined;
  const { pair: searched, hierarchy, suspicion: ran } = parts ? await lookAt(parts.pair) : left;
  const lineInOld = start?.lineInOld ?? parts?.lineInOld;
  const found = { ...known, unsteady, hierarchy, ...(lineInOld ? { lineInOld } : {}) };
  yield note(ran.said);
  const kept = { ...settings, accepted: keeping(history.pair, wanted.keep) };
  if (isPlain && strategy !== undefined) {
    const { blamed, ...proof } = yield* plain({ strategy, changes: list, suspects: ran.suspects }, test, kept);
    return { ...found, ...proof, executed: ran, blamed, ended: blamed.ended };
  }
  let blamed = yield* blame(hierarchy.levels, ran, start || parts ? checked : test, kept);
  if (wanted.isBuilt && blamed.ended === 'done') {
    // A build on top of another candidate's leftovers may be wrong, so the proof builds from scratch.
    const options = { ...kept, identify: (artifact: Artifact) => `anew ${identify(artifact)}` };
    if (!(yield* verify(blamed, wanted.fromScratch, options))) {
      yield note(notRebuilt);
      blamed = yield* blame(hierarchy.levels, ran, wanted.fromScratch, options);
    }
  }
  const { ended: looked, smaller } = yield* smallerRevert(
    { pair: searched, hierarchy, blamed, suspicion: ran, judge: judging(searched) },
    checked,
    wanted,
  );
  const secondLook = smaller ? { smaller } : {};
  // What was built from scratch for the proof has been run again once.
  const isDone = blamed.ended === 'done' && looked === 'done';
  const patched = isDone ? [...unasked, ...knownOf(blamed, smaller, wanted.isBuilt ? 1 : 2)] : [];
  if (mayAskAgain('the patches', patched.length, settings, context)) {
    const surely = wanted.isBuilt ? wanted.fromScratch : test;
    const more = await disagreements(patched, 'the patches again', surely, context);
    if (more.length > 0) yield note(flaky(more));
    addAll(unsteady, more);
  }
  const ended = blamed.ended === 'done' ? looked : blamed.ended;
  const end = { ...found, ...secondLook, executed: ran, blamed, ended, alone: 'fail', without: 'pass' } as const;
  if (wanted.into === undefined || ended !== 'done' || !('upgrades' in hierarchy.changes)) return end;
  const step = upgradeIn(hierarchy.changes, blamed);
  const [cause] = blamed.causes;
  const base = cause && hierarchy.changes.build(cause.changes);
  if (!step || !base) {
    yield note('No single package is to blame, so there is no package to go into.');
    return end;
  }
  const into = yield* searchInto(step, base, test, { settings, cache: wanted.into, signal: context.signal });
  return typeof into === 'string' ? { ...end, ended: into } : { ...end, into, ended: into.blamed.ended };
}

/** Old with each cause fails; new without the reverted changes passes. */
function knownOf(blamed: Blamed, smaller: SmallerRevert | undefined, again: number): readonly Known[] {
  const causes = blamed.causes.map(({ changes }) => ({
    what: 'old with the cause',
    artifact: blamed.level.circumstance.build(changes),
    outcome: 'fail' as const,
  }));
  const { level, back } = smaller ?? blamed;
  const reverted = level.circumstance.build(minus(all(level.circumstance.count), back));
  const without = { what: 'new without what is taken back', artifact: reverted, outcome: 'pass' as const };
  return [...causes, without].flatMap(({ artifact, ...each }) => (artifact ? [{ ...each, artifact, again }] : []));
}

/** One edit of a function that can't be taken back as a whole. What was built on top of leftovers counts only if it holds from scratch too. */
async function* partsFirst(
  given: Parameters<typeof fromLikeliestParts>[0],
  test: Test<Artifact>,
  { settings, isBuilt, fromScratch }: Wanted,
): AsyncGenerator<Event, NewWithEdits | undefined> {
  const found = yield* fromLikeliestParts(given, test, settings);
  if (typeof found !== 'object') return undefined;
  if (isBuilt) {
    const [level] = (await found.pair.hierarchy('hunk')).levels;
    const edit = { level, causes: [], back: all(level.circumstance.count) };
    const options = { ...settings, identify: (artifact: Artifact) => `anew ${identify(artifact)}` };
    if (!(yield* verify(edit, fromScratch, options))) return undefined;
  }
  yield { type: 'noticed', what: 'note', text: 'New passes with one of them: only that is searched.' };
  return found;
}

/** The second look, for a search that is done. What was built on top of leftovers counts only if it holds from scratch too. */
async function* smallerRevert(
  known: Answered,
  test: Test<Artifact>,
  { finest, settings, isBuilt, fromScratch }: Wanted,
): AsyncGenerator<Event, SecondLook> {
  if (known.blamed.ended !== 'done' || finest === 'commit' || finest === 'file') return { ended: 'done' };
  const found = yield* lookAgain(known, finest, test, settings);
  if (!isBuilt || !found.smaller) return found;
  const options = { ...settings, identify: (artifact: Artifact) => `anew ${identify(artifact)}` };
  const holds = yield* verify({ ...found.smaller, causes: [] }, fromScratch, options);
  return holds ? found : { ended: found.ended };
}

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });

const notRebuilt =
  'Built from scratch, the result has another outcome: the build does not notice every change. All candidates are now built from scratch.';

export const hunksAtLeast = (finest: Finest) => (finest === 'commit' ? 'hunk' : finest);

/** All that is known is that everything together is to blame. */
function asAWhole(hierarchy: Hierarchy, { ended, pair }: HistoryResult): Blamed {
  const [level] = hierarchy.levels;
  const neighbours = [{ delta: `commit ${pair.titles[1]}`, artifact: pair.old }];
  const proof = {
    proves: 'commit',
    of: 'the new version',
    outcome: 'fail',
    set: pair.new,
    neighbours,
    identify,
  } as const;
  const failing = all(level.circumstance.count);
  const causes = ended === 'done' ? [{ changes: failing, suspects: failing }] : [];
  const minimal = ['commit'];
  return {
    ended,
    level,
    causes,
    back: failing,
    failing,
    minimal,
    minimalRevert: minimal,
    proofs: [proof],
    widened: false,
  };
}

/** Keeps only smaller results as a patch. */
function keeping(pair: Pair, keep: (artifact: Artifact) => void): (artifact: Artifact) => void {
  let smallest = Number.POSITIVE_INFINITY;
  return artifact => {
    const { length } = patchFrom(pair, 'old', artifact);
    if (length >= smallest) return;
    smallest = length;
    keep(artifact);
  };
}

function submodulesIn({ git }: Pair): string | undefined {
  const paths = git?.repository.submodules(git.commits[1]) ?? [];
  return paths.length === 0
    ? undefined
    : `Submodules are empty folders in both versions: ${paths.join(', ')}. If the test needs them, fetch them with --build, or compare folders.`;
}

/** What the user should know about files that belong to neither version. */
export function uncommittedIn({ git }: Pair): string | undefined {
  const paths = git?.repository.uncommitted() ?? [];
  if (paths.length === 0) return undefined;
  const names = paths.length <= 3 ? paths.join(', ') : `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more`;
  return `Uncommitted files are part of neither version: ${names}. Commit them, or compare folders.`;
}
