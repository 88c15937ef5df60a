/** C and C++ programs that stop themselves: assertions in their many spellings, uncaught exceptions, and glibc's messages. */
import type { Family, Found } from '../found.js';
import { functionName } from '../native.js';

export const abort: Family = ({ text, lines }) => {
  if (!/assert|check failed|terminat|UNREACHABLE|\(\): |corrupt|\*\*\*|pure virtual/i.test(text)) return undefined;
  // An assertion is printed when it happens, so it comes last except for a shell's "Aborted"; what a wrapper repeats comes
  // after.
  for (const line of lines) {
    const found = assertion(line) ?? libraryReport(line);
    if (found) return found;
  }
  return uncaught(lines);
};

const assertions: readonly [RegExp, (groups: readonly string[]) => { said: string; place: string; fn: string }][] = [
  // glibc, libstdc++: prog: file.c:12: fn: Assertion `x' failed.
  [
    /^(?:[^\s:]+: )?(\S+?:\d+): (.+): Assertion ([`'‘].*['’]) failed\.?/,
    ([at, fn, said]) => ({ said: said!, place: at!, fn: fn! }),
  ],
  // macOS, BSD: Assertion failed: (x), function f, file f.c, line 12.
  [
    /Assertion failed: (.*), function ([^,]+), file ([^,]+), line (\d+)/,
    ([said, fn, file, line]) => ({ said: said!, place: `${file}:${line}`, fn: fn! }),
  ],
  // emscripten: Assertion failed: x, at: src/jv.c,726,jv_string_implode
  [
    /Assertion failed: (.*?), at: ([^,\s]+),(\d+),([\w.$:~]+)/,
    ([said, file, line, fn]) => ({ said: said!, place: `${file}:${line}`, fn: fn! }),
  ],
  // musl: Assertion failed: x (f.c: fn: 12)
  [
    /Assertion failed: (.*) \(([^():]+): ([^():]+): (\d+)\)/,
    ([said, file, fn, line]) => ({ said: said!, place: `${file}:${line}`, fn: fn! }),
  ],
  // Windows: Assertion failed: x, file f.c, line 12
  [
    /Assertion failed: (.*), file ([^,]+), line (\d+)/,
    ([said, file, line]) => ({ said: said!, place: `${file}:${line}`, fn: '' }),
  ],
  // GLib: ERROR:f.c:12:fn: assertion failed: (x)
  [
    /^(?:\S+: )?ERROR:([^:]+:\d+):([^:]+): (assertion failed.*|code should not be reached)/,
    ([at, fn, said]) => ({ said: said!, place: at!, fn: fn! }),
  ],
  // Chromium, glog: [pid:tid:date:FATAL:file.cc(12)] Check failed: x
  [
    /(?:FATAL:|^F\d{4} \S+\s+\d+ )([\w./-]+)[(:](\d+)\)?\] *(Check failed: .*)/,
    ([file, line, said]) => ({ said: said!, place: `${file}:${line}`, fn: '' }),
  ],
  // LLVM: UNREACHABLE executed at /x/y.cpp:12!
  [/^(UNREACHABLE executed) at (\S+:\d+)!/, ([said, at]) => ({ said: said!, place: at!, fn: '' })],
];

function assertion(line: string): Found | undefined {
  if (!/assert|check failed|UNREACHABLE/i.test(line)) return undefined;
  for (const [pattern, read] of assertions) {
    const match = pattern.exec(line);
    if (!match) continue;
    const { said, place, fn } = read(match.slice(1));
    return {
      kind: 'assert',
      line: said,
      // Only the last part of the path: where the program was built does not matter.
      place: place.replace(/^.*\/(?=[^/]+$)/, ''),
      frames: fn === '' ? [] : [{ name: functionName(fn.replace(/ \[with .*$/, '')), ...fileOf(place) }],
      depth: 1,
      words: match[0],
    };
  }
  return undefined;
}

const reports =
  /^(?:\*\*\* .+ \*\*\*.*|(?:free|malloc|realloc|calloc|munmap_chunk|malloc_consolidate|corrupted|_int_\w+)\(\): .*|double free or corruption.*|corrupted (?:size vs\. prev_size|double-linked list).*|pure virtual method called|(?:\S+: )?malloc\.c:\d+: .*)$/;

/** `*** stack smashing detected ***: terminated`, `free(): double free detected in tcache 2`. */
function libraryReport(line: string): Found | undefined {
  if (!reports.test(line) || /^\*{3} ?\[|^\*+$/.test(line)) return undefined;
  return { kind: 'libc', line: line.replace(/(: )\S*\/?[\w.-]+ (terminated)$/, '$1$2'), frames: [], depth: 0 };
}

/** `terminate called after throwing an instance of 'X'` and its what(); libc++ prints both on one line. */
function uncaught(lines: readonly string[]): Found | undefined {
  const at = lines.findIndex(line => /terminate called|libc\+\+abi(?:\.dylib)?: terminating/.test(line));
  if (at < 0) return undefined;
  const type = /instance of ['‘](.*)['’]/.exec(lines[at]!)?.[1];
  const what = /^\s*what\(\):\s*(.*)$/.exec(lines[at + 1] ?? '')?.[1];
  const line = type === undefined ? lines[at]!.trim() : `uncaught ${type}${what === undefined ? '' : `: ${what}`}`;
  return { kind: 'c++', line, frames: [], depth: 0 };
}

const fileOf = (place: string): { file?: string } => {
  const file = /^(.*):\d+$/.exec(place)?.[1];
  return file === undefined ? {} : { file };
};
