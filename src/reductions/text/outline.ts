/** The outline of a text without a grammar: which lines belong to which, as their indentation, brackets and `end`s show it. */
import { onceForLast } from '../../core/once-for.js';
import { pauseIfDue } from '../../core/pause.js';

/** A line with what belongs to it: what is further to the right, what is in its brackets, and the line that ends it. */
export interface Part {
  /** Where it begins, with the blank lines before it. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** The end of its first line. */
  readonly head: number;
  /** The part that contains it, as an index: always a smaller one. −1 for none. */
  readonly within: number;
}

/** A text of more lines is treated as if it had none. */
const mostLines = 200_000;
const tabWidth = 8;

/** What continues a part at its own indentation: `begin`, `else`, `is`. */
const middle = /(?:begin|is|else|elsif|elseif|elif|then|do|exception|private|catch|finally|rescue|ensure)\b/iy;
/** What ends one: `end Sort;`, `endmodule`, `});`. */
const closer = /end|[)\]}]|(?:fi|done|esac|od|wend|until)\b/iy;
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** How far a bracket looks for the one that it closes: a text has brackets that mean something else. */
const depthOfSearch = 16;

interface Line {
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/** The parts of a text in source order, each after the one that contains it. Several passes look at the same text. */
export const outlineOf = onceForLast(readOutline);

async function readOutline(text: string): Promise<readonly Part[]> {
  const lines = linesOf(text);
  if (lines.length > mostLines) return [];
  const closing = closingLines(text, lines);
  const found: { first: number; last: number; until: number; within: number }[] = [];
  /** Indexes of the parts that are open, the outermost first. */
  const open: number[] = [];
  for (const [i, { start, indent }] of lines.entries()) {
    if (i % 1000 === 0) await pauseIfDue();
    let isOwn = false;
    // A bracket is closed for what opened it, whatever is open in it.
    if (closer.test(at(closer, text, start))) {
      const opened = open.findLastIndex(part => found[part]!.until === i);
      if (opened >= 0) open.length = opened + 1;
    }
    while (open.length > 0 && !isOwn) {
      const top = found[open.at(-1)!]!;
      const isAtClose = i === top.until && closer.test(at(closer, text, start));
      if (isAtClose || (i > top.until && indent === lines[top.first]!.indent)) {
        const continues = middle.test(at(middle, text, start));
        isOwn = isAtClose || continues || (top.last > top.first && closer.test(at(closer, text, start)));
        if (isOwn) {
          top.last = i;
          top.until = Math.max(top.until, closing[i]!);
          // After `);`, the body of what has these parameters may follow.
          if (!continues && top.until <= i && /\w/.test(text[start]!)) open.pop();
          break;
        }
      }
      if (i <= top.until || indent > lines[top.first]!.indent) break;
      open.pop();
    }
    if (!isOwn) {
      found.push({ first: i, last: i, until: closing[i]!, within: open.at(-1) ?? -1 });
      open.push(found.length - 1);
    }
    for (const part of open) found[part]!.last = i;
  }
  return found.map(({ first, last, within }) => ({
    from: lines[first]!.from,
    start: lines[first]!.start,
    end: lines[last]!.end,
    head: lines[first]!.end,
    within,
  }));
}

/** Where a sticky pattern looks next; the text to test it on. */
function at(pattern: RegExp, text: string, start: number): string {
  pattern.lastIndex = start;
  return text;
}

/** The lines that are not blank, each with the blank lines before it. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (let begin = 0; begin < text.length; ) {
    const newline = text.indexOf('\n', begin);
    const end = newline < 0 ? text.length : newline + 1;
    let [start, indent] = [begin, 0];
    for (; start < end; start++) {
      if (text[start] === ' ') indent++;
      else if (text[start] === '\t') indent += tabWidth - (indent % tabWidth);
      else break;
    }
    if (text.slice(start, end).trim() !== '') {
      lines.push({ from, start, end, indent });
      from = end;
    }
    begin = end;
  }
  return lines;
}

/** By line: the line on which the last of its brackets is closed, if that is another one; else −1. */
function closingLines(text: string, lines: readonly Line[]): Int32Array {
  const closing = new Int32Array(lines.length).fill(-1);
  const open: { readonly closer: string; readonly line: number }[] = [];
  for (const [i, { start, end }] of lines.entries())
    for (let offset = start; offset < end; offset++) {
      const sign = text[offset]!;
      const expected = closers[sign];
      if (expected !== undefined) open.push({ closer: expected, line: i });
      else if (sign === ')' || sign === ']' || sign === '}') {
        const least = Math.max(0, open.length - depthOfSearch);
        const found = open.findLastIndex((each, index) => index >= least && each.closer === sign);
        if (found < 0) continue;
        const { line } = open[found]!;
        if (line < i) closing[line] = Math.max(closing[line]!, i);
        open.length = found;
      }
    }
  return closing;
}
