/** Makes the lines of a diff readable on a terminal: what can't be seen gets a sign, and a long line is shown by what differs in it. */

import { hunksBetween } from '../core/diff.js';

const widest = 100;

/** The lines of a change with what is around them; a pair that differs only in what can't be seen is shown with signs for it, a long one by its differing columns. */
export function shownCode(code: string): readonly string[] {
  const lines = code.split('\n').filter(line => line !== '');
  const [removed, added] = [lines.filter(line => line.startsWith('-')), lines.filter(line => line.startsWith('+'))];
  const isPaired = removed.length === added.length && removed.length > 0;
  const isBlind =
    removed.length > 0 &&
    removed
      .map(line => line.slice(1))
      .join('')
      .replace(/\s/g, '') ===
      added
        .map(line => line.slice(1))
        .join('')
        .replace(/\s/g, '');
  if (isPaired && removed.some((line, i) => isWide(line) || isWide(added[i]!))) {
    let at = 0;
    return lines.flatMap(line => {
      if (!line.startsWith('-')) return line.startsWith('+') ? [] : [line];
      const other = added[at++]!;
      return isWide(line) || isWide(other) ? byColumns(line, other) : [line, other];
    });
  }
  const visible = isBlind ? lines.map(line => line[0] + withSigns(line.slice(1))) : lines;
  return visible.map(line => (line.length > widest ? `${line.slice(0, widest)}… (${line.length - 1} columns)` : line));
}

/** With its sign. */
const isWide = (line: string): boolean => line.length > widest + 1;

const withSigns = (text: string): string =>
  text
    .replaceAll('\t', '→')
    .replaceAll('\r', '␍')
    .replaceAll('\u00a0', '⍽')
    .replace(/^ +|(?<! ) +$/g, spaces => '·'.repeat(spaces.length));

/** More places of a line are not shown. */
const mostPlaces = 4;
/** Columns around a place. */
const around = 24;

/** Only what differs in two long lines, place by place, with the words around it and the column in the new line. */
function byColumns(removed: string, added: string): readonly string[] {
  const [old, now] = [removed.slice(1), added.slice(1)];
  const places = placesBetween(old, now);
  const piece = (text: string, [start, end]: Span) => {
    const middle = text.slice(start, end);
    const cut = middle.length > widest ? `${middle.slice(0, widest)}…` : middle;
    const [from, to] = [Math.max(0, start - around), Math.min(text.length, end + around)];
    return `${from > 0 ? '…' : ''}${text.slice(from, start)}[${cut}]${text.slice(end, to)}${to < text.length ? '…' : ''}`;
  };
  const shown = places
    .slice(0, mostPlaces)
    .flatMap(each => [`at column ${each.now[0] + 1}:`, `-${piece(old, each.old)}`, `+${piece(now, each.now)}`]);
  const others = places.length - mostPlaces;
  return others > 0 ? [...shown, `… ${others} more ${others === 1 ? 'place' : 'places'} in this line`] : shown;
}

type Span = readonly [start: number, end: number];

interface Place {
  readonly old: Span;
  readonly now: Span;
}

/** What differs between two places is shown with them if it is as short as this. */
const close = 8;

/** The columns that differ, by words and signs. */
function placesBetween(old: string, now: string): readonly Place[] {
  const [before, after] = [columnsOf(old), columnsOf(now)];
  const places: Place[] = [];
  for (const { oldStart, oldCount, newStart, newCount } of hunksBetween(before.words, after.words)) {
    const [from, to] = [before.at[oldStart]!, before.at[oldStart + oldCount]!];
    const [start, end] = [after.at[newStart]!, after.at[newStart + newCount]!];
    const last = places.at(-1);
    if (last && from - last.old[1] <= close)
      places[places.length - 1] = { old: [last.old[0], to], now: [last.now[0], end] };
    else places.push({ old: [from, to], now: [start, end] });
  }
  return places.map(place => (place.old[1] - place.old[0] > around ? trimmed(old, now, place) : place));
}

/** A long word is shown by the characters that differ. */
function trimmed(old: string, now: string, { old: [from, to], now: [start, end] }: Place): Place {
  const most = Math.min(to - from, end - start);
  let before = 0;
  while (before < most && old[from + before] === now[start + before]) before++;
  let behind = 0;
  while (behind < most - before && old[to - 1 - behind] === now[end - 1 - behind]) behind++;
  return { old: [from + before, to - behind], now: [start + before, end - behind] };
}

/** The words and signs of a line, and the column where each begins; one more for its end. */
function columnsOf(line: string): { readonly words: readonly string[]; readonly at: readonly number[] } {
  const words = line.match(/[\p{L}\p{N}_$]+|\s+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  const at = [0];
  for (const word of words) at.push(at.at(-1)! + word.length);
  return { words, at };
}
