/** Perl: `message at x.pl line 12.`, with the callers below it if the program used Carp. */
import type { Family, Frame } from '../found.js';

export const perl: Family = ({ text, lines }) => {
  if (!/ at \S+ line \d+\.?/.test(text)) return undefined;
  const at = lines.findLastIndex(
    line => / at \S+ line \d+(?:, <\w*> (?:line|chunk) \d+)?\.$/.test(line) && !/^\s/.test(line),
  );
  if (at < 0) return undefined;
  const [, said, file] = /^(.*?) at (\S+) line \d+/.exec(lines[at]!) ?? [];
  if (said === undefined) return undefined;
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    const match = /^\t([\w:]+)\(.*\) called at (\S+) line \d+/.exec(line);
    if (!match) break;
    frames.push({ name: match[1]!, file: match[2]! });
  }
  // The file that died identifies the failure; its line is not needed.
  return { kind: 'perl', line: said, also: [], frames, depth: 1, ...(frames.length === 0 ? { place: file! } : {}) };
};
