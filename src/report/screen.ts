/** Text on a terminal: pieces with a style, fitted to a width before any colour is added. */

export type Style = 'strong' | 'faint' | 'fail' | 'pass' | 'unresolved' | 'accent';
export interface Piece {
  readonly text: string;
  readonly style?: Style;
}
export type Line = readonly Piece[];

const codes: Readonly<Record<Style, string>> = {
  strong: '1',
  faint: '2',
  fail: '31',
  pass: '32',
  unresolved: '33',
  accent: '36',
};

export const piece = (text: string, style?: Style): Piece => (style ? { text, style } : { text });

/** What a program under test printed must not move the reader's cursor or ring the bell. */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, character => {
    if (character === '\t') return '  ';
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : '·';
  });

/** Columns that a text takes: East Asian wide characters and emoji take two, combining marks none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character.codePointAt(0)!);
  return columns;
}

function columnsOfOne(code: number): number {
  if (code < 0x300) return 1;
  if (code < 0x370 || (code >= 0x200b && code <= 0x200f) || (code >= 0xfe00 && code <= 0xfe0f)) return 0;
  if (code < 0x1100) return 1;
  const wide =
    code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/** The beginning of a text that fits, with an ellipsis if something was cut. */
export function clip(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let columns = 0;
  let kept = '';
  for (const character of text) {
    columns += columnsOfOne(character.codePointAt(0)!);
    if (columns > width - 1) break;
    kept += character;
  }
  return width > 0 ? `${kept}…` : '';
}

export const widthOf = (line: Line): number => line.reduce((sum, { text }) => sum + columnsOf(text), 0);

/** Cuts the left part so that the right part stays, flush with the right edge. */
export function spread(left: Line, right: Line, width: number): Line {
  const room = width - widthOf(right) - 1;
  const fitted = room < 8 ? cut(left, width) : cut(left, room);
  if (room < 8) return fitted;
  return [...fitted, piece(' '.repeat(width - widthOf(fitted) - widthOf(right))), ...right];
}

export function cut(line: Line, width: number): Line {
  const fitted: Piece[] = [];
  let left = width;
  for (const one of line) {
    if (left <= 0) break;
    const text = clip(one.text, left);
    fitted.push({ ...one, text });
    left -= columnsOf(text);
    if (text !== one.text) break;
  }
  return fitted;
}

/** Facts in a row, separated by dots, on as many lines as they need; no fact is broken unless it is wider than a line. */
export function flow(facts: readonly Piece[], width: number): Line[] {
  const lines: Piece[][] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    if (last && widthOf(last) + 3 + columnsOf(fact.text) <= width) last.push(piece(' · ', 'faint'), fact);
    else lines.push([{ ...fact, text: clip(fact.text, width) }]);
  }
  return lines;
}

/** Lines of whole words; a word that is wider than a line stays whole, so that a path or an address can be copied. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export const print = (line: Line, colour: boolean): string =>
  line
    .map(({ text, style }) => (colour && style && text.trim() ? `\x1b[${codes[style]}m${text}\x1b[0m` : text))
    .join('')
    .trimEnd();
