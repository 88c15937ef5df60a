/** PHP: `PHP Fatal error:  Uncaught TypeError: … in /x.php:3`, on stderr and often on stdout too. */
import type { Family, Frame } from '../found.js';

export const php: Family = ({ text, lines }) => {
  if (!/(?:Fatal|Parse) error: /.test(text) || !/ on line \d+|\.php:\d+/.test(text)) return undefined;
  const at = lines.findIndex(line => /^(?:PHP )?(?:Fatal|Parse|Recoverable fatal) error: /.test(line));
  if (at < 0) return undefined;
  const frames: Frame[] = [];
  // Where it was thrown; then each frame has the place of its call.
  const sites = [lines[at]!.match(/ in (\S+:\d+)$/)?.[1] ?? ''];
  for (const line of lines.slice(at + 1)) {
    const match = /^#\d+ (?:\[internal function\]|(\S+?)\((\d+)\)): ([\w\\:>{}-]+)\(/.exec(line);
    if (match?.[1]) sites.push(`${match[1]}:${match[2]}`);
    if (match) frames.push({ name: match[3]!.replace(/^.*(?:->|::)/, ''), ...(match[1] ? { file: match[1] } : {}) });
    else if (line === '' || /^ {2}thrown in /.test(line)) break;
  }
  // A function of PHP itself throws at the place of its call. Which one it is says less than who called it.
  if (frames.length > 1 && sites[0] === sites[1]) frames.shift();
  const outer = lines.findLast(line => /^Next [\w\\]+: /.test(line));
  return {
    kind: 'php',
    line: lines[at]!.replace(/^(?:PHP )?/, '').replace(/ in \S+(?: on line |:)\d+.*$/, ''),
    // An exception with an earlier one in it: the earlier one is the reason, and is printed first.
    also: outer === undefined ? [] : [`in ${/^Next ([\w\\]+)/.exec(outer)![1]}`],
    frames: frames.filter(({ name }) => !name.includes('{')),
    sites,
    depth: 1,
  };
};
