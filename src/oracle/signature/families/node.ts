/** V8's stacks (Node, Deno, Electron, Chromium), printed by V8 or by a tool that puts its own words before each line. */
import type { Family, Frame } from '../found.js';
import { isSnippet, whole } from './generic.js';

export const node: Family = output => fatal(output) ?? stack(output) ?? thrownValue(output);

const frameLine = /(?:^|\s)at (?:async )?(?:(.+?) \((.*)\)|(\S.*))$/;
const location = /(?::\d+:\d+|^<anonymous>|^native)$|^(?:index \d+|eval at )/;
const thrown = /(?:[A-Z][\w$.]*)?(?:Error|Exception|Failure)\b(?: \[\w+\])?(?=:|$)/;

const stack: Family = ({ text, lines }) => {
  if (!text.includes(' at ')) return undefined;
  const starts: number[] = [];
  for (let i = 1; i < lines.length; i++)
    if (readFrame(lines[i]!) && !readFrame(lines[i - 1]!) && !/\[(?:cause|errors)\]/.test(lines[i - 1]!))
      starts.push(i);
  const usable = starts.filter(start => !/\bwarning\b/i.test(lines[start - 1]!));
  // The error that ends Node is printed last. A tool that catches errors prints the one that stops it first.
  const at = /^Node\.js v\d/m.test(text) ? usable.at(-1) : usable[0];
  if (at === undefined) return undefined;
  const frames: Frame[] = [];
  for (let i = at, frame = readFrame(lines[i]!); frame; frame = readFrame(lines[++i] ?? '')) frames.push(frame);
  const line = header(lines, at);
  return {
    kind: 'node',
    line,
    frames: frames.filter(isProgram),
    sites: frames.flatMap(({ site }) => (site === undefined ? [] : [site])),
    depth: /Maximum call stack size exceeded|too much recursion/.test(line) ? 0 : 1,
  };
};

/** V8's own last message. */
const fatal: Family = ({ text }) => {
  const said = /^FATAL ERROR: (?:\S+ )?.*$/m.exec(text)?.[0];
  if (said) return { kind: 'v8', line: said, frames: [], depth: 0 };
  const check = /^# Fatal error in (.*)\n# (.*)$/m.exec(text);
  return check ? { kind: 'v8', line: `Fatal error: ${check[2]}`, place: check[1]!, frames: [], depth: 0 } : undefined;
};

/** `throw 'a string'` has no stack. */
const thrownValue: Family = ({ lines }) => {
  const hint = lines.findIndex(line => line.startsWith('(Use `node --trace-uncaught'));
  return hint > 0 ? { kind: 'node', line: `thrown: ${lines[hint - 1]}`, frames: [], depth: 0 } : undefined;
};

function readFrame(line: string): Frame | undefined {
  const match = frameLine.exec(line.trimEnd().replace(/ \{$/, ''));
  if (!match) return undefined;
  const file = match[2] ?? match[3]!;
  if (!location.test(file)) return undefined;
  return {
    name: match[1] === undefined ? '' : method(match[1]),
    file: file.replace(/(?::\d+)+$/, ''),
    site: file.replace(/^file:\/\//, ''),
  };
}

/** `AST_Dot.optimize [as x]` → `optimize`: the receiver's class depends on the input. */
function method(name: string): string {
  const bare = name.replace(/ \[as .*\]$/, '').replace(/^async /, '');
  if (bare.startsWith('new ')) return bare;
  const own = bare.slice(bare.lastIndexOf('.') + 1);
  return /^<.*>$|^anonymous$|^eval$/.test(own) ? '' : own;
}

const isProgram = ({ name, file }: Frame): boolean =>
  name !== '' && !/^(?:node:|internal\/|<anonymous>|native|\[eval)|\/oracle\/schedules\/preload\//.test(file ?? '');

/** The line that names the error: shortly above its first frame, from its class on, without a tool's prefix. */
function header(lines: readonly string[], at: number): string {
  for (let i = at - 1; i >= Math.max(0, at - 40); i--) {
    const match = thrown.exec(lines[i]!);
    if (!match || readFrame(lines[i]!)) continue;
    const line = identifiersOut(lines[i]!.slice(match.index));
    // An error whose message begins on the next line.
    return whole([line, ...lines.slice(i + 1, at)], 0);
  }
  let i = at - 1;
  while (i > 0 && (lines[i]!.trim() === '' || isSnippet(lines[i]!))) i--;
  // A header that ends in a colon comes before its message.
  const above = lines.slice(0, i).findLastIndex(line => line.trim() !== '');
  const said = above >= 0 && /:\s*$/.test(lines[above]!) ? whole(lines, above) : lines[i]!;
  return said.replace(/^\s*(?:\[\w+\]|[\w ]{0,12}(?:ERROR|ERR!|Uncaught))[:\s]*/i, '').trim();
}

/** Which identifier was unexpected depends on the input. That one was unexpected is the failure. */
const identifiersOut = (line: string): string =>
  line
    .replace(/^(SyntaxError: Unexpected (?:identifier|string|number|template string)) .*/, '$1')
    // One or two letters are a minified name of whatever the input made it call.
    .replace(/^(TypeError: )[\w$]{1,2}(?:\.[\w$]{1,2})* (is not (?:a function|a constructor|iterable))/, '$1… $2')
    .replace(/^(SyntaxError: Identifier) '.*' (has already been declared)/, '$1 $2');
