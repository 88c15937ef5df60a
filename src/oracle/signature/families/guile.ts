/** Guile: `Backtrace:` with the outermost call first, then `place: In procedure name:` and the message. */
import type { Family } from '../found.js';
import { whole } from './generic.js';

export const guile: Family = ({ lines }) => {
  const at = lines.findLastIndex(line => head.test(line));
  if (at < 0) return lines.includes('Backtrace:') ? bare(lines) : undefined;
  const [, place, name] = head.exec(lines[at]!)!;
  const line = values(whole(lines, at).replace(head, ''));
  const file = place!.replace(/:\d+:\d+$/, '');
  return { kind: 'guile', line, frames: [{ name: name!, ...(file === 'ERROR' ? {} : { file }) }], depth: 1 };
};

const head = /^(ERROR|[^\s:]+:\d+:\d+): In procedure ([^\s:]+):\s*/;

/** Without a procedure: `ice-9/eval.scm:333:13: Wrong number of arguments …`, and before version 3 `ERROR: Unbound variable: f`. */
function bare(lines: readonly string[]) {
  const line = lines.findLast(each => alone.test(each));
  return line === undefined
    ? undefined
    : { kind: 'guile', line: values(line.replace(alone, '')), frames: [], depth: 0 };
}
const alone = /^(?:ERROR|[^\s:]+:\d+:\d+): /;

/** A procedure of the input is printed with its name and its parameters. */
const values = (line: string): string => line.replace(/#<[^<>]*>/g, '#<…>');
