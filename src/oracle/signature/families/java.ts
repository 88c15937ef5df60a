/** The JVM's languages: exceptions with their causes, and crashes of the JVM itself. */
import type { Family, Found, Frame } from '../found.js';

export const java: Family = output => exception(output) ?? machine(output);

const frameLine = /^\s*at (?:[\w.@-]+\/\/?)*([\w.$<>-]+)\.([\w$<>-]+)\(([^()]*)\)/;
const exceptionLine = /(?:^|[\s:])((?:[a-z_$][\w$]*\.)+[A-Z][\w$]*)(?:: (.*))?$/;
/** An exception of a class without a package. */
const bareExceptionLine = /(?:^Exception in thread ".*" |^Caused by: )([A-Z][\w$]*)(?:: (.*))?$/;
/** How many lines a message may have. */
const longestMessage = 20;

const exception: Family = ({ text, lines }) => {
  if (!/\tat |^ {2,}at [\w.$/]+\(/m.test(text)) return undefined;
  let first: string | undefined;
  let root: { line: string; at: number } | undefined;
  for (let i = 0; i < lines.length - 1; i++) {
    if (!frameLine.test(lines[i + 1]!) || frameLine.test(lines[i]!)) continue;
    const top = headingAbove(lines, i);
    const match = readHeading(lines[top]!);
    if (!match) continue;
    if (first !== undefined && !/^\s*Caused by: /.test(lines[top]!)) continue;
    first ??= match[1]!;
    root = { line: match[0].trim().replace(/^(?:Exception in thread ".*"|Caused by:|:) /, ''), at: i + 1 };
  }
  if (!root || first === undefined) return undefined;
  const frames: Frame[] = [];
  for (let i = root.at, frame = readFrame(lines[i]!); frame; frame = readFrame(lines[++i] ?? '')) frames.push(frame);
  const own = frames.filter(({ file }) => !/^(?:java|javax|jdk|sun|kotlin|scala|groovy\.lang)\b/.test(file ?? ''));
  const outer = root.line.startsWith(first) ? [] : [`in ${first}`];
  return {
    kind: 'java',
    line: root.line,
    also: outer,
    frames: (own.length > 0 ? own : frames).map(({ name }) => ({ name })),
    sites: frames.flatMap(({ site }) => (site === undefined ? [] : [site])),
    depth: /\bStackOverflowError\b/.test(root.line) ? 0 : 1,
  };
};

const readHeading = (line: string): RegExpExecArray | null =>
  /^\s*(?:Suppressed|CIRCULAR)/.test(line) ? null : (exceptionLine.exec(line) ?? bareExceptionLine.exec(line));

/** Where a message of several lines begins: at the line that names the thread or the cause. */
function headingAbove(lines: readonly string[], at: number): number {
  if (readHeading(lines[at]!)) return at;
  for (let i = at - 1; i >= 0 && i > at - longestMessage && !frameLine.test(lines[i]!); i--)
    if (/^(?:Exception in thread |Caused by: )/.test(lines[i]!)) return i;
  return at;
}

const machine: Family = ({ lines }): Found | undefined => {
  const at = lines.findIndex(line =>
    line.startsWith('# A fatal error has been detected by the Java Runtime Environment'),
  );
  if (at < 0) return undefined;
  const said =
    lines.slice(at + 1).find(line => /^# {2}(?:SIG\w+|Internal Error|EXCEPTION_\w+)/.test(line)) ?? lines[at]!;
  const problematic = lines.findIndex(line => line.startsWith('# Problematic frame:'));
  const frame =
    problematic < 0
      ? undefined
      : /^# \w\s+(?:\[[^\]]*\]\s+|\d+\s+)?(?:\w+ )*([\w.$:~]+)/.exec(lines[problematic + 1] ?? '')?.[1];
  return {
    kind: 'jvm',
    line: said.replace(/^# +/, '').replace(/ at pc=.*/, ''),
    frames: frame === undefined ? [] : [{ name: frame }],
    depth: 1,
  };
};

/** `Class.method`; lambdas, accessors and inner classes count as the method or class that contains them. */
function readFrame(line: string): Frame | undefined {
  const match = frameLine.exec(line);
  if (!match) return undefined;
  const name = match[2]!.replace(/^lambda\$(\w+)\$\d+$/, '$1').replace(/^access\$\d+$/, '<init>');
  const type = match[1]!.slice(match[1]!.lastIndexOf('.') + 1).replace(/(?:\$\$?(?:\d+|Lambda|anon)\b.*)$/, '');
  // The JVM prints the name of a source file, without its folder.
  const site = /^[^:]+:\d+$/.test(match[3]!) ? { site: match[3]! } : {};
  return { name: `${type}.${name}`, file: match[1]!, ...site };
}
