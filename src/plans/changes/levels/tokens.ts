/** The level below lines: long lines that are to blame, cut by their tokens, so that a minified file is narrowed to a place in it. */
import { type Changes, type ChangesOptions, changesBetween } from '../../../circumstances/changes/changes.js';
import { type CutLine, cutLine, type IsBracket, isLongPair } from '../../../circumstances/changes/columns.js';
import type { FileChange } from '../../../circumstances/changes/diff.js';
import { joinChanges } from '../../../circumstances/changes/join.js';
import type { Lines } from '../../../circumstances/changes/lines.js';
import type { Part } from '../../../circumstances/changes/parts.js';
import type { Hunk } from '../../../core/diff.js';
import { type Configuration, deltasOf, of } from '../../../core/index.js';
import { addTo } from '../../../core/lists.js';
import type { Grouping } from '../../../strategies/cutting.js';
import { isLeaf } from '../../../syntax/flat-tree.js';
import { languageOf } from '../../../syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../syntax/syntax.js';
import { type Level, levelOf } from './levels.js';
import { rejectSyntaxErrors } from './reject-syntax-errors.js';

/** The lines that are searched already, and the options that cut them. */
export interface SearchedLines {
  /** Lines joined into statements. */
  readonly lines: Changes;
  readonly isSplit: NonNullable<ChangesOptions['isSplit']>;
}

/** Whether any of these lines is too long to read. */
export const hasLongLines = ({ changes, files }: Changes, chosen: Configuration): boolean =>
  [...deltasOf(chosen)].some(delta => changes[delta]!.parts.some(part => isLong(part, files)));

const isLong = (part: Part, files: readonly FileChange[]): boolean =>
  (part.kind === 'line' || part.kind === 'hunk') && isLongPair(part, files[part.file]!);

/** `chosen`: the lines that are to blame. Only these are cut. */
export async function tokensIn({ lines, isSplit }: SearchedLines, chosen: Configuration): Promise<Level> {
  const cuts = await cutsIn(lines, chosen);
  const single = changesBetween(lines.old, lines.new, {
    granularity: 'line',
    isSplit,
    columnsOf: (file, line) => cuts.get(lineName(file, line))?.edits,
  });
  const { groups, lineOf, paths } = groupsIn(single, lines, cuts);
  const joined = joinChanges(single, groups);
  const byLine: number[][] = Array.from({ length: lines.count }, () => []);
  for (const [delta, line] of lineOf.entries()) byLine[line]!.push(delta);
  const tokens = await rejectSyntaxErrors({
    ...joined,
    build(configuration) {
      // What is not applied without what: lines that are cut are no different from others in that.
      const touched = of([...new Set([...deltasOf(configuration)].map(delta => lineOf[delta]!))]);
      return lines.build(touched) && joined.build(configuration);
    },
  });
  return {
    ...levelOf(tokens, 'token', above => of([...deltasOf(above)].flatMap(line => byLine[line]!))),
    groupings: [byLine, ...groupingsBy(paths)],
    proven: [byLine],
    isCutFromFew: true,
    syntaxErrorIn: tokens.syntaxErrorIn,
  };
}

const lineName = (file: number, { oldStart, newStart }: Hunk): string => `${file} ${oldStart} ${newStart}`;

async function cutsIn({ changes, files }: Changes, chosen: Configuration): Promise<ReadonlyMap<string, CutLine>> {
  const cuts = new Map<string, CutLine>();
  const parts = [...deltasOf(chosen)].flatMap(delta => changes[delta]!.parts).filter(part => isLong(part, files));
  for (const file of new Set(parts.map(part => part.file))) {
    const { oldPath, newPath, oldLines, newLines } = files[file]!;
    const [before, after] = [await bracketsIn(oldPath, oldLines), await bracketsIn(newPath, newLines)];
    for (const part of parts.filter(each => each.file === file)) {
      const cut = cutLine(oldLines[part.oldStart]!, newLines[part.newStart]!, {
        old: before?.(part.oldStart),
        new: after?.(part.newStart),
      });
      cuts.set(lineName(file, part), cut);
    }
  }
  return cuts;
}

/** Where a grammar sees brackets, line by line; undefined if there is no grammar, or it can't read the text. */
async function bracketsIn(path: string | undefined, lines: Lines): Promise<((line: number) => IsBracket) | undefined> {
  const language = path === undefined ? undefined : languageOf(path);
  if (!language || language.markup) return undefined;
  const tree = hostTree(lines.join(''), await syntaxOf(language));
  if (!tree) return undefined;
  const brackets = new Set<number>();
  for (let node = 0; node < tree.count; node++)
    if (isLeaf(tree, node) && tree.end[node] === tree.start[node]! + 1) brackets.add(tree.start[node]!);
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length);
  return line => column => brackets.has(starts[line]! + column);
}

/** Which parts are one delta, the line that each delta is from, and where it is in the line. */
function groupsIn(single: Changes, lines: Changes, cuts: ReadonlyMap<string, CutLine>) {
  const partName = ({ file, kind, oldStart, oldCount, newStart, newCount }: Part): string =>
    [file, kind, oldStart, oldCount, newStart, newCount].join(' ');
  const lineBy = new Map(
    lines.changes.flatMap(({ parts }, line) => parts.map(part => [partName(part), line] as const)),
  );
  const editsSeen = new Map<string, number>();
  const groups = new Map<string, number[]>();
  const lineOf: number[] = [];
  const paths: (readonly string[])[] = [];
  for (const [delta, { parts }] of single.changes.entries()) {
    const part = parts[0]!;
    const line = lineBy.get(partName(part))!;
    const cut = part.columns && cuts.get(lineName(part.file, part));
    const name = lineName(part.file, part);
    const edit = editsSeen.get(name) ?? 0;
    if (cut) editsSeen.set(name, edit + 1);
    const group = cut ? `${name} ${cut.firstOf[edit]}` : `line ${line}`;
    if (!groups.has(group)) {
      lineOf.push(line);
      paths.push(cut ? [name, ...cut.paths[edit]!] : [`line ${line}`]);
    }
    addTo(groups, group, delta);
  }
  return { groups: [...groups.values()], lineOf, paths };
}

/** Brackets inside brackets are told apart down to this depth. */
const deepest = 12;

/** What is in the same statement, the outermost first; only depths that separate more than the one before. */
function groupingsBy(paths: readonly (readonly string[])[]): readonly Grouping[] {
  const found: Grouping[] = [];
  for (let depth = 2; depth <= deepest; depth++) {
    const groups = new Map<string, number[]>();
    for (const [delta, path] of paths.entries()) addTo(groups, path.slice(0, depth).join('/'), delta);
    // A few more groups are not worth another walk.
    const isFiner = groups.size >= 2 * (found.at(-1)?.length ?? 1) && groups.size < paths.length;
    if (isFiner) found.push([...groups.values()]);
  }
  return found;
}
