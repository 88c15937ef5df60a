/**
 * Functions and variables that only the old version of a text has. An old function that is put into the new text may use them: then each has the name that it
 * has in new, or comes along.
 */
import { childAt, type FlatTree, grammarAt, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { type Declaration, variablesAround } from './gone-variables.js';
import { leavesOf, named as nameIn, shapeOf } from './matched-functions.js';
import { underNewNames, words } from './new-names.js';
import { lineIndent } from './put-back.js';

/** More functions and variables than this are a part of the old version, and not of one function. */
const mostGone = 8;

/** An old function as it is put into new. */
export interface Written {
  readonly text: string;
  /** Where other parts of old begin in it, and where each is there. */
  readonly parts: readonly { readonly at: number; readonly from: number }[];
}

/**
 * Writes an old function under new names, with what it uses and new does not have at all: functions go to its end, variables to its beginning. `node`: the
 * function in old.
 */
export function withGone(
  old: FlatTree,
  now: FlatTree,
): (text: string, newName: (name: string) => string | undefined, node: number) => Written {
  const known = new Set(leavesOf(now, 0));
  // In C, a function can't be in another one.
  const isNestable = grammarAt(old, 0).language.compiler !== undefined;
  const gone = isNestable ? declared(old, name => !known.has(name)) : new Map<string, Declared>();
  const variableAround = variablesAround(old, name => !known.has(name));
  const others = declared(now, () => true);
  return (text, newName, node) => {
    // What has the same arguments in another order is another function, however often it is called in the same places.
    const rename = (name: string) => {
      const to = newName(name);
      const [from, into] = [gone.get(name), to === undefined ? undefined : others.get(to)];
      return from && into && isReordered(from.params, into.params) ? undefined : to;
    };
    const own = underNewNames(text, rename);
    const params = new Set(shapeOf(old, node)?.params.match(words));
    const functions = new Map<string, Declaration>();
    const variables = new Map<number, Declaration>();
    for (const pending = [own]; pending.length > 0 && text.endsWith('}'); )
      for (const name of pending.pop()!.match(words) ?? []) {
        if (params.has(name) || functions.has(name)) continue;
        const called = gone.get(name);
        const found = called ?? variableAround(name, node);
        if (!found || variables.has(found.start)) continue;
        const each = { start: found.start, text: underNewNames(found.text, rename) };
        if (called) functions.set(name, each);
        else variables.set(found.start, each);
        pending.push(each.text);
      }
    const count = functions.size + variables.size;
    const block = variables.size > 0 ? blockStart(own) : 0;
    if (count === 0 || count > mostGone || block === undefined) return { text: own, parts: [] };
    return written(old, node, own, { block, functions: [...functions.values()], variables: [...variables.values()] });
  };
}

interface Parts {
  /** Where the body begins in the text, behind its brace. */
  readonly block: number;
  readonly functions: readonly Declaration[];
  readonly variables: readonly Declaration[];
}

function written(old: FlatTree, node: number, own: string, { block, functions, variables }: Parts): Written {
  let text = own.slice(0, block);
  const parts: Written['parts'][number][] = [];
  const add = ({ start, text: part }: Declaration, indent = lineIndent(old.text, start)) => {
    text += `\n${indent}`;
    parts.push({ at: text.length, from: start });
    text += part;
  };
  const inside = /^\s*\n([ \t]*)\S/.exec(own.slice(block))?.[1];
  for (const each of variables.toSorted((a, b) => a.start - b.start)) add(each, inside);
  const body = own.slice(block, -1).trimEnd();
  // What follows is on the next line.
  const line = body.startsWith('\n') ? 1 : 0;
  if (variables.length > 0)
    parts.push({ at: text.length + line, from: old.start[childAt(old, node, 'body')!]! + 1 + line });
  text += functions.length > 0 ? body : own.slice(block);
  if (functions.length === 0) return { text, parts };
  for (const each of functions) add(each);
  add({ start: old.end[node]! - 1, text: '}' });
  return { text, parts };
}

/** Behind the first brace that is not in the parameters; undefined if there is none. */
function blockStart(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
    else if (text[at] === '{' && depth === 0) return at + 1;
  }
  return undefined;
}

interface Declared extends Declaration {
  readonly params: readonly string[];
}

/** Functions that a text declares, by their names. */
function declared(tree: FlatTree, isWanted: (name: string) => boolean): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  for (let node = 1; node < tree.count; node++) {
    const name = isFunction(tree, node) ? nameIn(tree, node, ['name']) : undefined;
    if (name === undefined || !isWanted(name)) continue;
    const text = textOf(tree, node);
    if (/^(?:async\s+)?function\b/.test(text))
      found.set(name, { start: tree.start[node]!, text, params: shapeOf(tree, node)?.params.match(words) ?? [] });
  }
  return found;
}

/** Whether a parameter that both have is at another place. */
const isReordered = (olds: readonly string[], news: readonly string[]): boolean =>
  olds.some((name, at) => news.includes(name) && news[at] !== name);
