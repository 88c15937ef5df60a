/** The passing and the failing input of `culprit states`: from the command line, from a run of isolate or reduce, or from a resumed run. */
import { basename, join, resolve } from 'node:path';
import type { Artifact } from '../../circumstances/artifact.js';
import { type Given, identify, readArtifact } from '../../circumstances/files.js';
import { UserError } from '../../core/index.js';
import { readJournal } from '../../engine/journal.js';
import { commandAfterDashes } from '../common.js';
import type { RunFolder } from '../run-folder.js';
import { keptIn } from '../run-folder.js';

export interface Pair {
  /** Nothing if it has to be found: a run of reduce knows its failing input only. */
  readonly passing?: Artifact;
  readonly failing: Artifact;
  readonly given: readonly Given[];
  readonly command: readonly string[];
  /** Options of the run that the pair comes from: they say what counts as the failure. */
  readonly from?: readonly string[];
}

/** The passing input lies under the failing one's name: the program must see no other difference than the content. */
export function readPair(passingPath: string, failingPath: string, command: readonly string[]): Pair {
  const [good, bad] = [readArtifact([passingPath]), readArtifact([failingPath])];
  if (good.given[0]!.folder !== bad.given[0]!.folder)
    throw new UserError(
      `${passingPath} and ${failingPath} are not of the same kind: one is a folder, the other a file.`,
      'Give two files or two folders.',
    );
  const [from, to] = [good.given[0]!.name, bad.given[0]!.name];
  const files = new Map([...good.artifact.files].map(([path, entry]) => [`${to}${path.slice(from.length)}`, entry]));
  return differing({ passing: { files }, failing: bad.artifact, given: bad.given, command });
}

/** The pair that a run of isolate found, or the failing input that a run of reduce found. */
export function pairOfRun(run: string): Pair {
  const path = resolve(run);
  const { job, argv, cwd } = readJournal(join(path, 'journal.jsonl')).header;
  const best = keptIn(path, 'best');
  if ((job !== 'isolate' && job !== 'reduce') || !best)
    throw new UserError(
      best ? `${run} is a run of ${job}, which has no pair of inputs.` : `${run} has no result yet.`,
      'Give a finished run of isolate or reduce, or two inputs with --passing and --failing.',
      1,
    );
  const { before, command } = commandAfterDashes(argv);
  const side = job === 'isolate' ? sideOf(best, 'failing') : best;
  const names = [...new Set([...side.files.keys()].map(each => each.split('/')[0]!))];
  const given = names.map(name => ({ path: join(cwd, name), name, folder: !side.files.has(name) }));
  process.chdir(cwd);
  const pair: Pair = { failing: side, given, command, from: before };
  return job === 'isolate' ? differing({ ...pair, passing: sideOf(best, 'passing') }) : pair;
}

/** The inputs as they were when a run began. */
export function keptPair(folder: RunFolder, command: readonly string[]): Pair {
  const original = folder.original();
  const [passing, failing] = [sideOf(original, 'passing'), sideOf(original, 'failing')];
  const names = [...new Set([...failing.files.keys()].map(each => each.split('/')[0]!))];
  const given = names.map(name => ({ path: name, name, folder: !failing.files.has(name) }));
  return { failing, given, command, ...(passing.files.size > 0 ? { passing } : {}) };
}

/** Both inputs in one folder tree. */
export function bothOf({ passing, failing }: Pair): Artifact {
  const under = (folder: string, artifact: Artifact) =>
    [...artifact.files].map(([path, entry]) => [`${folder}/${path}`, entry] as const);
  return { files: new Map([...under('failing', failing), ...(passing ? under('passing', passing) : [])]) };
}

const sideOf = ({ files }: Artifact, side: string): Artifact => ({
  files: new Map(
    [...files]
      .filter(([path]) => path.startsWith(`${side}/`))
      .map(([path, entry]) => [path.slice(side.length + 1), entry]),
  ),
});

function differing(pair: Pair): Pair {
  if (pair.passing && identify(pair.passing) === identify(pair.failing))
    throw new UserError(
      'The two inputs are the same, so their runs do not differ.',
      'Give one on which the command succeeds and one on which it fails.',
      1,
    );
  return pair;
}

export const nameOf = ({ given }: Pair): string => basename(given[0]?.name ?? 'states').replace(/\.[^.]*$/, '');
