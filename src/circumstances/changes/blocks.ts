/** Which changed lines form a block: a header, what is indented below it, and the line that closes it. */
import { addTo } from '../../core/lists.js';
import type { Changes } from './changes.js';

/** Nested blocks are distinguished down to this depth. */
const deepest = 2;

type Groups = readonly (readonly number[])[];

/**
 * Groupings of lines, the outermost blocks first. At each depth a block is one group, and so is the frame of a block around
 * deeper ones: its header and its closing line belong together, so that the text mostly still parses without a group.
 */
export function blocksOf({ changes, files }: Changes, hunks: Groups): readonly Groups[] {
  const paths = new Map<number, readonly number[]>();
  for (const members of hunks) {
    const open: { readonly indent: number; readonly id: number }[] = [];
    for (const delta of members) {
      const [part] = changes[delta]!.parts;
      if (part === undefined) {
        paths.set(delta, []);
        continue;
      }
      const { oldLines, newLines } = files[part.file]!;
      const text = (part.newCount > 0 ? newLines[part.newStart] : oldLines[part.oldStart]) ?? '';
      const indent = indentOf(text);
      if (indent >= 0) {
        const closes = /^\s*(?:[\])}]|end\b|<\/|#\s*endif)/.test(text);
        while (open.length > 0 && open.at(-1)!.indent >= indent + (closes ? 1 : 0)) open.pop();
        if (open.at(-1)?.indent !== indent) open.push({ indent, id: delta });
      }
      paths.set(
        delta,
        open.map(({ id }) => id),
      );
    }
  }
  const groupings = Array.from({ length: deepest }, (_, depth) => {
    const groups = new Map<string, number[]>();
    for (const [delta, path] of paths)
      addTo(groups, path.length === 0 ? `line ${delta}` : path.slice(0, depth + 1).join('/'), delta);
    return [...groups.values()];
  });
  return groupings.filter((groups, i) => groups.length !== groupings[i - 1]?.length);
}

/**
 * Hunks that are in one block, by its header: a loop whose counter has another name differs in its header and wherever it counts, and none of these can go by
 * itself. A hunk without others in its block is a group of its own.
 */
export function acrossHunks({ changes, files }: Changes, hunks: Groups): Groups {
  const groups: number[][] = [];
  let block: { readonly file: number; readonly indent: number; past: number } | undefined;
  for (const members of hunks) {
    const parts = members.flatMap(delta => changes[delta]!.parts);
    const [first] = parts;
    if (first === undefined) continue;
    const { newLines, oldLines } = files[first.file]!;
    const indent = indentOf((first.newCount > 0 ? newLines[first.newStart] : oldLines[first.oldStart]) ?? '');
    const past = parts.reduce((most, { newStart, newCount }) => Math.max(most, newStart + newCount), 0);
    const around = block;
    const isInside =
      around !== undefined &&
      around.file === first.file &&
      indent > around.indent &&
      newLines.slice(around.past, first.newStart).every(line => line.trim() === '' || indentOf(line) > around.indent);
    if (isInside) {
      for (const delta of members) groups.at(-1)!.push(delta);
      around.past = past;
    } else {
      groups.push([...members]);
      block = { file: first.file, indent, past };
    }
  }
  return groups;
}

const indentOf = (line: string): number => line.replaceAll('\t', '        ').search(/\S/);
