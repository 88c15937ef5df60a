/** Which changes of a finer granularity a coarser one is made of. */
import type { Hunk } from '../../core/diff.js';
import { type Configuration, deltasOf, of } from '../../core/index.js';
import { addTo } from '../../core/lists.js';
import type { Changes } from './changes.js';
import type { Part } from './parts.js';

/** The lines that each hunk is made of. Something that happens to a file as a whole is one change at both levels. */
export function linesOf(hunks: Changes, lines: Changes): (hunks: Configuration) => Configuration {
  const byFile = new Map<number, number[]>();
  for (const [delta, { parts }] of lines.changes.entries()) for (const { file } of parts) addTo(byFile, file, delta);
  const covers = (hunk: number, line: number): boolean =>
    hunks.changes[hunk]!.parts.some(outer => contains(outer, lines.changes[line]!.parts[0]!));
  const known = new Map<number, readonly number[]>();
  const inHunk = (hunk: number): readonly number[] => {
    const files = new Set(hunks.changes[hunk]!.parts.map(({ file }) => file));
    const found =
      known.get(hunk) ?? [...files].flatMap(file => byFile.get(file) ?? []).filter(line => covers(hunk, line));
    known.set(hunk, found);
    return found;
  };
  return chosen => of([...deltasOf(chosen)].flatMap(hunk => inHunk(hunk)));
}

/** Whether a part of a coarser level is made of this one, among others. */
export const contains = (outer: Part, inner: Part): boolean =>
  outer.file === inner.file &&
  (inner.kind === 'line' || inner.kind === 'hunk'
    ? outer.kind === 'add' || ((outer.kind === 'line' || outer.kind === 'hunk') && holds(outer, inner))
    : outer.kind === inner.kind);

/** Whether all lines of one replacement are in another one. */
export const holds = (outer: Hunk, inner: Hunk): boolean =>
  inner.oldStart >= outer.oldStart &&
  inner.oldStart + inner.oldCount <= outer.oldStart + outer.oldCount &&
  inner.newStart >= outer.newStart &&
  inner.newStart + inner.newCount <= outer.newStart + outer.newCount;
