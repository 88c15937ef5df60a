/** Compares original and result, side by side, for the page. */
import { isUtf8 } from 'node:buffer';
import { lengthOf, type Origin, type Trace } from '../core/trace.js';
import { type Alignment, align } from './align.js';

/**
 * A piece of a line: 1 if it is marked, because it is in both (original), was inserted (result), or is only here (a pair), and the number of its colour if
 * it has one; `skip` is the number of characters that were left out.
 */
export type Segment = readonly [text: string, marked: 0 | 1, colour?: number] | { readonly skip: number };

export type Block =
  | { readonly line: number; readonly segments: readonly Segment[] }
  /** Lines without a mark. Their text is included while the page stays small. */
  | { readonly line: number; readonly fold: number; readonly text?: string };

export interface Comparison {
  readonly path?: string;
  /** The marks were traced through all edits. Otherwise the two texts were compared. */
  readonly traced?: true;
  /** The two are a passing and a failing input: what only one of them has is marked. */
  readonly pair?: true;
  readonly original?: readonly Block[];
  readonly result?: readonly Block[];
  readonly originalBytes: number;
  readonly resultBytes?: number;
  /** Why a side is not shown. */
  readonly note?: string;
  /** The result itself, if it is short enough to include. */
  readonly download?: { readonly text: string } | { readonly base64: string };
}

export interface ComparedFile {
  readonly path?: string;
  readonly original: string | Uint8Array;
  /** Absent when nothing of the file remains. */
  readonly result?: string | Uint8Array;
  /** How the result was made from the original. If absent, the two are compared. */
  readonly origin?: Origin;
  /** The original is a passing input, and the result a failing one. */
  readonly pair?: true;
  readonly colours?: { readonly original?: Colours; readonly result?: Colours };
}

/** Start, end and colour number, repeated, in order. */
type Colours = readonly number[];

const mostCharacters = 4_000_000;
const mostFolded = 600_000;
const mostLines = 3_000;
const context = 2;
const longestPlain = 240;
const longestMarked = 4_000;

export function compare(file: ComparedFile): Comparison {
  const originalBytes = bytesIn(file.original);
  const sizes = { ...(file.path !== undefined && { path: file.path }), originalBytes };
  if (file.result === undefined) return { ...sizes, note: 'This file was removed.' };
  const result = textOf(file.result);
  const shown = { ...sizes, resultBytes: bytesIn(file.result), ...downloadOf(file.result) };
  const colourOf = (side: 'original' | 'result') => {
    const colours = file.colours?.[side];
    return colours ? { colours } : {};
  };
  if (originalBytes > mostCharacters)
    return {
      ...shown,
      result: blocksOf({ text: result, ...colourOf('result') }, [], 'everything'),
      note: 'The original is too large to show. This is only the result.',
    };
  const original = textOf(file.original);
  if (file.origin === 'unknown')
    return {
      ...shown,
      original: blocksOf({ text: original, ...colourOf('original') }, [], 'around marks'),
      result: blocksOf({ text: result, ...colourOf('result') }, [], 'everything'),
      note: 'How this file was made from the original was not recorded, so nothing is marked.',
    };
  if (file.pair) {
    const common = align(original, result);
    const only = (text: string, shared: readonly number[]) =>
      blocksOf({ text }, complementOf(shared, text.length), 'around marks');
    return { ...shown, pair: true, original: only(original, common.kept), result: only(result, common.old) };
  }
  const { kept, old } =
    file.origin === undefined
      ? align(original, result)
      : traced(file.origin, offsetsIn(file.original), offsetsIn(file.result));
  return {
    ...shown,
    ...(file.origin === undefined ? {} : { traced: true as const }),
    original: blocksOf({ text: original, ...colourOf('original') }, kept, 'around marks'),
    result: blocksOf({ text: result, ...colourOf('result') }, complementOf(old, result.length), 'everything'),
  };
}

/** The parts that remain, in both texts. What was inserted is in neither list. */
function traced(origin: Trace | 'same', inOriginal: Offsets, inResult: Offsets): Alignment {
  const parts = origin === 'same' ? [{ start: 0, end: inOriginal.length }] : origin;
  const kept: number[] = [];
  const old: number[] = [];
  let at = 0;
  for (const part of parts) {
    const end = at + lengthOf(part);
    if ('start' in part) {
      push(kept, inOriginal.of(part.start), inOriginal.of(part.end));
      push(old, inResult.of(at), inResult.of(end));
    }
    at = end;
  }
  return { kept, old };
}

function push(ranges: number[], start: number, end: number): void {
  if (ranges.at(-1) === start) ranges[ranges.length - 1] = end;
  else if (start < end) ranges.push(start, end);
}

interface Offsets {
  readonly length: number;
  /** Where something is in the text that is shown. */
  of(offset: number): number;
}

/** A trace counts in characters, or in bytes if the file is not UTF-8; there, a byte may be shown as four characters. */
function offsetsIn(content: string | Uint8Array): Offsets {
  const shown = textOf(content);
  const isText = typeof content === 'string' || isUtf8(content);
  if (isText) return { length: shown.length, of: offset => offset };
  const at = new Uint32Array(content.length + 1);
  let position = 0;
  for (const [offset, piece] of shownPieces(content)) {
    at[offset] = position;
    position += piece.length;
    // The bytes of one character are shown at its end.
    for (let next = offset + 1; next <= content.length && next < offset + 4; next++) at[next] = position;
  }
  return { length: content.length, of: offset => at[offset]! };
}

/** Bytes that are not UTF-8 are shown as \xNN: a reader must see that they are there, and which they are. */
export function textOf(content: string | Uint8Array): string {
  if (typeof content === 'string') return content;
  if (isUtf8(content)) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  const pieces: string[] = [];
  for (const [, piece] of shownPieces(content)) pieces.push(piece);
  return pieces.join('');
}

/** Characters, and bytes that are not characters, each with its offset in bytes. */
function* shownPieces(content: Uint8Array): Generator<readonly [offset: number, piece: string]> {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; at < content.length; ) {
    const length = sequenceLength(content, at);
    const character = length > 1 ? lenient.decode(content.subarray(at, at + length)) : '\ufffd';
    if (content[at]! < 0x80) yield [at, String.fromCharCode(content[at++]!)];
    else if (character.startsWith('\ufffd')) yield [at, `\\x${content[at++]!.toString(16).padStart(2, '0')}`];
    else {
      yield [at, character];
      at += length;
    }
  }
}

/** How many bytes from here may be one character; 1 if they are not. */
function sequenceLength(content: Uint8Array, at: number): number {
  const lead = content[at]!;
  const length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  for (let i = 1; i < length; i++) if (((content[at + i] ?? 0) & 0xc0) !== 0x80) return 1;
  return length;
}

const bytesIn = (content: string | Uint8Array): number =>
  typeof content === 'string' ? new TextEncoder().encode(content).length : content.length;

function complementOf(ranges: readonly number[], length: number): number[] {
  const bounds = [0, ...ranges, length];
  const rest: number[] = [];
  for (let i = 0; i < bounds.length; i += 2) if (bounds[i]! < bounds[i + 1]!) rest.push(bounds[i]!, bounds[i + 1]!);
  return rest;
}

const largestDownload = 100_000;

function downloadOf(content: string | Uint8Array): Pick<Comparison, 'download'> {
  if (content.length > largestDownload) return {};
  if (typeof content === 'string' || isUtf8(content)) return { download: { text: textOf(content) } };
  return { download: { base64: Buffer.from(content).toString('base64') } };
}

interface Coloured {
  readonly text: string;
  readonly colours?: Colours;
}

function blocksOf(coloured: Coloured, marks: readonly number[], show: 'everything' | 'around marks'): Block[] {
  const { text } = coloured;
  const lines = linesOf(text, marks);
  const near = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.marked) near.fill(1, Math.max(0, i - context), i + context + 1);
  });
  const whole = show === 'everything' || lines.length <= 40;
  const blocks: Block[] = [];
  let folded = 0;
  let shown = 0;
  for (let i = 0; i < lines.length; ) {
    let end = i;
    while (end < lines.length && !whole && !near[end]) end++;
    if (shown >= mostLines) end = lines.length;
    if (end - i > 1) {
      const hidden = text.slice(lines[i]!.from, lines[end - 1]!.to);
      folded += hidden.length;
      blocks.push({ line: i + 1, fold: end - i, ...(folded <= mostFolded && { text: hidden }) });
      i = end;
      continue;
    }
    blocks.push({ line: i + 1, segments: segmentsOf(coloured, lines[i]!, marks) });
    shown++;
    i++;
  }
  return blocks;
}

interface TextLine {
  readonly from: number;
  /** Without its line end. */
  readonly to: number;
  readonly marked: boolean;
  /** The first mark that overlaps it. */
  readonly mark: number;
}

function linesOf(text: string, marks: readonly number[]): TextLine[] {
  const lines: TextLine[] = [];
  let mark = 0;
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    while (mark < marks.length && marks[mark + 1]! <= from) mark += 2;
    // A line of which only the line end remains is not worth showing.
    lines.push({ from, to, marked: mark < marks.length && marks[mark]! < to, mark });
    from = to + 1;
  }
  return lines;
}

function segmentsOf({ text, colours = [] }: Coloured, line: TextLine, marks: readonly number[]): Segment[] {
  const segments: Segment[] = [];
  let colour = firstColour(colours, line.from);
  const add = (from: number, to: number, marked: 0 | 1) => {
    for (let at = from; at < to; ) {
      while (colour < colours.length && colours[colour + 1]! <= at) colour += 3;
      const start = colours[colour] ?? Number.POSITIVE_INFINITY;
      const isInside = start <= at;
      const end = Math.min(to, isInside ? colours[colour + 1]! : start);
      segments.push(isInside ? [text.slice(at, end), marked, colours[colour + 2]!] : [text.slice(at, end), marked]);
      at = end;
    }
  };
  const addShort = (from: number, to: number, marked: 0 | 1) => {
    const longest = marked ? longestMarked : longestPlain;
    if (to - from <= longest) return add(from, to, marked);
    add(from, from + longest / 2, marked);
    segments.push({ skip: to - from - longest });
    add(to - longest / 2, to, marked);
  };
  let at = line.from;
  for (let i = line.mark; i < marks.length && marks[i]! < line.to; i += 2) {
    const start = Math.max(at, marks[i]!);
    const end = Math.min(line.to, marks[i + 1]!);
    addShort(at, start, 0);
    addShort(start, end, 1);
    at = end;
  }
  addShort(at, line.to, 0);
  return segments;
}

/** The first colour that ends after this offset. */
function firstColour(colours: Colours, offset: number): number {
  let [low, high] = [0, colours.length / 3];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (colours[3 * middle + 1]! <= offset) low = middle + 1;
    else high = middle;
  }
  return 3 * low;
}
