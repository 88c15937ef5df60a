/** Where a part of an old text goes in a new one, so that its lines look as if they had always been there. */
import type { Span } from '../edit.js';
import { type FlatTree, grammarAt } from '../flat-tree.js';

/** What is before a place on its line, if that is only white space. */
export function indentOf(text: string, at: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return before.trim() === '' ? before : undefined;
}

/** White space that the line of a place begins with. */
export const lineIndent = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))![0];

/** A part of old whose lines begin where those of a place in new do. */
export function reindent(part: string, from: string, to: string): string {
  return part
    .split('\n')
    .map((line, i) => (i > 0 && line.startsWith(from) ? to + line.slice(from.length) : line))
    .join('\n');
}

/** A part of old, for the column of a node of new. */
export const textFor = (old: FlatTree, [start, end]: Range, now: FlatTree, near: number): string =>
  reindent(old.text.slice(start, end), lineIndent(old.text, start), lineIndent(now.text, now.start[near]!));

/** From an offset up to another one. */
export type Range = readonly [start: number, end: number];

/** Whether commas are between a part and its neighbours. */
export function isBetweenCommas({ text, start, end }: FlatTree, part: number): boolean {
  const before = text.slice(0, start[part]).trimEnd().at(-1);
  const after = /\S/.exec(text.slice(end[part]!, end[part]! + mostBlank))?.[0];
  return before === ',' || after === ',';
}

const mostBlank = 200;

/** What may follow a statement on its line. */
const restOfLine = /^[ \t]*;?[ \t\r]*(?:(?:\/\/|#).*|\/\*.*\*\/[ \t\r]*)?(?=\n|$)/;

/** Behind a part. The comma behind it then is behind what is put there. */
export function putAfter({ text, start, end }: FlatTree, part: number, put: string, withComma: boolean): Span {
  const indent = indentOf(text, start[part]!);
  const between = indent === undefined ? ' ' : `\n${indent}`;
  const rest = withComma ? '' : restOfLine.exec(text.slice(end[part]))?.[0];
  const at = end[part]! + (indent === undefined ? 0 : (rest?.length ?? 0));
  return { start: at, end: at, text: (withComma ? ',' : '') + between + put };
}

/** Before a part. */
export function putBefore({ text, start }: FlatTree, part: number, put: string, withComma: boolean): Span {
  const at = start[part]!;
  const indent = indentOf(text, at);
  return { start: at, end: at, text: put + (withComma ? ',' : '') + (indent === undefined ? ' ' : `\n${indent}`) };
}

/** A header of old around some parts of new, and its end. The lines between them stay as they are, if indentation means nothing. */
export function putAround(now: FlatTree, [first, last]: readonly [number, number], header: string, tail: string): Span {
  const [start, end] = [now.start[first]!, now.end[last]!];
  const indent = lineIndent(now.text, start);
  const inside = now.text.slice(start, end);
  const { layout } = grammarAt(now, first).language;
  const deeper = indent.includes('\t') ? '\t' : '    ';
  const lines = layout ? `${deeper}${reindent(inside, indent, indent + deeper)}` : inside;
  return { start, end, text: `${header}\n${indent}${lines}${tail === '' ? '' : `\n${indent}${tail}`}` };
}
