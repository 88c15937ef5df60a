/** .NET and Mono: `Unhandled exception. System.X: message`; the innermost ` ---> ` is the reason. */
import type { Family, Frame } from '../found.js';

export const dotnet: Family = ({ text, lines }) => {
  if (!/(?:Unhandled [Ee]xception|Process terminated)[.:]/.test(text)) return undefined;
  const at = lines.findIndex(line => heading.test(line));
  if (at < 0 || !lines.slice(at + 1).some(line => frameLine.test(line))) return undefined;
  const first = (heading.exec(lines[at]!)![1] || lines[at + 1] || '').trim();
  const nested = lines.slice(at).findLast(line => /^\s*---> /.test(line));
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    if (/--- End of inner exception/.test(line)) break;
    const match = frameLine.exec(line);
    if (!match) continue;
    const [, name, file, row] = match;
    frames.push({ name: method(name!), file: file ?? name!, ...(file ? { site: `${file}:${row}` } : {}) });
  }
  const own = frames.filter(({ file }) => !/^System\./.test(file ?? ''));
  return {
    kind: 'dotnet',
    line: nested?.replace(/^\s*---> /, '') ?? first,
    also: nested ? [`in ${/^[\w.]+/.exec(first)?.[0]}`] : [],
    frames: own.length > 0 ? own : frames,
    sites: frames.flatMap(({ site }) => (site === undefined ? [] : [site])),
    depth: /StackOverflow|Stack overflow/.test(text) ? 0 : 1,
  };
};

const heading = /(?:Unhandled [Ee]xception[.:]|Process terminated\.)\s*(.*)$/;
const frameLine = /(?:^|\s) +at ([\w.`<>+$|[\],]+) ?\(.*?\)(?:.*? in (\S.*?):(?:line )?(\d+))?/;

/** `Ns.Type.<Run>b__0` and `Ns.Type.<Run>d__3.MoveNext` are in `Run`. */
function method(name: string): string {
  const written = /<(\w+)>[bdg]__/.exec(name)?.[1];
  return (
    written ??
    name
      .replace(/`\d+|\[.*?\]/g, '')
      .split('.')
      .slice(-2)
      .join('.')
  );
}
