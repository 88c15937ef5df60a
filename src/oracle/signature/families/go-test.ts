/** `go test`: the first test that failed, and what it printed. A panic in a test is the runtime's. */
import type { Family } from '../found.js';

const failed = /^\s*--- FAIL: (\S+)/;

export const goTest: Family = ({ lines }) => {
  // A test with subtests is listed before them, and says nothing itself.
  const at = lines.findIndex((line, i) => failed.test(line) && !failed.test(lines[i + 1] ?? ''));
  if (at < 0) return undefined;
  const [, place, said] = /^\s+(\S+\.go):\d+: *(.*)$/.exec(lines[at + 1] ?? '') ?? [];
  const more = (lines[at + 2] ?? '').trim();
  // testify begins with a table: `Error Trace:`, then `Error:`.
  const error = lines.slice(at, at + 20).find(line => /^\s+Error:\s+\S/.test(line));
  const line = error?.trim() ?? (place === undefined ? failed.exec(lines[at]!)![1]! : said || more);
  return { kind: 'go test', line, frames: [], depth: 0 };
};
