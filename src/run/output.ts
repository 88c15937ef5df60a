/** Checks where the result goes before the first test. */
import { hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import { makeFolder, mark, markFolder, writable } from './atomic-write.js';
import { isLocked } from './lock.js';
import { type Content, temporaryName } from './made.js';
import { isOwn, Publication, type Recorded, readLedger } from './publication.js';
import type { RunFolder } from './run-folder.js';

/** Where the result of a run goes. Anything in the way is refused before the first test is run. */
export interface Output {
  readonly path: string;
  /** It goes to standard output, once: by `finish`. */
  readonly isStdout: boolean;
  /** The run whose result is there now and will be replaced. */
  readonly replaces?: string;
  write(artifact: Artifact, folder: RunFolder): void;
  /** Called after the last `write`. */
  finish(): void;
}

/** How standard output is named by --output. */
const standardOutput = '-';

export interface Wanted {
  /** The value of --output. */
  readonly asked?: string | undefined;
  /** The default path. */
  readonly otherwise: string;
  readonly kind: 'file' | 'folder';
  /** Files and folders that the run reads: never overwritten, written into or contained in the output. */
  readonly inputs: readonly string[];
  /** The value of --run. */
  readonly run?: string | undefined;
  /** The value of --force: a file at --output may be replaced. */
  readonly force?: boolean | undefined;
  readonly resumed?: RunFolder | undefined;
  /** Strips this from the artifact's paths. */
  readonly prefix?: string;
  /** Kept out of git: a folder of results, but not a folder that is itself the result and must contain nothing else. */
  readonly ignored?: boolean;
  /** The result may be written to standard output. */
  readonly mayBeStdout?: boolean;
}

export function outputFor(wanted: Wanted): Output {
  const { asked, kind, inputs, run } = wanted;
  if (asked === standardOutput) return toStdout(wanted);
  const path = inRealFolder(asked ?? wanted.otherwise);
  for (const input of inputs) {
    refuseInput('--output', path, input);
    if (run !== undefined) refuseInput('--run', inRealFolder(run), input);
  }
  if (run !== undefined) refuseRun(path, inRealFolder(run));
  const ledger = ledgerFor(path);
  const recorded = readLedger(ledger);
  writable(path, () => refuseOthers(path, wanted, recorded));
  const resumedRun = wanted.resumed && resolve(wanted.resumed.path);
  const isReplaced = recorded !== undefined && recorded.run !== resumedRun && isOwn(path, recorded);
  writable(path, () => tryToWrite(path));
  const publication = new Publication(path, ledger);
  return {
    path,
    isStdout: false,
    ...(isReplaced ? { replaces: recorded.run } : {}),
    finish() {},
    write(artifact, folder) {
      keepOutOfGit();
      publication.publish(contentOf(artifact, wanted), { via: folder.path, run: resolve(folder.path) });
    },
  };

  function contentOf({ files }: Artifact, { prefix = '', ignored }: Wanted): Content {
    const [only] = files.values();
    if (kind === 'file' && only?.kind === 'file') return only;
    const named = [...files].map(
      ([name, entry]) => [name.startsWith(prefix) ? name.slice(prefix.length) : name, entry] as const,
    );
    return new Map(ignored ? [['.gitignore', { kind: 'file', bytes: Buffer.from(mark) }] as const, ...named] : named);
  }
}

/** One file, for the next program in a pipe. Nothing else is printed there. */
function toStdout({ kind, mayBeStdout }: Wanted): Output {
  if (!mayBeStdout || kind === 'folder')
    throw new UserError(
      kind === 'folder'
        ? '--output - is standard output, and the result is a folder.'
        : 'Only `culprit reduce` can write its result to standard output (--output -).',
      `Choose a ${kind} with --output.`,
    );
  let last: Uint8Array = new Uint8Array();
  return {
    path: standardOutput,
    isStdout: true,
    write({ files }) {
      const [only] = files.values();
      if (only?.kind === 'file') last = only.bytes;
    },
    finish: () => void process.stdout.write(last),
  };
}

/** The folder of the runs and of what is known about their results; a run with --run may be the first to need it. */
function keepOutOfGit(): void {
  try {
    makeFolder('.culprit');
    markFolder('.culprit');
  } catch {
    // Nothing can be written here: then the next run will not recognise the result as culprit's own.
  }
}

/** Results are recognised by what was written, which is recorded beside the runs of this folder. */
export const ledgerFor = (path: string): string =>
  join(resolve('.culprit/made'), `${hash('sha256', path).slice(0, 24)}.json`);

/** The results in this folder that are still as culprit wrote them. */
export function ownResults(): readonly string[] {
  const folder = resolve('.culprit/made');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .map(name => readLedger(join(folder, name)))
    .flatMap(recorded => (recorded && isOwn(recorded.path, recorded) ? [recorded.path] : []));
}

/** The path as the file system has it, whatever links lead to its folder. A link at the path itself is not followed. */
export function inRealFolder(path: string): string {
  const full = resolve(path);
  try {
    return join(realpathSync(dirname(full)), basename(full));
  } catch {
    return full;
  }
}

function refuseInput(option: string, path: string, input: string): void {
  let original = resolve(input);
  let isFolder = false;
  try {
    original = realpathSync(original);
    isFolder = statSync(original).isDirectory();
  } catch {
    // The input of a resumed run may no longer exist.
  }
  const stats = writable(path, () => statSync(path, { throwIfNoEntry: false }));
  const its = statSync(original, { throwIfNoEntry: false });
  const isSame = stats !== undefined && stats.ino === its?.ino && stats.dev === its.dev;
  if (path === original || path === inRealFolder(input) || isSame)
    throw new UserError(`${option} ${path} is the original ${input}, which is never changed.`, 'Choose another path.');
  // Its runs and packages are kept in .culprit, which is never read as a part of the input.
  if (isFolder && path.startsWith(original + sep) && !path.startsWith(join(original, '.culprit') + sep))
    throw new UserError(
      `${option} ${path} is inside the original ${input}, which is never changed.`,
      'Choose a path outside of it.',
    );
  if (original.startsWith(path + sep) || inRealFolder(input).startsWith(path + sep))
    throw new UserError(
      `${option} ${path} contains the original ${input}, which is never changed.`,
      'Choose a path that does not exist yet.',
    );
}

function refuseRun(path: string, run: string): void {
  if (path === run || path.startsWith(run + sep) || run.startsWith(path + sep))
    throw new UserError(
      `--output ${path} and --run ${run} overlap.`,
      'Choose a path for the result outside of the run folder.',
    );
}

function refuseOthers(
  path: string,
  { asked, kind, force, run, resumed }: Wanted,
  recorded: Recorded | undefined,
): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (stats.isSymbolicLink())
    throw new UserError(
      `${path} is a link. culprit does not write through links.`,
      'Pass the file itself to --output.',
    );
  if (kind === 'file' && stats.isDirectory())
    throw new UserError(`${path} is a folder, and the result is a file.`, 'Choose a file with --output.');
  if (kind === 'folder' && stats.isFile())
    throw new UserError(`${path} is a file, and the result is a folder.`, 'Choose another path with --output.');
  if (!stats.isFile() && !stats.isDirectory())
    throw new UserError(`${path} is neither a file nor a folder.`, 'Choose a file with --output.');
  const isOwnRun = recorded !== undefined && resumed !== undefined && recorded.run === resolve(resumed.path);
  if (isOwn(path, recorded)) {
    // If it is this run's own folder, a later check reports it, when the run takes the folder.
    const isNamed = run !== undefined && recorded?.run === inRealFolder(run);
    if (recorded && !isOwnRun && !isNamed && isLocked(recorded.run))
      throw new UserError(
        `${path} is the result of a run that is still running: ${recorded.run}.`,
        'Wait for it, or choose another path with --output.',
      );
    return;
  }
  if (stats.isDirectory() && readdirSync(path).length === 0) return;
  if (kind === 'file' && force && asked !== undefined && !isOwnRun) return;
  const reason = recorded ? 'it was changed since culprit wrote it' : 'culprit did not write it';
  throw new UserError(
    `${path} already exists, and ${reason}${stats.isDirectory() ? `: it holds ${readdirSync(path).sort()[0]}` : ''}.`,
    stats.isDirectory()
      ? 'Move it away, or choose another folder with --output. Its content would be lost.'
      : `Move it away, choose another file with --output${resumed ? '' : `, or overwrite it: --output ${asked ?? path} --force`}.`,
  );
}

function tryToWrite(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new UserError(
      `There is no folder ${folder} for the result.`,
      'Create it, or choose another path with --output.',
    );
  const probe = join(folder, temporaryName());
  writeFileSync(probe, '', { flag: 'wx' });
  rmSync(probe);
}
