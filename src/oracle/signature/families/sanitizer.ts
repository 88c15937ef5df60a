/** The sanitizers of Clang and GCC, and Valgrind, whose reports look the same. */
import type { Family, Frame } from '../found.js';
import { isRecursion } from '../frames.js';
import { functionName, programFrames } from '../native.js';

export const sanitizer: Family = output => report(output) ?? undefinedBehaviour(output) ?? valgrind(output);

const heading = /(?:ERROR|WARNING): (\w*Sanitizer): (.*)$/;

const kinds: Readonly<Record<string, string>> = {
  AddressSanitizer: 'asan',
  HWAddressSanitizer: 'hwasan',
  LeakSanitizer: 'lsan',
  MemorySanitizer: 'msan',
  ThreadSanitizer: 'tsan',
  UndefinedBehaviorSanitizer: 'ubsan',
};

const report: Family = ({ text, lines }) => {
  if (!text.includes('Sanitizer: ')) return undefined;
  const at = lines.findIndex(line => heading.test(line));
  if (at < 0) return undefined;
  const [, tool, rest] = heading.exec(lines[at]!)!;
  const what = rest!.replace(/ (?:on (?:unknown )?address|on 0x|0x|\(pid=|in thread).*$/, '').trim();
  const access = /\b(READ|WRITE)\b/.exec(lines.slice(at + 1, at + 3).join(' '))?.[1];
  const frames = programFrames(stack(lines, at));
  const recursion = /stack-overflow/.test(what) || isRecursion(frames);
  return {
    kind: kinds[tool!] ?? tool!.toLowerCase(),
    line: `${tool}: ${what}${access && !recursion ? ` (${access})` : ''}`,
    frames,
    depth: recursion ? 0 : 2,
  };
};

/** `f.c:3:5: runtime error: signed integer overflow: …` comes without a stack, unless one is requested. */
const undefinedBehaviour: Family = ({ text, lines }) => {
  if (!text.includes(': runtime error: ')) return undefined;
  const at = lines.findIndex(line => /:\d+: runtime error: /.test(line));
  if (at < 0) return undefined;
  const [, place, said] = /^(\S*?:\d+)(?::\d+)?: runtime error: (.*)$/.exec(lines[at]!) ?? [];
  if (place === undefined) return undefined;
  return {
    kind: 'ubsan',
    line: `runtime error: ${said}`,
    place: place.replace(/^.*\/(?=[^/]+$)/, ''),
    frames: programFrames(stack(lines, at)),
    depth: 0,
  };
};

const valgrind: Family = ({ text, lines }) => {
  if (!/^==\d+== /m.test(text)) return undefined;
  const bare = lines.map(line => line.replace(/^==\d+== ?/, ''));
  const at = bare.findIndex(line =>
    /^(?:Invalid (?:read|write|free)|Conditional jump|Use of uninitialised|Syscall param|Mismatched free|Jump to the invalid|Source and destination overlap|Process terminating)/.test(
      line,
    ),
  );
  if (at < 0) return undefined;
  const frames: Frame[] = [];
  for (const line of bare.slice(at + 1)) {
    const match = /^ {3}(?:at|by) 0x[\dA-F]+: (.*?) \((?:in )?(.*?)(?::\d+)?\)$/.exec(line);
    if (match) frames.push({ name: functionName(match[1]!), file: match[2]! });
    else if (frames.length > 0) break;
  }
  return { kind: 'valgrind', line: `Valgrind: ${bare[at]}`, frames: programFrames(frames), depth: 2 };
};

/** `    #0 0x5654a097730f in over /x/s.c:5` or, from TSan, `    #0 f /x/r.c:2 (r+0x11d0)`. The first stack only. */
function stack(lines: readonly string[], at: number): readonly Frame[] {
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    const match =
      /^\s*#(\d+) (?:0x[\da-f]+ (?:in )?)?(.+?)(?: (\(?(?:\/|\.\.?\/|<null>|[\w.-]+\.\w+:)\S*))?(?: \([^()]*\))*$/.exec(
        line,
      );
    if (!match) {
      if (frames.length > 0) break;
      continue;
    }
    if (match[1] === '0' && frames.length > 0) break;
    const site = match[3];
    const file = site?.replace(/(?::\d+)+$/, '');
    frames.push({
      name: functionName(match[2]!),
      ...(file && !file.startsWith('(') && file !== '<null>' ? { file, site: site! } : {}),
    });
  }
  return frames;
}
