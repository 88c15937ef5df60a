/** The line that looks most like an error, for programs of no known family. */
import type { Found } from '../found.js';
import type { Output } from '../output.js';

/** Pieces of the source that a tool shows below its message: carets, numbered lines, rulers. */
const snippet = /^(?:(?:[>→] *)?(?:\d+ *)?[|│┆:╷╵].*|[\^~\-─━╰╭┌└]+ *.{0,3}|[,`]-{2,}.*|\.{3})$/u;
const aside = /\b(?:warning|note|info|hint|help|debug)\b\s*[:\]([]/i;
const levels: readonly RegExp[] = [
  /\b(?:internal error|fatal(?: error)?|panic|assertion (?:failed|failure)|unhandled|uncaught|crash(?:ed)?)\b/i,
  /(?:^|[\s[(:])(?:error|err!?)\b(?:\[?[A-Z]*\d*\]?)?\s*[:\])]|\berror [A-Z]+\d+\b|[A-Za-z](?:Error|Exception)\b/i,
  /\b(?:error|failed|failure|exception|abort(?:ed|ing)?|cannot|can't|could not|couldn't|unable|unexpected|invalid|illegal|undefined|unknown|missing|not found|no such|denied|refused|violation|overflow|expected)\b/i,
];
const onStdout =
  /^(?![<>+\-@#*/])(?:.{0,80}?[:)\]]\s*)?(?:\[?(?:fatal |internal )?error\]?\b|panic\b|\w+(?:Error|Exception):|assertion failed|failed\b)/i;

/** The most informative line if no family knows the output: the first error by weight, else the last line. */
export function errorLine(output: Output): Found | undefined {
  const mayBe = (line: string): boolean => line.trim() !== '' && !snippet.test(line.trim()) && !aside.test(line);
  for (const level of levels) {
    const at = output.lines.findIndex(line => mayBe(line) && level.test(line));
    if (at >= 0) return { kind: 'error', line: whole(output.lines, at), frames: [], depth: 0 };
  }
  const line = output.lines.findLast(mayBe);
  return line === undefined ? undefined : { kind: 'error', line, frames: [], depth: 0 };
}

/** Stdout may contain anything, even the input itself: only a line that begins like an error counts. */
export function errorLineOnStdout(output: Output): Found | undefined {
  const lines = output.lines.filter(line => line.trim() !== '');
  const at = lines.findIndex(line => onStdout.test(line) && !aside.test(line));
  return at < 0 ? undefined : { kind: 'error', line: whole(lines, at), frames: [], depth: 0 };
}

/**
 * A line that ends with a colon (`Minification error:`) says nothing yet: the message is on the next line. Unless that is the
 * input, which the program shows below its message: `… on line 12, column 3:` and `11   color: red;`.
 */
export const whole = (lines: readonly string[], at: number): string => {
  const line = lines[at]!;
  const next = lines.findIndex((each, i) => i > at && each.trim() !== '' && !snippet.test(each.trim()));
  if (!/:\s*$/.test(line) || next < 0) return line;
  const isShown = isNumbered(lines[next]!, line) || marker.test(lines[next + 1] ?? '');
  return isShown ? line : `${line.trim()} ${lines[next]!.trim()}`;
};

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
