/**
 * A revert that only makes the test load an old file in the place of new ones: the file that new has lost comes back, and so does the entry that names it, such as
 * `main` in package.json. New passes with it because hardly anything of new is left to run, whatever is wrong there.
 */

import { basename, extname } from 'node:path/posix';
import { grouped } from '../../../core/phrases.js';

/** A file of fewer lines can be read, and is an answer. */
const fewest = 40;
/** The entry that names the file takes a few lines. */
const mostOther = 10;

/** The old file that is loaded instead, and its lines. */
export interface Switched {
  readonly file: string;
  readonly lines: number;
}

/** Undefined if the revert does anything else. */
export function switchedTo(revert: Uint8Array): Switched | undefined {
  const files = Buffer.from(revert)
    .toString('latin1')
    .split(/^diff --git (?=a\/)/m)
    .slice(1)
    .map(patched);
  const back = files.filter(({ isNew }) => isNew).sort((a, b) => b.added.length - a.added.length);
  const others = files.filter(({ isNew }) => !isNew);
  const [largest] = back;
  if (!largest || largest.added.length < fewest || others.length === 0) return undefined;
  const names = back.map(({ file }) => basename(file, extname(file)));
  const isEntry = ({ added, count }: Patched) =>
    count <= mostOther && added.some(line => names.some(name => quoted(line).some(text => namesFile(text, name))));
  const lines = back.reduce((sum, { added }) => sum + added.length, 0);
  return others.every(isEntry) ? { file: largest.file, lines } : undefined;
}

/** In one line. */
export const switchedInWords = ({ file, lines }: Switched): string =>
  `the revert only makes the test load the old ${file} (${grouped(lines)} lines) instead of new files: what is wrong in these is not known`;

interface Patched {
  readonly file: string;
  /** New has no such file. */
  readonly isNew: boolean;
  readonly added: readonly string[];
  /** Lines that are removed or added. */
  readonly count: number;
}

function patched(text: string): Patched {
  const lines = text.split('\n');
  const changed = lines.filter(line => /^[-+](?!-- |\+\+ )/.test(line));
  return {
    file: /^\+\+\+ b\/(.*)$/m.exec(text)?.[1]?.trimEnd() ?? lines[0]!,
    isNew: /^new file mode /m.test(text),
    added: changed.filter(line => line.startsWith('+')),
    count: changed.length,
  };
}

const quoted = (line: string): readonly string[] =>
  line.match(/"[^"]*"|'[^']*'/g)?.map(each => each.slice(1, -1)) ?? [];

const namesFile = (text: string, name: string): boolean =>
  basename(text, extname(text)) === name || basename(text) === name;
