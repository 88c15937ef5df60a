/** What Go refuses if nothing uses it any more: imports, and variables of functions. */
import type { Span } from '../edit.js';

interface Word {
  readonly start: number;
  readonly end: number;
}

interface Read {
  readonly text: string;
  /** Where each name is, in order: not in strings and comments, and not as a member. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** The brackets that are open before a place and closed after it: where each `{` closes, by its start. */
  readonly blocks: readonly Word[];
}

/** Strings, comments, names and braces; everything else means nothing here. */
const tokens =
  /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\.?\s*[\p{L}_][\p{L}\p{N}_]*|[{}]/gu;

function read(text: string): Read {
  const places = new Map<string, number[]>();
  const blocks: { start: number; end: number }[] = [];
  const open: { start: number; end: number }[] = [];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{') {
      const block = { start: index, end: text.length };
      blocks.push(block);
      open.push(block);
    } else if (token === '}') {
      const block = open.pop();
      if (block) block.end = index;
    } else if (/^\s*[\p{L}_]/u.test(token)) {
      const name = token.trimStart();
      const start = index + token.length - name.length;
      const found = places.get(name);
      if (found) found.push(start);
      else places.set(name, [start]);
    }
  }
  return { text, places, blocks };
}

/** The edits that make a text compile again from which the last uses of something were removed. */
export function unusedInGo(text: string): readonly Span[] {
  const known = read(text);
  return [...unusedImports(known), ...unusedVariables(known)].sort((a, b) => a.start - b.start);
}

const imports = /(?:^|[\n;])[ \t]*import\b[ \t]*(?:\(([^)]*)\)|(?=[\w."`]))/g;
const spec = /(?:([\w.]+)[ \t]+)?["`]([^"`\n]+)["`][ \t]*(?:;|\r?\n)?/g;

function unusedImports({ text, places }: Read): readonly Span[] {
  const found: Span[] = [];
  for (const { 0: statement, 1: list, index } of text.matchAll(imports)) {
    const from = list === undefined ? index + statement.length : index + statement.length - 1 - list.length;
    spec.lastIndex = from;
    for (let match = spec.exec(text); match; match = list === undefined ? null : spec.exec(text)) {
      if (list !== undefined && match.index >= from + list.length) break;
      const [whole, alias, path] = match;
      if (alias === '_' || alias === '.' || path === 'C') continue;
      const name = alias ?? nameOf(path!);
      const isUsed = places.get(name)?.some(at => at > match.index + whole.length || at < index) ?? false;
      const start = list === undefined ? index + statement.search(/import/) : match.index;
      if (!isUsed) found.push({ start, end: match.index + whole.length, text: '' });
    }
  }
  return found;
}

/** `math/rand/v2` → rand, `gopkg.in/yaml.v3` → yaml */
const nameOf = (path: string): string =>
  path
    .replace(/\/v\d+$/, '')
    .replace(/\.v\d+$/, '')
    .replace(/^.*\//, '')
    .replace(/^go-|-go$/, '');

const declaration =
  /(?<=^|[\n;{}(]|\b(?:if|for|switch|case|else)[ \t]|:[ \t]*)[ \t]*((?:\w+[ \t]*,[ \t]*)*\w+)[ \t]*:=/gm;
const variable = /(?<=[\n;{}][ \t]*)var[ \t]+(\w+)\b(?![ \t]*,)/g;

function unusedVariables(known: Read): readonly Span[] {
  const found = new Map<number, Span>();
  const put = (start: number, end: number, text: string) => found.set(start, { start, end, text });
  const blank = ({ name, at }: Named) => put(at, at + name.length, '_');
  for (const { 0: whole, 1: list, index } of known.text.matchAll(declaration)) {
    const start = index + whole.indexOf(list!);
    const end = index + whole.length;
    const names = namesIn(list!, start);
    const assigned = names.map(each => onlyAssigned(known, each, end));
    if (assigned.every(places => places === undefined)) continue;
    if (/^[^\n{]*\.\([ \t]*type[ \t]*\)/.test(known.text.slice(end, end + longestHead))) {
      put(start, end, '');
      continue;
    }
    for (const [i, each] of names.entries())
      if (assigned[i]) for (const at of [each.at, ...assigned[i]]) blank({ name: each.name, at });
    // Nothing new is declared.
    if (names.every(({ name }, i) => name === '_' || assigned[i])) put(end - 2, end, '=');
  }
  for (const { 0: whole, 1: name, index } of known.text.matchAll(variable)) {
    const end = index + whole.length;
    const one = { name: name!, at: end - name!.length };
    const assigned = onlyAssigned(known, one, end);
    if (assigned) for (const at of [one.at, ...assigned]) blank({ name: one.name, at });
  }
  return [...found.values()];
}

interface Named {
  readonly name: string;
  readonly at: number;
}

const longestHead = 200;

const namesIn = (list: string, start: number): readonly Named[] =>
  [...list.matchAll(/\w+/g)].map(({ 0: name, index }) => ({ name, at: start + index }));

/** Where it is assigned in the rest of its block, if it is never read there. */
function onlyAssigned({ text, places, blocks }: Read, { name, at }: Named, end: number): readonly number[] | undefined {
  const within = blocks.findLast(block => block.start < at && at < block.end);
  if (within === undefined || name === '_') return undefined;
  const later = (places.get(name) ?? []).filter(place => place >= end && place < within.end);
  return later.every(place => isAssignment(text, place, name)) ? later : undefined;
}

const isAssignment = (text: string, at: number, name: string): boolean =>
  /^[ \t]*=(?!=)/.test(text.slice(at + name.length, at + name.length + 8)) &&
  /(?:^|[\n;{}])[ \t]*$/.test(text.slice(Math.max(0, at - 40), at));
