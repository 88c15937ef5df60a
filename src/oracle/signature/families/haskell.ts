/** GHC: `prog: message` and a CallStack of `f, called at x.hs:3:5 in main:Main`. */
import type { Family } from '../found.js';

export const haskell: Family = ({ lines }) => {
  const at = lines.findIndex(line => /^CallStack \(from HasCallStack\):/.test(line));
  if (at < 1) return undefined;
  const frames = lines
    .slice(at + 1)
    .map(line => /^\s+(\S+), called at (\S+?):\d+/.exec(line))
    .filter(match => match !== null)
    .map(match => ({ name: match[1]!, file: match[2]! }));
  return { kind: 'haskell', line: lines[at - 1]!.replace(/^\S+: /, ''), frames, depth: 1 };
};
