/** The content of a folder at one moment. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../core/artifact.js';
import { itemsIn, onDisk, targetOf } from '../file-names.js';
import { explained } from '../files.js';

/** A folder's contents at one moment: paths with `/`, ascending. Bytes are read on first use. */
export type Snapshot = ReadonlyMap<string, Entry>;

type File = Extract<Entry, { kind: 'file' }>;

/** A file whose bytes are read on first use and then kept. */
export function lazyFile(
  read: () => Uint8Array,
  executable: boolean,
  size?: number,
): File & { readonly size?: number } {
  let known: Uint8Array | undefined;
  return {
    kind: 'file',
    get bytes() {
      known ??= read();
      return known;
    },
    ...(executable ? { executable } : {}),
    ...(size === undefined ? {} : { size }),
  };
}

/** A folder on disk. Empty folders are entries too; `.git` and culprit's run folders are not part of a version. */
export function folderSnapshot(root: string, leaveOut: readonly string[] = ['.git', '.culprit']): Snapshot {
  const found: [string, Entry][] = [];
  const walk = (folder: string): number => {
    let kept = 0;
    const items = explained(join(root, folder), () => itemsIn(join(root, folder)));
    for (const name of items) {
      if (leaveOut.includes(name.name)) continue;
      const path = folder === '' ? name.name : `${folder}/${name.name}`;
      const full = join(root, path);
      kept++;
      if (name.isSymbolicLink()) found.push([path, { kind: 'link', target: targetOf(full) }]);
      else if (name.isDirectory()) {
        if (walk(path) === 0) found.push([path, { kind: 'folder' }]);
      } else if (name.isFile()) {
        const { mode, size } = explained(full, () => lstatSync(onDisk(full)));
        const read = () => explained(full, () => readFileSync(onDisk(full)));
        found.push([path, lazyFile(read, (mode & 0o100) !== 0, size)]);
      }
    }
    return kept;
  };
  walk('');
  return inOrder(found);
}

export const inOrder = (entries: Iterable<readonly [string, Entry]>): Snapshot =>
  new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

const sizeOf = (file: File & { readonly size?: number }): number => file.size ?? file.bytes.length;

export function sameEntry(a: Entry, b: Entry): boolean {
  if (a === b) return true;
  if (a.kind === 'file' && b.kind === 'file')
    return (a.executable ?? false) === (b.executable ?? false) && sameBytes(a, b);
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === b.kind && a.kind === 'folder';
}

export const sameBytes = (a: File, b: File): boolean =>
  a === b || (sizeOf(a) === sizeOf(b) && Buffer.compare(a.bytes, b.bytes) === 0);
