/** Lua: `lua: x.lua:3: message`, then `stack traceback:`. */
import type { Family, Frame } from '../found.js';
import { whole } from './generic.js';

export const lua: Family = ({ text, lines }) => {
  if (!text.includes('stack traceback:')) return undefined;
  const at = lines.indexOf('stack traceback:');
  if (at < 1) return undefined;
  const frames: Frame[] = [];
  const sites: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const [, place, name] = frameLine.exec(line) ?? [];
    if (place === undefined || place.startsWith('[C]')) continue;
    sites.push(place);
    if (name !== undefined) frames.push({ name, file: place.replace(/:\d+$/, '') });
  }
  const line = message(lines.slice(0, at))
    .replace(prefix, '')
    .replace(/^(\S+):\d+: /, '$1: ');
  return { kind: 'lua', line, frames, sites, depth: /\bstack overflow\b/.test(line) ? 0 : 1 };
};

const prefix = /^\S*lua\S*: /;
const frameLine = /^\t(.*?): in (?:(?:function|method|upvalue|local|field|global) '?<?([^'>]+)|main chunk)/;

/** A message may have several lines. The first one has the name of the interpreter before it. */
function message(lines: readonly string[]): string {
  const at = lines.findLastIndex(line => prefix.test(line));
  return at < 0 ? lines.at(-1)! : whole(lines, at);
}
