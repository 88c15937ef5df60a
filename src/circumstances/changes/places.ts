/** Which changes touch which lines of which file. */
import { addTo } from '../../core/lists.js';
import type { Changes } from './changes.js';

export type Side = 'old' | 'new';
export type Places = ReturnType<typeof deltasByLine>;

export function deltasByLine({ changes }: Changes) {
  const byFile = new Map<number, { readonly delta: number; readonly old: Range; readonly new: Range }[]>();
  for (const [delta, { parts }] of changes.entries())
    for (const { file, oldStart, oldCount, newStart, newCount } of parts)
      addTo(byFile, file, { delta, old: [oldStart, oldStart + oldCount], new: [newStart, newStart + newCount] });
  const filesOf = changes.map(({ parts }) => new Set(parts.map(({ file }) => file)));
  return {
    inFile: (file: number): readonly number[] => (byFile.get(file) ?? []).map(({ delta }) => delta),
    isIn: (delta: number, file: number): boolean => filesOf[delta]!.has(file),
    between(file: number, side: Side, from: number, to: number): readonly number[] {
      const places = byFile.get(file) ?? [];
      const found: number[] = [];
      // Both ends of the places rise, so the first one that reaches `from` is found by halving.
      let [low, high] = [0, places.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (places[middle]![side][1] > from) high = middle;
        else low = middle + 1;
      }
      for (let i = low; i < places.length && places[i]![side][0] <= to; i++)
        if (places[i]![side][1] > from) found.push(places[i]!.delta);
      return found;
    },
  };
}

type Range = readonly [from: number, past: number];
