/** Which changes are ends of a move: one takes a line out, and another one puts the same line in. */
import { joined } from '../../core/groups.js';
import type { Changes } from './changes.js';

interface Ends {
  readonly removed: number[];
  readonly added: number[];
}

/**
 * Each change of these hunks is in one group, alone if it moves nothing. Half of a move leaves the line out or has it twice, so neither end can be left out without
 * the other one, although both of them may be. Only lines that one change removes and one adds: `return;` is in many places.
 */
export function movesIn(
  { changes, files }: Changes,
  hunks: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const deltas = hunks.flat();
  const ends = new Map<string, Ends>();
  for (const delta of deltas)
    for (const { file, oldStart, oldCount, newStart, newCount } of changes[delta]!.parts) {
      const { oldLines, newLines } = files[file]!;
      for (const [side, lines] of [
        ['removed', oldLines.slice(oldStart, oldStart + oldCount)],
        ['added', newLines.slice(newStart, newStart + newCount)],
      ] as const)
        for (const line of lines.filter(each => /\w/.test(each))) {
          const name = `${file} ${line.trim()}`;
          if (!ends.has(name)) ends.set(name, { removed: [], added: [] });
          ends.get(name)![side].push(delta);
        }
    }
  const moves = [...ends.values()].filter(({ removed, added }) => removed.length === 1 && added.length === 1);
  return joined(
    deltas,
    moves.map(({ removed, added }) => [removed[0]!, added[0]!]),
  );
}
