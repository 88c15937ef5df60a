import { existsSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import type { Given } from '../sources/files.js';
import { type RunFolder, writable, writeFolder } from './run-folder.js';

/** Where the result of a reduction goes, and how it gets there. */
export interface Output {
  readonly path: string;
  write(artifact: Artifact, folder: RunFolder): void;
}

/**
 * The place for a result, seen to be writable before anything is run. The originals are never written to, and what else
 * lies at the place must be a result of before or nothing: a folder that is written takes the place of the one that is there.
 */
export function outputFor(asked: string | undefined, given: readonly Given[], isResumed: boolean): Output {
  const isFile = given.length === 1 && !given[0]!.folder;
  const path = followed(resolve(asked ?? besideOriginal(given)));
  for (const each of given) refuseOriginal(path, each);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (isFile && stats?.isDirectory())
    throw new UserError(
      `${path} is a folder, and the result is a file.`,
      `Name the file: --output ${join(asked ?? path, `${given[0]!.name}`)}.`,
    );
  if (!isFile && stats?.isFile())
    throw new UserError(`${path} is a file, and the result is a folder.`, 'Name another place with --output.');
  if (stats && !stats.isFile() && !stats.isDirectory())
    throw new UserError(`${path} is neither a file nor a folder.`, 'Name a file with --output.');
  if (!isFile && asked !== undefined && stats && !isResumed && readdirSync(path).length > 0)
    throw new UserError(
      `${path} is there already, and is not empty.`,
      'Take it away, or name another folder with --output: what is in it would be lost.',
    );
  writable(path, () => tryToWrite(path));
  return {
    path,
    write(artifact, folder) {
      const [only] = artifact.files.values();
      if (isFile && only?.kind === 'file') folder.place(path, only.bytes, only.executable === true);
      else writable(path, () => writeFolder(path, withoutPrefix(artifact, given)));
    },
  };
}

/** A link at the place means the file that it leads to. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function besideOriginal(given: readonly Given[]): string {
  const [first] = given;
  if (given.length !== 1 || !first) return 'culprit.reduced';
  const path = resolve(first.path);
  const extension = first.folder ? '' : extname(path);
  return join(dirname(path), `${basename(path, extension)}.reduced${extension}`);
}

function refuseOriginal(output: string, { path, folder }: Given): void {
  const original = followed(resolve(path));
  if (original === output)
    throw new UserError(`--output ${output} is the original, which is never written to.`, 'Name another file.');
  if (folder && output.startsWith(original + sep))
    throw new UserError(
      `--output ${output} lies in the original ${path}, which is never written to.`,
      'Name a place outside of it.',
    );
  if (original.startsWith(output + sep))
    throw new UserError(
      `--output ${output} holds the original, which is never written to.`,
      'Name a place that does not exist yet.',
    );
}

function tryToWrite(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new UserError(
      `There is no folder ${folder} for the result.`,
      'Make it, or name another place with --output.',
    );
  const probe = join(folder, `.culprit-${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe);
}

function withoutPrefix(artifact: Artifact, given: readonly Given[]): Artifact {
  const prefix = given.length === 1 ? `${given[0]!.name}/` : '';
  return {
    files: new Map(
      [...artifact.files].map(([path, entry]) => [path.slice(path.startsWith(prefix) ? prefix.length : 0), entry]),
    ),
  };
}
