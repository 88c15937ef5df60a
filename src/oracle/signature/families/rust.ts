/** Rust: panics (both spellings), aborts of the runtime, and the compiler's own "internal compiler error". */
import type { Family, Frame } from '../found.js';

export const rust: Family = output => panic(output) ?? overflow(output);

const panic: Family = ({ text, lines }) => {
  if (!text.includes("' panicked at ") && !text.includes(') panicked at ')) return undefined;
  const at = lines.findIndex(line => /^\s*thread '.*'(?: \(\d+\))? panicked at /.test(line));
  if (at < 0) return undefined;
  const old = / panicked at '(.*)', (\S+?):\d+:\d+$/.exec(lines[at]!);
  const now = / panicked at (\S+?):(\d+):\d+:$/.exec(lines[at]!);
  const line = old?.[1] ?? (now ? lines[at + 1] : lines[at]) ?? '';
  const where = old ? / (\S+?:\d+):\d+$/.exec(lines[at]!)?.[1] : now && `${now[1]}:${now[2]}`;
  const bug = /^error: internal compiler error: (?:.*?: )?(.*)$/m.exec(text);
  const query = /^#0 \[(\w+)\]/m.exec(text)?.[1];
  return {
    kind: 'rust',
    line: bug ? `internal compiler error: ${line}` : `panicked: ${line}`,
    // The standard library's own lines move with its version only, and so do a crate's.
    ...(where ? { place: where.replace(/^.*?\/(?=(?:library|compiler)\/|[^/]*-\d[\w.]*\/src\/)/, '') } : {}),
    also: query ? [`query ${query}`] : [],
    frames: backtrace(lines, at),
    depth: where ? 0 : 1,
  };
};

const overflow: Family = ({ text }) => {
  const said = /^fatal runtime error: .*$/m.exec(text)?.[0];
  return said ? { kind: 'rust', line: said, frames: [], depth: 0 } : undefined;
};

function backtrace(lines: readonly string[], at: number): readonly Frame[] {
  const start = lines.findIndex((line, i) => i > at && line === 'stack backtrace:');
  const frames: Frame[] = [];
  for (let i = start + 1; start >= 0 && i < lines.length; i++) {
    const call = /^\s*\d+: (?:0x[\da-f]+ - )?(.*)$/.exec(lines[i]!);
    if (!call) {
      if (/^\s+at /.test(lines[i]!)) continue;
      break;
    }
    const name = call[1]!.replace(/::h[\da-f]{16}$/, '').replace(/::\{\{closure\}\}/g, '');
    const file = /^\s+at (.*?)(?::\d+)*$/.exec(lines[i + 1] ?? '')?.[1];
    const ours = !/^(?:<?(?:core|std|alloc)::|__?rust|rust_|_?_start|__libc|main$|<unknown>|<\S+ as core::)/.test(name);
    if (ours && !/(?:^|\/)(?:rustc\/[\da-f]+\/)?library\//.test(file ?? ''))
      frames.push(file ? { name, file } : { name });
  }
  return frames;
}
