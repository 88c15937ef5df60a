/** CPython and PyPy: tracebacks, syntax errors, and the interpreter's own crashes. */
import type { Family, Frame } from '../found.js';

export const python: Family = output => traceback(output) ?? syntax(output) ?? interpreter(output);

const frameLine = /^\s+File "(.*)", line (\d+)(?:, in (.*))?$/;
const exceptionLine = /^(?:\s*\|\s*)?((?:\w+\.)*[A-Za-z_]\w*)(?::\s|$)/;

const traceback: Family = ({ text, lines }) => {
  if (!text.includes('Traceback (most recent call last):')) return undefined;
  const blocks: { frames: Frame[]; line: string }[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!lines[i]!.includes('Traceback (most recent call last):')) continue;
    const indent = lines[i]!.indexOf('Traceback');
    const frames: Frame[] = [];
    let end = i + 1;
    for (; end < lines.length; end++) {
      const line = lines[end]!.slice(indent);
      const frame = frameLine.exec(line);
      if (frame) frames.push({ name: frame[3] ?? '', file: frame[1]!, site: `${frame[1]}:${frame[2]}` });
      else if (!/^\s/.test(line) && exceptionLine.test(line)) break;
    }
    if (end < lines.length) blocks.push({ frames: frames.reverse(), line: lines[end]!.slice(indent) });
  }
  const uncaught = blocks.at(-1);
  if (!uncaught) return undefined;
  return {
    kind: 'python',
    line: uncaught.line,
    // An exception raised while handling another one: the first is the reason.
    also: blocks.length > 1 ? [`after ${className(blocks[0]!.line)}`] : [],
    frames: uncaught.frames.filter(({ name }) => name !== '' && !/^<.*>$/.test(name)),
    sites: uncaught.frames.map(({ site }) => site!),
    depth: /^RecursionError\b/.test(uncaught.line) ? 0 : 1,
  };
};

const syntax: Family = ({ lines }) => {
  const at = lines.findIndex(line => /^(?:SyntaxError|IndentationError|TabError): /.test(line));
  return at > 0 && lines.slice(Math.max(0, at - 4), at).some(line => frameLine.test(line))
    ? { kind: 'python', line: lines[at]!, frames: [], depth: 0 }
    : undefined;
};

const interpreter: Family = ({ text, lines }) => {
  const said = /^Fatal Python error: (.*)$/m.exec(text);
  if (!said) return undefined;
  const from = lines.findIndex(line => /most recent call first/.test(line));
  const frames: Frame[] = [];
  for (let i = from + 1; from >= 0 && i < lines.length; i++) {
    const frame = /^\s+File "(.*)", line \d+ in (.*)$/.exec(lines[i]!);
    if (!frame) break;
    if (!/^<.*>$/.test(frame[2]!)) frames.push({ name: frame[2]!, file: frame[1]! });
  }
  return { kind: 'python', line: said[0], frames, depth: /overflow/i.test(said[1]!) ? 0 : 1 };
};

const className = (line: string): string => exceptionLine.exec(line)?.[1] ?? line;
