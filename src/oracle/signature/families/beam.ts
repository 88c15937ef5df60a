/** Elixir: `** (KeyError) key :x not found` and its indented frames. */
import type { Family, Frame } from '../found.js';

export const beam: Family = ({ lines }) => {
  const at = lines.findIndex(line => /^\*\* \(\w[\w.]*\) /.test(line));
  if (at < 0) return undefined;
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    const match = /^ {4}(?:\([^)]*\) )?(\S+?):\d+: (.*)$/.exec(line);
    if (match)
      frames.push({
        name: match[2]!.replace(/^(?:anonymous fn\S* in )/, '').replace(/\/\d+$|\(.*$/, ''),
        file: match[1]!,
      });
  }
  return { kind: 'elixir', line: lines[at]!.replace(/^\*\* /, ''), frames, depth: 1 };
};
