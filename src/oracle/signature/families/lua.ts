/** Lua: `lua: x.lua:3: message`, then `stack traceback:`. */
import type { Family, Frame } from '../found.js';

export const lua: Family = ({ text, lines }) => {
  if (!text.includes('stack traceback:')) return undefined;
  const at = lines.indexOf('stack traceback:');
  if (at < 1) return undefined;
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    const match = /^\t(.*?): in (?:function|method|upvalue|local|field|global) '?<?([^'>]+)/.exec(line);
    if (match && !match[1]!.startsWith('[C]')) frames.push({ name: match[2]!, file: match[1]!.replace(/:\d+$/, '') });
  }
  return {
    kind: 'lua',
    line: lines[at - 1]!.replace(/^\S*lua\S*: /, '').replace(/^(\S+):\d+: /, '$1: '),
    frames,
    depth: 1,
  };
};
