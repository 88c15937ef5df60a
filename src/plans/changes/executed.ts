/** Finds the changes that the test executes. */
import type { Changes } from '../../circumstances/changes/changes.js';
import type { FileChange } from '../../circumstances/changes/diff.js';
import { realHunks } from '../../circumstances/changes/formatting.js';
import { inertIn } from '../../circumstances/changes/inert.js';
import type { Artifact } from '../../core/artifact.js';
import { hunksBetween } from '../../core/diff.js';
import { all, type Configuration, minus, size, UserError } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import {
  type Compared,
  type Coverage,
  type CoverageName,
  type Exactness,
  hasCompiler,
  isBlank,
  isCompiled,
  type Named,
  onlyInOne,
  runtimesFor,
  suspectChanges,
  suspectPackages,
  suspicion,
  tellingWords,
  type Watchers,
  watchLines,
} from '../../oracle/coverage/index.js';
import { languageOf } from '../../syntax/languages/index.js';
import type { Context } from '../job.js';
import type { Hierarchy } from './levels/hierarchy.js';
import { identities, type Pair } from './pair.js';
import { originsAmong } from './rewritten/origins.js';

export type CoverageKind = 'auto' | CoverageName | 'none';

export interface Executed {
  /** The changes that the test runs, as far as coverage can show; all of them if it cannot. */
  readonly suspects: Configuration;
  /** How likely each change is the culprit, if the two runs show a difference. */
  readonly weights?: readonly number[];
  /** Files of new that the test does not run any more, although it runs what they were in old: another file has come in their place, such as a bundle. */
  readonly left?: readonly string[];
  /** In words, for people. */
  readonly said: string;
}

interface Observing {
  readonly kind: CoverageKind;
  readonly pair: Pair;
  readonly changes: Hierarchy['changes'];
  readonly oracle: CommandOracle;
  readonly first: Pick<FirstRun, 'rule' | 'timeout'>;
  /** The words of the test itself. */
  readonly inTest: ReadonlySet<string>;
  /** What was observed before: a program that is built is built from scratch for each observation. */
  readonly observations: Observations;
}

/** What a version was seen to execute, by its name and by who watched it. */
export type Observations = Map<string, Promise<Observed | undefined>>;

/** Runs the test once on each end with coverage, and sets aside what neither run executed. Remembered by the journal. */
export async function executed(observing: Observing, context: Context): Promise<Executed> {
  const { kind, pair, changes, inTest } = observing;
  if (kind === 'none') return { suspects: all(changes.count), said: `all ${changes.count} changes are searched` };
  const { journal } = context.folder;
  const { old, new: now } = identities(pair);
  const name = `executed ${old} ${now} ${changes.name}`;
  const known = journal.noted<Executed>(name);
  if (known) return known;
  const { before, after } = await observeBoth(kind, observing, context.signal);
  const found = await judged({ kind, changes, inTest }, before, after);
  journal.note(name, found);
  return found;
}

interface BothObserved {
  readonly before?: Observed;
  readonly after?: Observed;
}

/** The most that can be watched comes first. Watchers under which one of the versions has another outcome do not count. */
async function observeBoth(
  kind: Exclude<CoverageKind, 'none'>,
  observing: Observing,
  signal: AbortSignal,
): Promise<BothObserved> {
  const { observations, pair } = observing;
  const names = identities(pair);
  const observe = (watchers: WatchedBy, outcome: 'pass' | 'fail') => {
    const by = [...watchers.runtimes.map(({ name }) => name), watchers.gcov, watchers.isPassive ? 'passive' : 'active'];
    const key = [outcome, outcome === 'pass' ? names.old : names.new, ...by].join(' ');
    const found = observations.get(key) ?? coverageOf(outcome, watchers, observing, signal);
    observations.set(key, found);
    return found;
  };
  const { passive, agents, compilers } = watchersFor(kind, observing);
  // If the program's own build counts, it is not compiled in another way.
  const counted = compilers.length > 0 && observing.oracle.isBuilt ? await observe(passive, 'pass') : undefined;
  const isCounted = counted?.seen.kinds.includes('gcov') ?? false;
  for (const watchers of [...(isCounted ? [] : compilers), ...agents, passive]) {
    const before = watchers === passive && counted ? counted : await observe(watchers, 'pass');
    const after = before && (await observe(watchers, 'fail'));
    if (before && after) return { before, after };
  }
  return {};
}

async function judged(
  { kind, changes, inTest }: Pick<Observing, 'kind' | 'changes' | 'inTest'>,
  oldRun: Observed | undefined,
  newRun: Observed | undefined,
): Promise<Executed> {
  const [before, after] = [oldRun?.seen, newRun?.seen];
  const blind = [before, after].find(coverage => !coverage || isBlank(coverage));
  if (!before || !after || blind) {
    if (kind !== 'auto')
      throw new UserError(`--coverage ${kind} saw no code of these versions run.`, adviceOn(kind), 1);
    return {
      suspects: all(changes.count),
      said: `no coverage found; searching ${changes.count === 1 ? 'the only change' : `all ${changes.count} changes`}`,
    };
  }
  const ran =
    'upgrades' in changes
      ? suspectPackages(changes.upgrades, before, after)
      : minus(suspectChanges(changes.changes, before, after), inertIn(changes));
  const left = 'upgrades' in changes ? [] : leftIn(changes, before, after);
  return {
    suspects: ran,
    ...('upgrades' in changes ? {} : { weights: await weightsOf(changes, oldRun!, newRun!, { inTest, left }) }),
    ...(left.length > 0 ? { left } : {}),
    said: describeExecuted(size(ran), changes.count, kindsIn(before, after)),
  };
}

/** Files that only old runs, if new runs an added one of the same language. */
function leftIn({ files }: Changes, { executed: before }: Coverage, { executed: after }: Coverage): readonly string[] {
  const added = files.flatMap(({ oldPath, newPath = '' }) =>
    oldPath === undefined && after.has(newPath) ? [newPath] : [],
  );
  const languages = new Set(added.map(path => languageOf(path)?.name));
  return files.flatMap(({ oldPath = '', newPath }) =>
    newPath !== undefined && before.has(oldPath) && !after.has(newPath) && languages.has(languageOf(newPath)?.name)
      ? [newPath]
      : [],
  );
}

/** For people. */
export function describeExecuted(ran: number, count: number, kinds: string): string {
  const by = `executed by the test (${kinds})`;
  if (ran === count) return count === 1 ? `the only change is ${by}` : `all ${count} changes are ${by}`;
  return `${ran} of ${count} changes ${ran === 1 ? 'is' : 'are'} ${by}; the others are set aside`;
}

async function weightsOf(
  { changes, files }: Changes,
  old: Observed,
  now: Observed,
  { inTest, left }: { readonly inTest: ReadonlySet<string>; readonly left: readonly string[] },
): Promise<readonly number[]> {
  const seen = { old: old.seen, now: now.seen };
  const run = files.filter(
    ({ oldPath = '', newPath = '' }) => seen.old.executed.has(oldPath) || seen.now.executed.has(newPath),
  );
  const moved = [...originsAmong(run, left)].flatMap(([newPath, origins]) => {
    const file = run.find(each => each.newPath === newPath)!;
    return origins.map(origin => movedBetween(origin, file));
  });
  const compared = files.map(comparedBy);
  const telling = await tellingWords(onlyInOne(old.printed, now.printed), compared, seen);
  return suspicion(changes, [...compared, ...moved], { ...seen, named: now.named, telling, inTest });
}

/** Lines that differ only in formatting are the same lines. */
const comparedBy = (file: FileChange): FileChange => ({ ...file, hunks: realHunks(file) });

/** Lines that an added file has from a file of old: mostly at another indentation. */
function movedBetween({ oldPath, oldLines }: FileChange, { newPath, newLines }: FileChange): Compared {
  const hunks = hunksBetween(
    oldLines.map(line => line.trim()),
    newLines.map(line => line.trim()),
  );
  return { oldPath: oldPath!, newPath: newPath!, hunks, oldLines, newLines };
}

interface Observed {
  readonly seen: Coverage;
  /** The places in the version that the run's output names. */
  readonly named: readonly Named[];
  /** The output, as Latin-1. */
  readonly printed: string;
}

interface WatchedBy extends Watchers {
  /** The watchers change nothing for the program, so the outcome need not be compared. */
  readonly isPassive?: boolean;
}

/** Who may watch. Agents and compilers of ours are part of the program that runs, so there is always a way to do without them. */
function watchersFor(kind: Exclude<CoverageKind, 'none'>, observing: Observing) {
  const { pair, changes, oracle, first } = observing;
  const isAsked = (name: CoverageName) => kind === 'auto' || kind === name;
  const asked = runtimesFor(new Map([...pair.old.files, ...pair.new.files])).filter(({ name }) => isAsked(name));
  const gcov = isAsked('gcov') ? 'built' : 'none';
  const passive: WatchedBy = { runtimes: asked.filter(runtime => runtime.isPassive), gcov, isPassive: true };
  // A process that must be killed to end it reports nothing.
  const mayReport = first.rule.kind !== 'hang';
  const mayCompile =
    mayReport &&
    gcov === 'built' &&
    'files' in changes &&
    changes.files.some(({ oldPath, newPath }) => isCompiled(newPath ?? oldPath!)) &&
    hasCompiler(oracle.environment);
  const agents: WatchedBy = { runtimes: asked, gcov };
  const exactly: readonly Exactness[] = ['exact', 'optimised'];
  return {
    passive,
    agents: mayReport && asked.length > passive.runtimes.length ? [agents] : [],
    compilers: mayCompile ? exactly.map((how): WatchedBy => ({ runtimes: asked, gcov: how })) : [],
  };
}

/** What a run of the version with this outcome executed; nothing if it did not finish, or has another outcome with coverage. */
async function coverageOf(
  outcome: 'pass' | 'fail',
  { isPassive = false, ...watchers }: WatchedBy,
  { pair, oracle, first: { rule, timeout } }: Observing,
  signal: AbortSignal,
): Promise<Observed | undefined> {
  const { files } = outcome === 'pass' ? pair.old : pair.new;
  // Coverage slows a test down.
  const limit = timeout * 3;
  const look = watchLines(files, watchers, oracle.environment);
  const { attempt, seen } = await oracle.observe({ files }, limit, signal, look);
  signal.throwIfAborted();
  if (attempt.run.timedOut || !seen) return undefined;
  const isCompared = !isPassive && rule.kind !== 'differs';
  if (isCompared && oracle.verdict(rule, attempt).outcome !== outcome) return undefined;
  const output = Buffer.concat([attempt.run.stderr, attempt.run.stdout]);
  return { seen, named: namedIn(output.toString('utf8'), files), printed: output.toString('latin1') };
}

const kindsIn = (...seen: readonly Coverage[]): string => [...new Set(seen.flatMap(({ kinds }) => kinds))].join(', ');

const adviceOn = (kind: CoverageKind): string =>
  kind === 'gcov'
    ? 'The compiler must be found on PATH; else build with --coverage (--build "make CFLAGS=--coverage"), or use --coverage none.'
    : 'Use --coverage auto to try all kinds, or --coverage none.';

/** `…/lib/parser.js:120:7` in a stack trace, `parser.c:120` in what a compiler or a sanitizer says. */
function namedIn(output: string, files: Artifact['files']): readonly Named[] {
  const found: Named[] = [];
  for (const [, path, line] of output.matchAll(/([^\s():'"]+\.\w+):(\d+)\b/g)) {
    const known = [...files.keys()].find(name => path === name || path!.endsWith(`/${name}`));
    if (known !== undefined) found.push({ path: known, line: Number(line) });
    if (found.length >= mostNamed) break;
  }
  return found;
}

/** Lines that an output may name: those near the failure come first. */
const mostNamed = 50;
