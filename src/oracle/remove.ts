/** Removes whatever a test may have left: names of any bytes, folders of any depth, folders without permissions. */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';

type Path = string | Buffer;

export function remove(path: Path): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    removeFlat(typeof path === 'string' ? Buffer.from(path) : path);
  }
}

/** A test may have removed the permission to read a folder, or to change it. */
export function unlock(path: Path, mode: number): void {
  if ((mode & 0o700) !== 0o700) chmodSync(path, 0o755);
}

const slash = Buffer.from('/');
const inside = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, slash, name]);
const namesIn = (folder: Buffer): readonly Buffer[] => readdirSync(folder, { encoding: 'buffer' });

/** Never descends more than two levels: what is deeper is moved up first, since a path may be longer than the system accepts. */
function removeFlat(root: Buffer): void {
  const stats = lstatSync(root, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    unlinkSync(root);
    return;
  }
  unlock(root, stats.mode);
  for (let names = namesIn(root); names.length > 0; names = namesIn(root))
    for (const name of names) {
      const child = inside(root, name);
      if (!openFolder(child)) continue;
      for (const below of namesIn(child)) {
        const path = inside(child, below);
        if (openFolder(path)) renameSync(path, inside(root, Buffer.from(randomBytes(12).toString('hex'))));
      }
      rmdirSync(child);
    }
  rmdirSync(root);
}

/** Makes a folder ready to be emptied. Removes anything else at once. */
function openFolder(path: Buffer): boolean {
  const stats = lstatSync(path);
  if (stats.isDirectory()) unlock(path, stats.mode);
  else unlinkSync(path);
  return stats.isDirectory();
}
