/** Perl: `message at x.pl line 12.`, with the callers below it if the program used Carp. */
import type { Family, Frame } from '../found.js';

export const perl: Family = ({ text, lines }) => {
  if (!/ at \S+ line \d+\.?/.test(text)) return undefined;
  const at = lines.findLastIndex(
    line =>
      / at \S+ line \d+(?:, <\w*> (?:line|chunk) \d+)?\.$/.test(line) && !/^\s/.test(line) && !passedOn.test(line),
  );
  if (at < 0) return undefined;
  const [, said, file] = /^(.*?) at (\S+) line \d+/.exec(lines[at]!) ?? [];
  if (said === undefined) return undefined;
  const frames: Frame[] = [];
  const sites = [placeOf(lines[at]!)];
  for (const line of lines.slice(at + 1)) {
    const match = /^\t([\w:]+)\(.*\) called at (\S+) line \d+/.exec(line);
    if (!match) break;
    frames.push({ name: match[1]!, file: match[2]! });
    sites.push(placeOf(line));
  }
  // The file that died identifies the failure; its line is not needed.
  return { kind: 'perl', line: said, frames, sites, depth: 1, ...(frames.length === 0 ? { place: file! } : {}) };
};

/** What each file prints that loads the one with the error. */
const passedOn = /^(?:BEGIN failed--compilation aborted|Compilation failed in require) at /;
const placeOf = (line: string): string => line.replace(/^.* at (\S+) line (\d+).*$/, '$1:$2');
