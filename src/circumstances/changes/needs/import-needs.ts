/** Which changes import a file that another change adds, deletes or renames: one can't be run without the other. */
import { posix } from 'node:path';
import type { Arrow } from '../arrows.js';
import type { Changes } from '../changes.js';
import type { Lines } from '../lines.js';
import { script } from './languages.js';

/** `require('./x')`, `import … from '../x'`, `import('./x')`, `export … from './x'`. */
const specifier = /(?:\brequire\s*\(|\bfrom|\bimport\s*\(?)\s*(['"`])(\.{1,2}(?:\/[^'"`\n]*)?)\1/g;
const endings = ['', '.js', '.mjs', '.cjs', '.json', '.ts', '.tsx', '.jsx', '/index.js', '/index.mjs', '/index.ts'];

/** Which file a change brings or takes away. */
interface Moved {
  readonly come: ReadonlyMap<string, number>;
  readonly gone: ReadonlyMap<string, number>;
}

/**
 * What imports a new file needs the change that adds it; a change that deletes a file needs those that remove its imports. A file is only
 * looked for by relative paths, as the loader does.
 */
export function importNeeds({ changes, files }: Changes): readonly Arrow[] {
  const moved = movedIn(changes);
  if (moved.come.size + moved.gone.size === 0) return [];
  const arrows: Arrow[] = [];
  for (const [delta, { parts }] of changes.entries())
    for (const { file, oldStart, oldCount, newStart, newCount } of parts) {
      const { oldPath, newPath, oldLines, newLines } = files[file]!;
      for (const other of imported(moved.come, newPath, newLines.slice(newStart, newStart + newCount)))
        if (other !== delta) arrows.push([delta, other]);
      for (const other of imported(moved.gone, oldPath, oldLines.slice(oldStart, oldStart + oldCount)))
        if (other !== delta) arrows.push([other, delta]);
    }
  return arrows;
}

function movedIn(changes: Changes['changes']): Moved {
  const [come, gone] = [new Map<string, number>(), new Map<string, number>()];
  for (const [delta, { parts }] of changes.entries())
    for (const { kind, oldPath, newPath } of parts) {
      if ((kind === 'add' || kind === 'rename') && newPath !== undefined) come.set(newPath, delta);
      if ((kind === 'delete' || kind === 'rename') && oldPath !== undefined) gone.set(oldPath, delta);
    }
  return { come, gone };
}

function imported(files: Moved['come'], path: string | undefined, lines: Lines): ReadonlySet<number> {
  const found = new Set<number>();
  if (path === undefined || !script.test(path)) return found;
  for (const line of lines)
    for (const [, , name] of line.matchAll(specifier)) {
      const target = posix.join(posix.dirname(path), name!).replace(/\/$/, '');
      const ending = endings.find(each => files.has(target + each));
      if (ending !== undefined) found.add(files.get(target + ending)!);
    }
  return found;
}
