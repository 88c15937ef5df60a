/** Ada: GNAT's box, GHDL's report, and programs that end with an exception that nothing handles. */
import type { Family } from '../found.js';

export const ada: Family = output => box(output) ?? raised(output);

const edge = /^\+=+(?:GNAT BUG DETECTED=+)?\+$/;
/** A source of the compiler or of the program: `sem_type.adb:837`, `ada/gcc-interface/trans.c:9616`. */
const source = /(?:^|\s|, at )([\w./-]+\.(?:ad[abs]|cc?|h):\d+)\b/;

/** What is in GNAT's box: its version, what happened, and where in the input, which says nothing. */
const box: Family = ({ text, lines }) => {
  if (!text.includes('GNAT BUG DETECTED')) return undefined;
  const at = lines.findIndex(line => edge.test(line));
  const rows: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const row = /^\|\s*(.*?)\s*\|?$/.exec(line)?.[1];
    if (row === undefined || /^(?:Error detected|No error location|Compiling|Please submit)\b/.test(row)) break;
    rows.push(row);
  }
  return rows.length === 0 ? undefined : found('gnat', rows.join(' ').replace(/^[\w.-]+ (?:\(.*?\) )*\([^()]*\) /, ''));
};

/** `raised CONSTRAINT_ERROR : trans-chap7.adb:827 access check failed`, as GHDL and all other programs report it. */
const raised: Family = ({ text, lines }) => {
  if (!text.includes('raised ')) return undefined;
  const said = lines.map(line => /^raised ([A-Z][\w.]*_\w+ : .*)$/.exec(line)?.[1]).find(each => each !== undefined);
  return said === undefined ? undefined : found('ada', said);
};

function found(kind: string, said: string) {
  const place = source.exec(said)?.[1];
  const line =
    place === undefined ? said : said.replace(`, at ${place}`, '').replace(place, '').replace(/\s+/g, ' ').trim();
  return { kind, line, ...(place === undefined ? {} : { place }), frames: [], depth: 0 };
}
