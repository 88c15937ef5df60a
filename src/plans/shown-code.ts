/** Makes the lines of a diff readable on a terminal: what can't be seen gets a sign, and a long line is shown by what differs in it. */

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
    .replace(/^ +|(?<! ) +$/g, spaces => '·'.repeat(spaces.length));

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
