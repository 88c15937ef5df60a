/** Lines without what means nothing in their language: white space, and in JavaScript semicolons at the end and the kind of quotes. */

import type { Lines } from './lines.js';
import { script } from './needs/languages.js';

/**
 * Languages in which neither the indentation nor a space between two signs means anything. Not Python, makefiles, YAML, CSS or plain text; and
 * not C, where what belongs together is read from declarations: there it has not been shown to help.
 */
const freeForm = /\.(?:[cm]?[jt]sx?|java|go|dart|kts?|json)$/i;

export const isFreeForm = (path: string): boolean => freeForm.test(path);

/** Comments, strings on one line, what opens a string of several lines, words, patterns, white space, single signs. */
const token =
  /\/\/[^\n]*|\/\*|"""|R"[^\s()\\]{0,16}\(|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`|[\w$\x80-\xff]+|(?<=(?:^|[(,=:[!&|?{};])[ \t]*)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|\s+|[\s\S]/g;

/** What ends a string or a comment that was opened on an earlier line. */
interface Open {
  readonly end: string;
  readonly isComment: boolean;
}

/**
 * For each line, what is left of it. White space in strings stays, and so does one space between words and between equal signs: `a + +b` is
 * not `a ++b`. It reads signs and not a grammar, so it may be wrong about a rare line. That is no harm: formatting is a change like any other,
 * and only suspected last.
 */
export function bareLines(path: string, lines: Lines): Lines {
  const isScript = script.test(path);
  let open: Open | undefined;
  const bareOf = (line: string): string => {
    let [text, rest] = ['', line];
    for (;;) {
      if (open) {
        const at = rest.indexOf(open.end);
        const inside: string = at < 0 ? rest : rest.slice(0, at + open.end.length);
        text += open.isComment ? squeezed(inside) : inside;
        // A string that goes on after a backslash ends with the next line at the latest.
        if (at < 0 && !(open.end.length === 1 && open.end !== '`' && !/\\\r?\n$/.test(rest))) return text;
        rest = rest.slice(inside.length);
        open = undefined;
      }
      const [bare, used, next] = bareUpTo(rest);
      text += bare;
      if (!next) return text;
      open = next;
      rest = rest.slice(used);
    }
  };
  return lines.map(line => (isScript ? withoutStyle(bareOf(line)) : bareOf(line)));
}

/** `"a";` is `'a'`. */
const withoutStyle = (line: string): string => line.replace(/;$/, '').replace(/"([^"'`\\]*)"/g, "'$1'");

/** The code at the start of a line without white space, up to something that may go on after it. */
function bareUpTo(line: string): readonly [bare: string, used: number, open: Open | undefined] {
  let [text, used, gap] = ['', 0, false];
  // `#define f (x)` is not `#define f(x)`.
  const isDirective = /^\s*#/.test(line);
  for (const [found] of line.matchAll(token)) {
    used += found.length;
    if (/^\s/.test(found)) {
      gap = true;
      continue;
    }
    if (gap && text !== '' && (isDirective || isApart(text.at(-1)!, found[0]!))) text += ' ';
    gap = false;
    if (found.startsWith('//')) text += squeezed(found);
    else text += found;
    const end = endOf(found);
    if (end) return [text, used, end];
  }
  return [text, used, undefined];
}

/** What ends something that this opens, if it may go on after its line. */
function endOf(found: string): Open | undefined {
  if (found === '/*') return { end: '*/', isComment: true };
  if (found === '"""' || found === '`' || found === '"' || found === "'") return { end: found, isComment: false };
  if (/^R".*\($/s.test(found)) return { end: `)${found.slice(2, -1)}"`, isComment: false };
  return undefined;
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether a space between two signs means something. */
const isApart = (a: string, b: string): boolean =>
  (/[\w$\x80-\xff]/.test(a) && /[\w$\x80-\xff]/.test(b)) || (a === b && /[^()[\]{}]/.test(a));
