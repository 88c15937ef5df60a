/** What is to blame, in words for a terminal: file, line, function, and the lines themselves with what can't be seen made visible. */
import { addTo } from '../../core/lists.js';
import type { Culprit, Reverted } from './culprits.js';

/** More would push the sentence above it off the screen. */
const mostLines = 40;
const mostPlaces = 14;
const widest = 100;

/** A place in words, and its lines. */
interface Entry {
  readonly line: string;
  readonly code: readonly string[];
}

/** The smallest revert comes first if it differs from the cause. `tail`: the text after all culprits. */
export function describeCulprits(
  culprits: readonly Culprit[],
  revert: readonly Reverted[],
  tail: readonly string[],
): readonly string[] {
  const causes = culprits.filter(({ role }) => role === 'cause');
  const needed = neededLines(culprits.filter(({ role }) => role === 'needed'));
  const isSame =
    revert.length === culprits.length &&
    revert.every(({ change, code }) => culprits.some(each => each.change === change && each.code === code));
  const entryOf = (lead: string, each: Reverted): Entry => ({
    line: `${lead} ${placeOf(each)}`,
    code: shownCode(each.excerpt),
  });
  const reverted = isSame ? [] : revert;
  const entries = [
    ...shortened(reverted.map((each, i) => entryOf(i === 0 ? 'smallest revert:' : 'and', each))),
    ...shortened(causes.map((each, i) => entryOf(leadOf(each, causes[i - 1]), each))),
  ];
  const room = mostLines - tail.length - needed.length - entries.length;
  const shown = fairShares(
    entries.map(({ code }) => code.length),
    room,
  );
  return [
    ...entries.flatMap(({ line, code }, i) => [line, ...cutCode(code, shown[i]!).map(each => `  ${each}`)]),
    ...needed,
    ...tail,
  ];
}

/** The first places; how many there are besides. */
function shortened(entries: readonly Entry[]): readonly Entry[] {
  const most = mostPlaces / 2;
  if (entries.length <= most) return entries;
  return [...entries.slice(0, most - 1), { line: `and ${entries.length - most + 1} more: see the patches`, code: [] }];
}

/** What is needed, file by file: where it is says enough. */
function neededLines(needed: readonly Culprit[]): readonly string[] {
  const byFile = new Map<string, Culprit[]>();
  for (const each of needed) addTo(byFile, each.file, each);
  const lines = [...byFile].map(([file, all]) => {
    const [first, ...others] = all.map(placeOf);
    const more = others.slice(0, mostPlaces).map(place => place.replace(`${file}:`, ''));
    const left = others.length - more.length;
    return `needed so that it builds or runs: ${[first, ...more, ...(left > 0 ? [`and ${left} more`] : [])].join(', ')}`;
  });
  return lines.length <= 4
    ? lines
    : [...lines.slice(0, 3), `and changes in ${lines.length - 3} more files: see the patches`];
}

/** How many lines each may show, so that a long one does not hide the others. */
function fairShares(lengths: readonly number[], room: number): readonly number[] {
  let share = 0;
  const total = (each: number) => lengths.reduce((sum, length) => sum + Math.min(length, each), 0);
  while (share < Math.max(...lengths, 0) && total(share + 1) <= room) share++;
  return lengths.map(length => Math.min(length, share));
}

function cutCode(code: readonly string[], most: number): readonly string[] {
  if (code.length <= most) return code;
  const shown = code.slice(0, Math.max(0, most - 1));
  return [...shown, `… ${code.length - shown.length} more lines: see the patches`];
}

const leadOf = ({ cause }: Culprit, before: Culprit | undefined): string =>
  before === undefined ? 'to blame:' : before.cause === cause ? 'together with' : 'and, enough by itself,';

/** `lib/x.js:109–112 in optimize()`, or what happened to the file as a whole: `lib/y.js deleted`. */
export function placeOf({ file, lines, change, function: around }: Reverted): string {
  if (!/ -\d+,\d+ \+\d+,\d+$/.test(change)) return change;
  const [at, version] = lines.new ? [lines.new, ''] : [lines.old, ' (deleted)'];
  if (!at) return change;
  const range = at[0] === at[1] ? `${at[0]}` : `${at[0]}–${at[1]}`;
  return `${file}:${range}${version}${around === undefined ? '' : ` in ${around}`}`;
}

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
  if (isPaired && removed.some((line, i) => Math.max(line.length, added[i]!.length) > widest))
    return removed.flatMap((line, i) => byColumns(line.slice(1), added[i]!.slice(1)));
  const visible = isBlind ? lines.map(line => line[0] + withSigns(line.slice(1))) : lines;
  return visible.map(line => (line.length > widest ? `${line.slice(0, widest)}… (${line.length - 1} columns)` : line));
}

const withSigns = (text: string): string =>
  text
    .replaceAll('\t', '→')
    .replaceAll('\r', '␍')
    .replaceAll('\u00a0', '⍽')
    .replace(/^ +| +$/g, spaces => '·'.repeat(spaces.length));

/** Only what differs in two long lines, with the words around it and the column. */
function byColumns(old: string, now: string): readonly string[] {
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const around = 24;
  const from = Math.max(0, start - around);
  const piece = (text: string) => {
    const middle = text.slice(start, text.length - end);
    const cut = middle.length > widest ? `${middle.slice(0, widest)}…` : middle;
    const [before, after] = [text.slice(from, start), text.slice(text.length - end, text.length - end + around)];
    return `${from > 0 ? '…' : ''}${before}[${cut}]${after}${end > around ? '…' : ''}`;
  };
  return [`at column ${start + 1}:`, `-${piece(old)}`, `+${piece(now)}`];
}
