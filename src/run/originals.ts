/** Notices if the original changes during a run. */
import type { Artifact } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import { quote } from '../core/shell.js';
import type { Origin } from '../core/trace.js';
import { type Given, identify } from '../sources/files.js';
import { type Reading, readPaths, standardInput } from '../sources/input.js';
import type { RunFolder } from './run-folder.js';

/**
 * The run used the input as it was at the start. If it has changed since, the result is still valid, but for another input
 * than the user expects. A resumed run may be a week old, and then nobody expects the original to exist still.
 */
export function changedSince(
  original: Artifact,
  given: readonly Given[],
  folder: RunFolder,
  reading: Reading = {},
): UserError | undefined {
  if (folder.resumed || given.some(each => each.path === standardInput)) return undefined;
  const paths = given.map(each => each.path);
  const says = (what: string) =>
    new UserError(
      `${paths.join(', ')} ${what} while it was being reduced; the result comes from what it was at the start.`,
      `That is kept in ${folder.path}/original. If the new one matters, reduce it again; if the command itself writes to it, give it {} in place of ${paths.map(quote).join(' ')}.`,
      1,
    );
  try {
    return identify(readPaths(paths, reading).artifact) === identify(original) ? undefined : says('changed');
  } catch {
    return says('disappeared');
  }
}

/** The files of the original next to what is left of them, and how one became the other, as far as that is known. */
export const pairFiles = (original: Artifact, result: Artifact, origins?: ReadonlyMap<string, Origin>) =>
  [...original.files].flatMap(([path, entry]) => {
    const now = result.files.get(path);
    if (entry.kind !== 'file') return [];
    if (now?.kind !== 'file') return [{ path, original: entry.bytes }];
    const origin = origins?.get(path) ?? 'unknown';
    return [{ path, original: entry.bytes, result: now.bytes, origin }];
  });
