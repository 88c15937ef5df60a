/** Ruby: `f.rb:3:in 'foo': message (NoMethodError)` and the interpreter's own `[BUG]`. */
import type { Family, Frame } from '../found.js';

export const ruby: Family = ({ text, lines }) => {
  const bug = /\[BUG\] (.*)$/m.exec(text);
  if (bug) return { kind: 'ruby', line: `[BUG] ${bug[1]}`, frames: [], depth: 0 };
  const at = lines.findIndex(line => header.test(line));
  if (at < 0) return undefined;
  const [, file, row, name, message, type] = header.exec(lines[at]!) ?? [];
  if (type === undefined) return undefined;
  const frames: Frame[] = [{ name: bare(name!), file: file!, site: `${file}:${row}` }];
  let cause: string | undefined;
  for (const line of lines.slice(at + 1)) {
    cause = header.exec(line)?.[5];
    if (cause !== undefined) break;
    const match = /^\s+(?:\d+: )?from (\S+?):(\d+):in [`'](.*)'$/.exec(line);
    if (match) frames.push({ name: bare(match[3]!), file: match[1]!, site: `${match[1]}:${match[2]}` });
  }
  return {
    kind: 'ruby',
    line: `${type}: ${message}`,
    // An exception raised while handling another one.
    also: cause === undefined ? [] : [`after ${cause}`],
    frames: written(frames).filter(frame => !/^<(?:main|top|class|module)/.test(frame.name)),
    sites: frames.map(({ site }) => site!),
    depth: type === 'SystemStackError' ? 0 : 1,
  };
};

/** `block (2 levels) in foo`, `rescue in foo`, `Object#foo` → `foo`. */
const bare = (name: string): string =>
  name.replace(/^(?:block|rescue|ensure)(?: \(.*?\))? in /, '').replace(/^.*[#.](?=\w+[?!=]?$)/, '');

const header = /^(\S+?):(\d+):in [`'](.*?)': (.*) \(([A-Z][\w:]*)\)$/;

/** Without methods of the interpreter (`fetch`, `each`): each is shown at the place of its caller, and says nothing about it. */
const written = (frames: readonly Frame[]): readonly Frame[] =>
  frames.filter(({ name, site }, i) => {
    const caller = frames[i + 1];
    return caller === undefined || caller.site !== site || caller.name === name;
  });
