/** RSpec and minitest: the first failure of the list at the end. */
import type { Family } from '../found.js';

export const rubyTests: Family = ({ lines }) => rspec(lines) ?? minitest(lines);

const rspec = (lines: readonly string[]) => {
  const at = lines.findIndex(line => /^\s+Failure\/Error:/.test(line));
  if (at < 0) return undefined;
  // The source line is in the way: what is said begins after a blank line.
  const from = lines.findIndex((line, i) => i > at && line.trim() === '');
  const said = textUntil(lines.slice(from), /^\s+(?:# |\(compared using)/);
  return said === undefined ? undefined : { kind: 'rspec', line: said, frames: [], depth: 0 };
};

const minitest = (lines: readonly string[]) => {
  const at = lines.findIndex(line => /^\s+\d+\) (?:Failure|Error):$/.test(line));
  if (at < 0) return undefined;
  const said = textUntil(lines.slice(at + 2), /^\s+\S+:\d+:in |^\s*$/);
  return said === undefined ? undefined : { kind: 'minitest', line: said, frames: [], depth: 0 };
};

/** The first lines up to one that ends the message, as one. */
function textUntil(lines: readonly string[], end: RegExp): string | undefined {
  const first = lines.findIndex(line => line.trim() !== '');
  const past = lines.findIndex((line, i) => i > first && end.test(line));
  const said = lines.slice(first, past < 0 ? first + 2 : past).filter(line => line.trim() !== '');
  return first < 0 || said.length === 0
    ? undefined
    : said
        .slice(0, 3)
        .map(line => line.trim())
        .join(', ');
}
