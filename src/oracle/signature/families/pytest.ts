/** pytest: the lines with an `E` in front, and the functions that led there. */
import type { Family, Frame } from '../found.js';

const said = /^E\s+(?=\S)/;
const exception = /^E\s+(?=(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Failed)\b)/;
const called = /^(\S+\.py):(\d+): in (\S+)$/;

export const pytest: Family = ({ lines }) => {
  const first = lines.findIndex(line => said.test(line));
  if (first < 0 || !lines.some(line => /^=+ .*(?:FAILURES|ERRORS|failed|error).* =+$/.test(line))) return undefined;
  // A syntax error is shown with its source before it is named.
  let end = first;
  while (said.test(lines[end] ?? '')) end++;
  const line = lines.slice(first, end).find(each => exception.test(each)) ?? lines[first]!;
  const start = lines.slice(0, first).findLastIndex(each => /^_{3,} .* _{3,}$/.test(each));
  const frames = lines
    .slice(start + 1, first)
    .flatMap((each): readonly Frame[] => {
      const [, file, row, name] = called.exec(each) ?? [];
      return file === undefined ? [] : [{ name: name!, file, site: `${file}:${row}` }];
    })
    .reverse();
  return {
    kind: 'pytest',
    line: line.replace(said, ''),
    frames: frames.filter(({ name }) => !/^<.*>$/.test(name)),
    sites: frames.map(({ site }) => site!),
    depth: /^E\s+RecursionError\b/.test(line) ? 0 : 1,
  };
};
