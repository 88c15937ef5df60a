/** Aligns the lines of a file that was re-indented or reformatted: what differs only in formatting is kept apart from what really changed. */
import { type Hunk, hunksBetween, runsBetween } from '../../core/diff.js';
import { onceFor } from '../../core/once-for.js';
import { bareLines, isFreeForm } from './bare-lines.js';
import type { FileChange } from './diff.js';

/** `isFormatting`: as many lines on both sides, and each differs from the other only in what means nothing in its language. */
export interface AlignedHunk extends Hunk {
  readonly isFormatting?: true;
}

/** A file counts as reformatted if this share of the lines that a plain diff shows differ only in formatting. */
const enough = 1 / 4;

const aligned = new WeakMap<FileChange, readonly AlignedHunk[]>();

/** The hunks of a file, in order. They may touch each other if formatting is kept apart; otherwise they are those of a plain diff. */
export const alignedHunks = (change: FileChange): readonly AlignedHunk[] =>
  onceFor(aligned, change, () => align(change));

/** What really changed. Between these hunks, both versions have as many lines. */
export const realHunks = (change: FileChange): readonly AlignedHunk[] =>
  alignedHunks(change).filter(({ isFormatting }) => !isFormatting);

function align(change: FileChange): readonly AlignedHunk[] {
  const { hunks, oldLines, newLines, newPath = '' } = change;
  if (hunks.length === 0 || !isFreeForm(newPath)) return hunks;
  const bare = { old: bareLines(newPath, oldLines), new: bareLines(newPath, newLines) };
  const alike = hunksBetween(bare.old, bare.new);
  const isChance = (line: number) => !/[\p{L}\p{N}]/u.test(bare.old[line]!);
  const real = joinOverChance(alike, (from, to, shift) => {
    for (let line = from; line < to; line++) if (!isChance(line)) return false;
    return oldLines.slice(from, to).some((text, i) => text !== newLines[from + shift + i]);
  });
  const formatting = formattingBetween(real, change);
  const moved = formatting.reduce((sum, { oldCount }) => sum + 2 * oldCount, 0);
  const shown = hunks.reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0);
  if (moved < enough * shown) return hunks;
  return [...real, ...formatting].sort((a, b) => a.oldStart + a.newStart - b.oldStart - b.newStart);
}

/** Closing brackets alone do not show that two places are the same: the hunks around them become one. */
function joinOverChance(
  hunks: readonly Hunk[],
  isByChance: (from: number, to: number, shift: number) => boolean,
): readonly Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const before = joined.at(-1);
    const end = before ? before.oldStart + before.oldCount : 0;
    if (!before || !isByChance(end, hunk.oldStart, hunk.newStart - hunk.oldStart)) joined.push(hunk);
    else
      joined[joined.length - 1] = {
        ...before,
        oldCount: hunk.oldStart + hunk.oldCount - before.oldStart,
        newCount: hunk.newStart + hunk.newCount - before.newStart,
      };
  }
  return joined;
}

/** Runs of lines between the hunks that are not the same byte for byte. */
function formattingBetween(hunks: readonly Hunk[], { oldLines, newLines }: FileChange): readonly AlignedHunk[] {
  const found: AlignedHunk[] = [];
  for (const { start, end, shift } of runsBetween(hunks, oldLines.length))
    for (let line = start; line < end; line++) {
      const oldStart = line;
      while (line < end && oldLines[line] !== newLines[line + shift]) line++;
      const count = line - oldStart;
      if (count > 0)
        found.push({ oldStart, oldCount: count, newStart: oldStart + shift, newCount: count, isFormatting: true });
    }
  return found;
}
