/** What is to blame, in words for a terminal: file, line, function, and the lines themselves with what can't be seen made visible. */
import type { Culprit, Reverted } from './culprits.js';

/** A terminal shows only this much of a result, so names come before code. */
const mostLines = 19;
const mostCharacters = 1150;
const widest = 100;

/** The smallest revert comes first if it differs from the cause. `tail`: the text after all culprits. */
export function describeCulprits(
  culprits: readonly Culprit[],
  revert: readonly Reverted[],
  tail: readonly string[],
): readonly string[] {
  const causes = culprits.filter(({ role }) => role === 'cause');
  const needed = culprits.filter(({ role }) => role === 'needed');
  const isSame =
    revert.length === culprits.length &&
    revert.every(({ change, code }) => culprits.some(each => each.change === change && each.code === code));
  const reverted = isSame ? [] : revert;
  const entries = [
    ...reverted.map((each, i) => ({
      line: `${i === 0 ? 'smallest revert:' : 'and'} ${placeOf(each)}`,
      code: shownCode(each.code),
    })),
    ...causes.map((each, i) => ({
      line: `${leadOf(each, causes[i - 1])} ${placeOf(each)}`,
      code: shownCode(each.code),
    })),
    ...needed.map(each => ({
      line: `needed so that it builds or runs: ${placeOf(each)}`,
      code: [] as readonly string[],
    })),
  ];
  const room = mostLines - tail.length - 1;
  const named = entries.slice(0, room);
  const left = entries.length - named.length;
  let lines = room - named.length;
  let characters = mostCharacters - [...named.map(({ line }) => line), ...tail].join('\n').length;
  const shown = named.flatMap(({ line, code }) => {
    const fitting: string[] = [];
    for (const each of code) {
      if (lines < 1 || characters < each.length + 3) break;
      fitting.push(`  ${each}`);
      lines--;
      characters -= each.length + 3;
    }
    return [line, ...fitting];
  });
  return [...shown, ...(left > 0 ? [`and ${left} more: see the patches`] : []), ...tail];
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

/** The lines of a change; a pair that differs only in what can't be seen is shown with signs for it, a long one by its differing columns. */
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
