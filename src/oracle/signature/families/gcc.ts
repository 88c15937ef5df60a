/** GCC's internal errors: https://gcc.gnu.org/bugs/ asks for exactly this line. */
import type { Family, Frame } from '../found.js';
import { functionName, programFrames } from '../native.js';

export const gcc: Family = ({ text, lines }) => {
  if (!text.includes('internal compiler error')) return undefined;
  const at = lines.findIndex(line => /(?:^|[\s:])internal compiler error: /.test(line));
  if (at < 0 || /^error: internal compiler error/.test(lines[at]!)) return undefined;
  const said = /internal compiler error: (.*)$/.exec(lines[at]!)![1]!;
  const place = /\bin (\S+), at (\S+:\d+)$/.exec(said);
  const line = `internal compiler error: ${place ? said.slice(0, place.index).trim() : said}`.trim();
  const frames = backtrace(lines, at);
  return {
    kind: 'gcc',
    line: line.replace(/:$/, ''),
    ...(place ? { place: `in ${place[1]}, at ${place[2]}` } : {}),
    // A stripped compiler that segfaults has no named frames. All that is known is what it was doing.
    also: place || frames.length > 0 ? [] : doing(lines.slice(Math.max(0, at - 40), at)),
    frames: place ? [{ name: place[1]! }] : frames,
    depth: place ? 0 : 2,
    words: `internal compiler error: ${said}`,
  };
};

/** Lines `0x7f2da369f04f name(args)`, each followed by a line with the place. */
function backtrace(lines: readonly string[], at: number): readonly Frame[] {
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    const match = /^0x[\da-f]+ (.+)$/.exec(line);
    if (match) frames.push({ name: functionName(match[1]!) });
    else if (frames.length > 0 && !/^\s/.test(line)) break;
  }
  return programFrames(frames);
}

/** `In substitution of`, `In instantiation of`: what the compiler was doing, without the names of the input. */
function doing(before: readonly string[]): readonly string[] {
  const phases = before.map(line => /\b(In (?:substitution|instantiation|constexpr expansion)) of\b/.exec(line)?.[1]);
  const last = phases.findLast(phase => phase !== undefined);
  return last === undefined ? [] : [last];
}
