/** Clang and everything else that uses LLVM's crash handler: a stack dump, or a fatal error. */
import { crash, type Family, type Found, type Frame } from '../found.js';
import { isRecursion } from '../frames.js';
import { functionName, programFrames } from '../native.js';
import { abort } from './abort.js';

export const llvm: Family = output => stackDump(output) ?? fatalError(output);

const stackDump: Family = output => {
  const { text, lines } = output;
  if (!text.includes('Stack dump')) return undefined;
  const at = lines.findIndex(line => /^Stack dump(?: without symbol names)?(?: \(.*)?:?/.test(line));
  if (at < 0) return undefined;
  const frames = programFrames(stack(lines, at));
  const reason = saidBefore(lines, at, output);
  const recursion = isRecursion(frames);
  return {
    kind: 'llvm',
    line: reason?.line ?? (recursion ? 'crash by endless recursion' : crash),
    ...(reason?.place ? { place: reason.place } : {}),
    also: passes(lines, at),
    frames,
    // With its own reason, one frame is enough to identify the place.
    depth: recursion ? 0 : reason ? 1 : 2,
  };
};

/** `fatal error: error in backend: Cannot select: …`, `LLVM ERROR: …` */
const fatalError: Family = ({ text }) => {
  const said = /^(?:.*?\b(?:fatal )?error: (error in backend: .*)|(LLVM ERROR: .*))$/m.exec(text);
  return said
    ? { kind: 'llvm', line: (said[1] ?? said[2])!.replace(/\bt\d+(?=[:,]|\b)/g, 't'), frames: [], depth: 0 }
    : undefined;
};

/** An assertion or a message of glibc shortly before the dump is the reason for the crash. */
function saidBefore(lines: readonly string[], at: number, output: { readonly text: string }): Found | undefined {
  const before = lines.slice(Math.max(0, at - 12), at);
  return (
    abort({ text: before.join('\n'), lines: before }) ??
    (/error in backend: |LLVM ERROR: /.test(output.text)
      ? fatalError({ text: before.join('\n'), lines: before })
      : undefined)
  );
}

/** `4. Running pass 'X' on function '@f'` → X. What the parser was doing is already in the frames. */
function passes(lines: readonly string[], at: number): readonly string[] {
  const names: string[] = [];
  for (const line of lines.slice(at + 1, at + 20)) {
    const pass = /^\d+\.\s+Running pass ['"]?([\w ->&<>()/]*?)['"]?(?: on | -|$)/.exec(line)?.[1];
    if (pass && !/^(?:Function|CallGraph|Loop|Module)? ?Pass Manager$/i.test(pass)) names.push(`pass ${pass}`);
  }
  return names;
}

/** ` #3 0x00007f… name(args) (file+0x…)`, ` #4 0x… name file:12:3`, or just the module. */
function stack(lines: readonly string[], at: number): readonly Frame[] {
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    const match = /^\s*#?\d+\s+(?:0x[\da-f]+ |\S+\s+0x[\da-f]+ )(.*)$/.exec(line);
    if (!match) {
      if (frames.length > 0) break;
      continue;
    }
    const rest = match[1]!.replace(/ \((?:\/|[A-Za-z]:\\)[^()]*\)\s*$/, '').replace(/ \+ \d+$/, '');
    if (/^\(/.test(rest) && !rest.startsWith('(anonymous namespace)')) continue;
    const placed = /^(\w\S*) (\.?\/\S+?)(?::\d+)*$/.exec(rest);
    frames.push(placed ? { name: placed[1]!, file: placed[2]! } : { name: functionName(rest) });
  }
  return frames;
}
