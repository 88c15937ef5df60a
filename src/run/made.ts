/** Recognises the files that culprit wrote itself. */
import { createHash, hash, randomBytes } from 'node:crypto';
import { type BigIntStats, lstatSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../core/artifact.js';
import { namesIn, onDisk, targetOf } from '../sources/file-names.js';

/**
 * How culprit recognises what it made itself: only that is ever removed or replaced, everything else belongs to the user.
 * Between runs, a file or folder is identified by its digest; within a run, by the inode, size and time of every entry.
 */

/** A file, or everything in a folder. */
export type Content = Extract<Entry, { kind: 'file' }> | ReadonlyMap<string, Entry>;

/** Every entry under a path, the path itself as ''; it changes as soon as anything writes to one of them. */
export type Listing = ReadonlyMap<string, string>;

/** A name that no other process can have chosen. */
export const temporaryName = (): string => `.tmp-${randomBytes(8).toString('hex')}`;
export const isTemporaryName = (name: string): boolean => /^\.tmp-[0-9a-f]{16}(-old-\w+)?$/.test(name);

export const isFile = (content: Content): content is Extract<Entry, { kind: 'file' }> => 'kind' in content;

/** Identifies a content on disk. */
export function digestOf(content: Content): string {
  if (isFile(content)) return total([['', described(content)]]);
  const parents = new Set<string>();
  for (const path of content.keys())
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) parents.add(path.slice(0, at));
  const entries = [...content].filter(([path, { kind }]) => kind !== 'folder' || !parents.has(path));
  return total([['', 'folder'], ...entries.map(([path, entry]) => [path, described(entry)] as const)]);
}

/** The same, read from disk; `undefined` if nothing is there, or nothing that culprit could have written. */
export function digestAt(path: string): string | undefined {
  const found: [string, string][] = [];
  const read = (full: string, name: string): boolean => {
    const stats = lstatSync(onDisk(full));
    if (stats.isDirectory()) {
      const names = namesIn(full);
      if (name === '') found.push([name, 'folder']);
      else if (names.length === 0) found.push([name, described({ kind: 'folder' })]);
      return names.every(each => read(join(full, each), name === '' ? each : `${name}/${each}`));
    }
    if (stats.isSymbolicLink()) found.push([name, described({ kind: 'link', target: targetOf(full) })]);
    else if (stats.isFile())
      found.push([
        name,
        described({ kind: 'file', bytes: readFileSync(onDisk(full)), executable: (stats.mode & 0o111) !== 0 }),
      ]);
    else return false;
    return true;
  };
  try {
    return read(path, '') ? total(found) : undefined;
  } catch {
    return undefined;
  }
}

const described = (entry: Entry): string =>
  entry.kind === 'file'
    ? `${entry.executable ? 'executable' : 'file'} ${hash('sha256', entry.bytes)}`
    : entry.kind === 'link'
      ? `link ${entry.target}`
      : 'empty folder';

function total(entries: readonly (readonly [string, string])[]): string {
  const digest = createHash('sha256');
  for (const [path, words] of [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    digest.update(onDisk(`${path}\0${words}\0`));
  return digest.digest('hex');
}

/** What is at a path now; `undefined` if nothing is there. */
export function listingAt(path: string): Listing | undefined {
  const listing = new Map<string, string>();
  const list = (full: string, name: string): void => {
    const stats = lstatSync(onDisk(full), { bigint: true });
    listing.set(name, signature(stats));
    if (stats.isDirectory())
      for (const each of namesIn(full)) list(join(full, each), name === '' ? each : `${name}/${each}`);
  };
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  list(path, '');
  return listing;
}

/** A folder's own time changes with its contents, and when it is moved, so only its entries are compared. */
const signature = (stats: BigIntStats): string =>
  stats.isDirectory() ? 'folder' : `${stats.mode} ${stats.ino} ${stats.size} ${stats.mtimeNs}`;

export const isSame = (a: Listing | undefined, b: Listing | undefined): boolean =>
  a === b || (a !== undefined && b?.size === a.size && [...a].every(([path, words]) => b.get(path) === words));

/** Removes these entries if they are unchanged, and nothing else: a folder that contains more stays. */
export function removeListed(path: string, listing: Listing): void {
  for (const [name, words] of [...listing].reverse()) {
    const full = onDisk(name === '' ? path : join(path, name));
    try {
      if (words === 'folder') rmdirSync(full);
      else if (signature(lstatSync(full, { bigint: true })) === words) unlinkSync(full);
    } catch {
      // Already gone, or it contains something that is not ours.
    }
  }
}
