/**
 * An error that no name explains: where it is, a mix of old and new does not compile, so the changes there belong together. How far that goes is not known: first the
 * function, then the file, or, if that has many changes, those around the place.
 */
import { type Arrow, tied } from '../arrows.js';
import type { Changes } from '../changes.js';
import { enclosing, functionAround } from '../functions.js';
import type { Lines } from '../lines.js';
import type { Place } from './complaints.js';
import { hasDeclarations } from './languages.js';

/** A file of the candidate that the errors are in. */
export type LinesOf = (path: string) => Lines | undefined;

/** In a file with more changes, an error says nothing about most of them. */
const manyChanges = 60;

/** How far from the place of an error a change may be, in lines. */
const nearby = 40;

/** The changes in the function of each error. */
export const tiedInFunctions = (changes: Changes, places: readonly Place[], linesOf: LinesOf): readonly Arrow[] =>
  places.flatMap(place => {
    const found = fileOf(changes, place, linesOf);
    const name = place.around ?? (found && enclosing(found.lines(), place.line - 1)?.name);
    if (!found || name === undefined) return [];
    return tieAll(found.deltas.filter(delta => functionAround(changes, delta) === name));
  });

/** The changes in the file of each error, or those around it. */
export const tiedInFiles = (changes: Changes, places: readonly Place[], linesOf: LinesOf): readonly Arrow[] =>
  places.flatMap(place => {
    const found = fileOf(changes, place, linesOf);
    if (!found) return [];
    const { deltas, file, lines } = found;
    if (deltas.length <= manyChanges) return tieAll(deltas);
    return tieAll(around(changes, { deltas, file, lines: lines(), at: place.line - 1 }));
  });

const tieAll = ([first, ...others]: readonly number[]): readonly Arrow[] =>
  first === undefined ? [] : tied(first, others);

function fileOf(changes: Changes, { path }: Place, linesOf: LinesOf) {
  const isHere = (other: string | undefined) => other === path || other?.endsWith(`/${path}`);
  const file = changes.files.findIndex(({ oldPath, newPath }) => isHere(newPath) || isHere(oldPath));
  if (file < 0 || !hasDeclarations(changes, file)) return undefined;
  const { oldPath = '', newPath = '' } = changes.files[file]!;
  const deltas = [...changes.changes.keys()].filter(delta =>
    changes.changes[delta]!.parts.some(part => part.file === file),
  );
  // A candidate of some megabytes takes a while to build and to read.
  return { file, deltas, lines: () => linesOf(newPath) ?? linesOf(oldPath) ?? [] };
}

interface Spot {
  readonly deltas: readonly number[];
  readonly file: number;
  /** The file in the candidate, and the line of the error in it, counted from 0. */
  readonly lines: Lines;
  readonly at: number;
}

/** The changes close to a line of a candidate: the lines there are those of one of the two versions. */
function around({ changes, files }: Changes, { deltas, file, lines, at }: Spot): readonly number[] {
  const { oldLines, newLines } = files[file]!;
  const [old, now] = [lineIn(oldLines, lines, at), lineIn(newLines, lines, at)];
  if (old === undefined && now === undefined) return [];
  const isOld = (old?.context ?? -1) > (now?.context ?? -1);
  const line = (isOld ? old : now)!.line;
  return deltas.filter(delta =>
    changes[delta]!.parts.some(part => {
      if (part.file !== file) return false;
      const [start, count] = isOld ? [part.oldStart, part.oldCount] : [part.newStart, part.newCount];
      return line >= start - nearby && line < start + count + nearby;
    }),
  );
}

/** More equal lines than this on either side say no more. */
const mostContext = 20;

/** Where a line of one text is in another: there, the most lines around it are the same. Of several places, the one at about the same line. */
function lineIn(
  text: Lines,
  lines: Lines,
  at: number,
): { readonly line: number; readonly context: number } | undefined {
  let best: { readonly line: number; readonly context: number } | undefined;
  const isEqual = (line: number, step: number) =>
    text[line + step] !== undefined && text[line + step] === lines[at + step];
  for (let line = 0; line < text.length; line++) {
    if (text[line] !== lines[at]) continue;
    let context = 0;
    for (const way of [-1, 1]) for (let step = 1; step <= mostContext && isEqual(line, way * step); step++) context++;
    const isBetter = !best || context > best.context;
    const isNearer = best?.context === context && Math.abs(line - at) < Math.abs(best.line - at);
    if (isBetter || isNearer) best = { line, context };
  }
  return best;
}
