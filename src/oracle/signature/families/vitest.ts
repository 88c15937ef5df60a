/** Vitest: the first failure of its summary. Its stacks have a mark of their own in place of `at`. */
import type { Family, Frame } from '../found.js';

const heading = /^ FAIL {2}\S/;
const frameLine = /^ ❯ (?:(\S+) )?(\S+):(\d+):(\d+)$/u;

export const vitest: Family = ({ lines }) => {
  const at = lines.findIndex(line => heading.test(line));
  if (at < 0) return undefined;
  // Several headings, one below the other, share what is said below the last of them.
  const past = at + lines.slice(at).findIndex(line => !heading.test(line));
  const line = lines[past];
  if (line === undefined || line.trim() === '') return undefined;
  const end = lines.findIndex((each, i) => i > past && (heading.test(each) || /^⎯{3,}/u.test(each)));
  const frames = lines.slice(past, end < 0 ? lines.length : end).flatMap((each): readonly Frame[] => {
    const [, name = '', file, row, column] = frameLine.exec(each) ?? [];
    return file === undefined ? [] : [{ name, file, site: `${file}:${row}:${column}` }];
  });
  return {
    kind: 'vitest',
    line: line.trim(),
    frames: frames.filter(({ name }) => name !== ''),
    sites: frames.map(({ site }) => site!),
    depth: /Maximum call stack size exceeded/.test(line) ? 0 : 1,
  };
};
