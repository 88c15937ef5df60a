/** Finds the changes that the test executes. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange } from '../../circumstances/changes/diff.js';
import { realHunks } from '../../circumstances/changes/formatting.js';
import { inertIn } from '../../circumstances/changes/inert.js';
import type { Artifact } from '../../core/artifact.js';
import { all, type Configuration, minus, size, UserError } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import {
  type Coverage,
  gcovEnvironment,
  isBlank,
  type Named,
  readGcovCoverage,
  readV8Coverage,
  resetGcov,
  suspectChanges,
  suspectPackages,
  suspicion,
  v8Environment,
  watchReads,
} from '../../oracle/coverage/index.js';
import type { Context } from '../job.js';
import type { Hierarchy } from './hierarchy.js';
import { identities, type Pair } from './pair.js';

export type CoverageKind = 'auto' | 'v8' | 'gcov' | 'none';

export interface Executed {
  /** The changes that the test runs, as far as coverage can show; all of them if it cannot. */
  readonly suspects: Configuration;
  /** How likely each change is the culprit, if the two runs show a difference. */
  readonly weights?: readonly number[];
  /** In words, for people. */
  readonly said: string;
}

interface Observing {
  readonly kind: CoverageKind;
  readonly pair: Pair;
  readonly changes: Hierarchy['changes'];
  readonly oracle: CommandOracle;
  readonly timeout: number;
}

/** Runs the test once on each end with coverage, and sets aside what neither run executed. Remembered by the journal. */
export async function executed(
  { kind, pair, changes, oracle, timeout }: Observing,
  { folder: { journal }, signal }: Context,
): Promise<Executed> {
  const everything = all(changes.count);
  if (kind === 'none') return { suspects: everything, said: `all ${changes.count} changes are searched` };
  const { old, new: now } = identities(pair);
  const name = `executed ${old} ${now} ${changes.name}`;
  const known = journal.noted<Executed>(name);
  if (known) return known;
  // Coverage slows a test down.
  const limit = timeout * 3;
  const run = { kind, oracle, timeout: limit };
  const before = await coverageOf(pair.old, run, signal);
  const after = await coverageOf(pair.new, run, signal);
  const found = judged(kind, changes, before, after);
  journal.note(name, found);
  return found;
}

function judged(
  kind: CoverageKind,
  changes: Hierarchy['changes'],
  oldRun: Observed | undefined,
  newRun: Observed | undefined,
): Executed {
  const [before, after] = [oldRun?.seen, newRun?.seen];
  const blind = [before, after].find(coverage => !coverage || isBlank(coverage));
  if (!before || !after || blind) {
    const advice =
      'For a C or C++ program, build with --coverage (--build "make CFLAGS=--coverage"); else use --coverage none.';
    if (kind !== 'auto') throw new UserError(`--coverage ${kind} saw no code of these versions run.`, advice, 1);
    return {
      suspects: all(changes.count),
      said: `no coverage found; searching all ${changes.count} changes`,
    };
  }
  const ran =
    'upgrades' in changes
      ? suspectPackages(changes.upgrades, before, after)
      : minus(suspectChanges(changes.changes, before, after), inertIn(changes));
  return {
    suspects: ran,
    ...('upgrades' in changes
      ? {}
      : {
          weights: suspicion(changes.changes, changes.files.map(comparedBy), {
            old: before,
            now: after,
            named: newRun?.named ?? [],
          }),
        }),
    said: `${size(ran)} of ${changes.count} changes are executed by the test (${before.kind}); the others are set aside`,
  };
}

/** Lines that differ only in formatting are the same lines. */
const comparedBy = (file: FileChange): FileChange => ({ ...file, hunks: realHunks(file) });

interface Observed {
  readonly seen: Coverage;
  /** The places in the version that the run's output names. */
  readonly named: readonly Named[];
}

interface CoverageRun {
  readonly kind: Exclude<CoverageKind, 'none'>;
  readonly oracle: CommandOracle;
  readonly timeout: number;
}

/** What a run of one version executed; nothing if it did not finish. */
async function coverageOf(
  { files }: Artifact,
  { kind, oracle, timeout }: CoverageRun,
  signal: AbortSignal,
): Promise<Observed | undefined> {
  let reads: ReturnType<typeof watchReads> = () => undefined;
  let isGcov = kind === 'gcov';
  const { attempt, seen } = await oracle.observe({ files }, timeout, signal, {
    placed(root) {
      reads = watchReads(root, files.keys());
    },
    built(root, tmp) {
      isGcov ||= kind === 'auto' && hasNotes(root);
      const folder = join(tmp, 'coverage');
      mkdirSync(folder);
      if (!isGcov) return v8Environment(folder);
      resetGcov(root, folder);
      return gcovEnvironment(folder);
    },
    ran(root, tmp) {
      const [folder, read] = [join(tmp, 'coverage'), reads()];
      return isGcov ? readGcovCoverage(root, folder, files, read) : readV8Coverage(folder, root, files, read);
    },
  });
  if (attempt.run.timedOut || !seen) return undefined;
  const output = Buffer.concat([attempt.run.stderr, attempt.run.stdout]).toString('utf8');
  return { seen, named: namedIn(output, files) };
}

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

/** A build with `--coverage` leaves notes on every object. */
const hasNotes = (root: string): boolean =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).some(name => name.endsWith('.gcno'));
