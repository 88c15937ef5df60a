/** The line that looks most like an error, for programs of no known family. */
import type { Found } from '../found.js';
import type { Output } from '../output.js';
import { isOfWrapper } from '../wrappers.js';

/** Pieces of the source that a tool shows below its message: carets, numbered lines, rulers. */
const snippet = /^(?:(?:[>→] *)?(?:\d+ *)?(?:[|│┆╷╵].*|:(?:\s.*)?$)|[\^~\-─━╰╭┌└]+ *.{0,3}|[,`]-{2,}.*|\.{3})$/u;
export const aside = /\b(?:\w*warning|warn|note|info|hint|help|debug)\b\s*[:\])]/i;
const levels: readonly RegExp[] = [
  /\b(?:internal error|fatal(?: error)?|panic|assertion (?:failed|failure)|unhandled|uncaught|crash(?:ed)?)\b/i,
  /(?:^|[\s[(:])(?:error|err!?)\b(?:\[?[A-Z]*\d*\]?)?\s*[:\])]|\berror [A-Z]+\d+\b|[A-Za-z](?:Error|Exception)\b|^-- [A-Z][A-Z ]+ -{3,}/i,
  /\b(?:error|failed|failure|exception|abort(?:ed|ing)?|cannot|can't|could not|couldn't|unable|unexpected|invalid|illegal|undefined|unknown|missing|not found|no such|denied|refused|violation|overflow|expected)\b/i,
];

/**
 * Stdout may contain anything, even the input itself: only a line that begins like an error counts, then one of the forms in
 * which linters and checkers list what they found.
 */
const onStdout: readonly RegExp[] = [
  /^(?![<>+\-@#*/])(?:.{0,200}?[:)\]]\s*)?(?:\[?(?:fatal |internal )?error\]?\b|panic\b|\w+(?:Error|Exception):|assertion failed|failed\b)/i,
  // `  1:7  error  …`, below the name of the file.
  /^\s*\d+:\d+\s+(?:error|[x×✖✗✘⨯])\s+\S/u,
  // `a.py:3:1: F401 …`, `a.js: line 3, col 1, …`
  /^\s*[^\s:()]*\.\w{1,8}(?::\d+(?::\d+)?:|: line \d+,(?: col \d+,)?)\s+\S/,
  /^\s*[x×✖✗✘⨯] \S/u,
  // TeX.
  /^! \S/,
];
/** Below a line of the source: `   ^-- SC2086 (info): …`. */
const belowCaret = /^\s*\^[-~^]*\s+(\S.{3,})$/;

const errorAt = (lines: readonly string[], at: number): Found => ({
  kind: 'error',
  line: whole(lines, at),
  frames: [],
  depth: 0,
});

const mayBe = (line: string): boolean =>
  line.trim() !== '' &&
  (!snippet.test(line.trim()) || framed.test(line.trim())) &&
  !aside.test(line) &&
  !isOfWrapper(line);

/** A message in a frame: `│ Error: …`. */
const framed = /^[│┃|] (?:fatal )?error: \S/i;

/** The most informative line if no family knows the output: the first error by weight. */
export function errorLine({ lines }: Output): Found | undefined {
  for (const level of levels) {
    const at = lines.findIndex(line => mayBe(line) && level.test(line));
    if (at >= 0) return errorAt(lines, at);
  }
  return undefined;
}

/** A line on stdout that begins as errors do. */
export function errorLineOnStdout(output: Output): Found | undefined {
  const lines = output.lines.filter(line => line.trim() !== '');
  for (const form of onStdout) {
    const at = lines.findIndex(line => form.test(line) && !aside.test(line) && !isOfWrapper(line));
    if (at >= 0) return errorAt(lines, at);
  }
  for (const line of lines) {
    const said = belowCaret.exec(line)?.[1];
    if (said !== undefined) return { kind: 'error', line: said, frames: [], depth: 0 };
  }
  return undefined;
}

/** The last line that says something, if none looks like an error; a wrapper's own line if there is no other. */
export function lastLine({ lines }: Output): Found | undefined {
  const line = lines.findLast(mayBe) ?? lines.find(line => isOfWrapper(line) && failing.test(line));
  return line === undefined ? undefined : { kind: 'error', line, frames: [], depth: 0 };
}

const failing = /\b(?:error|ERR!)/i;

/**
 * A line that ends with a colon (`Minification error:`), or with the place (`ERROR in ./a.js 1:0`), says nothing yet: the message
 * is on the next line. Unless that is the input, which the program shows below its message: `… on line 12, column 3:` and
 * `11   color: red;`.
 */
export const whole = (lines: readonly string[], at: number): string => {
  const line = lines[at]!;
  const next = lines.findIndex((each, i) => i > at && says(each));
  if (!/:\s*$|^(?:ERROR|Error) in \S+(?: \d+:\d+(?:-\d+(?::\d+)?)?)?\s*$/.test(line) || next < 0) return line;
  const isShown = isNumbered(lines[next]!, line) || marker.test(lines[next + 1] ?? '');
  return isShown ? line : `${line.trim()} ${lines[next]!.trim()}`;
};

/** Build tools put rulers and notes between a title and the first error. */
const says = (line: string): boolean => line.trim() !== '' && !snippet.test(line.trim()) && !/^\[INFO\]/.test(line);

/** Whether a line shows a piece of the source, and says nothing by itself. */
export const isSnippet = (line: string): boolean => snippet.test(line.trim());

/** Carets below what is wrong in the line above them. */
const marker = /^\s*[\^~]+\s*$/;

/** How far above and below a place its neighbours are shown. */
const shownAround = 5;

/** Whether it begins with the number of a line near the place that the message names. */
function isNumbered(shown: string, message: string): boolean {
  const [, number] = /^\s*(?:[>→]\s*)?(\d+)(?:\s|$)/u.exec(shown) ?? [];
  const places = [...message.matchAll(/(?:\bline |[:(])(\d+)/g)];
  return number !== undefined && places.some(([, line]) => Math.abs(Number(line) - Number(number)) <= shownAround);
}
