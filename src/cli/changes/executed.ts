import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../circumstances/artifact.js';
import { all, type Configuration, size, UserError } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command.js';
import {
  type Coverage,
  dubious,
  dubiousPackages,
  gcovEnvironment,
  readGcovCoverage,
  readV8Coverage,
  resetGcov,
  sawNothing,
  v8Environment,
  watchReads,
} from '../../oracle/coverage/index.js';
import type { Hierarchy } from '../../plans/blame/hierarchy.js';
import type { JobContext } from '../job.js';
import { identities, type Pair } from './pair.js';

export type CoverageKind = 'auto' | 'v8' | 'gcov' | 'none';

export interface Executed {
  /** The changes that the test runs, as far as can be told; all of them where nothing can. */
  readonly dubious: Configuration;
  /** In words, for people. */
  readonly said: string;
}

/** Runs the test once on each end with coverage, and sets aside what neither run executed. Remembered by the journal. */
export async function executed(
  kind: CoverageKind,
  pair: Pair,
  changes: Hierarchy['changes'],
  oracle: CommandOracle,
  timeout: number,
  { folder: { journal }, signal }: JobContext,
): Promise<Executed> {
  const everything = all(changes.count);
  if (kind === 'none') return { dubious: everything, said: `all ${changes.count} changes are searched` };
  const { old, new: now } = identities(pair);
  const name = `executed ${old} ${now} ${changes.name}`;
  const known = journal.noted(name) as Executed | undefined;
  if (known) return known;
  // Coverage slows a test down.
  const limit = timeout * 3;
  const before = await coverageOf(kind, pair.old, oracle, limit, signal);
  const after = await coverageOf(kind, pair.new, oracle, limit, signal);
  const found = judged(kind, changes, before, after);
  journal.note(name, found);
  return found;
}

function judged(
  kind: CoverageKind,
  changes: Hierarchy['changes'],
  before: Coverage | undefined,
  after: Coverage | undefined,
): Executed {
  const blind = [before, after].find(coverage => !coverage || sawNothing(coverage));
  if (!before || !after || blind) {
    const advice =
      'For a C or C++ program, build with --coverage (--build "make CFLAGS=--coverage"); else use --coverage none.';
    if (kind !== 'auto')
      throw new UserError(`No code of the versions was seen to run by --coverage ${kind}.`, advice, 1);
    return {
      dubious: all(changes.count),
      said: `no code was seen to run, so that all ${changes.count} changes are searched`,
    };
  }
  const ran =
    'upgrades' in changes ? dubiousPackages(changes.upgrades, before, after) : dubious(changes.changes, before, after);
  return {
    dubious: ran,
    said: `${size(ran)} of ${changes.count} changes are executed by the test (${before.kind}); the others are set aside`,
  };
}

/** What a run of one version executed; nothing where it did not come to an end. */
async function coverageOf(
  kind: Exclude<CoverageKind, 'none'>,
  { files }: Artifact,
  oracle: CommandOracle,
  timeout: number,
  signal: AbortSignal,
): Promise<Coverage | undefined> {
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
  return attempt.run.timedOut ? undefined : seen;
}

/** A build with `--coverage` leaves notes on every object. */
const hasNotes = (root: string): boolean =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).some(name => name.endsWith('.gcno'));
