/**
 * Old functions in the place of new ones. A rewritten text differs in almost every line, and an old line rarely fits between new ones; but an old
 * function often fits in the place of the new one, wherever that is and however its text is wrapped.
 */
import type { Span } from './edit.js';
import { type FlatTree, grammarAt, textOf } from './flat-tree.js';
import { isFunction } from './functions.js';
import { type FunctionPair, leavesOf, matchedFunctions, named as nameIn, shapeOf } from './matched-functions.js';
import { newNamesIn, underNewNames, words } from './new-names.js';
import type { SimilarFunctions } from './similar-functions.js';

/** What replaces a function of the new text. */
export interface OldText extends Span {
  /** Where it begins in the old text. */
  readonly from: number;
}

/**
 * The functions of the new text that differ, and what replaces each to make it the old one: parameters and body. In the order of the new text.
 * `similar`: functions that are the same one, whatever their names are.
 */
export function oldFunctions(
  old: FlatTree,
  now: FlatTree,
  similar: readonly SimilarFunctions[] = [],
): readonly OldText[] {
  const matched = matchedFunctions(old, now, similar);
  const newName = newNamesIn(old, now, matched);
  const complete = withGone(old, now);
  return matched.differing
    .flatMap(pair => {
      const span = replacement(old, now, pair);
      return span ? [{ ...span, text: complete(underNewNames(span.text, newName(pair))) }] : [];
    })
    .sort((a, b) => a.start - b.start);
}

/** Undefined if an old function would mean something else in the new form. */
function replacement(old: FlatTree, now: FlatTree, [a, b]: FunctionPair): OldText | undefined {
  const [from, to] = [shapeOf(old, a), shapeOf(now, b)];
  if (!from || !to) return undefined;
  const { start, end } = to;
  if (from.isArrow === to.isArrow) return { from: from.start, start, end, text: old.text.slice(from.start, from.end) };
  // An arrow has the receiver and the arguments of what is around it.
  if (/\b(?:this|arguments|super)\b/.test(old.text.slice(from.start, from.end))) return undefined;
  const params = from.params.startsWith('(') ? from.params : `(${from.params})`;
  return {
    from: from.start,
    start,
    end,
    text: `${params}${to.between}${from.isBlock ? from.body : `{ return ${from.body}; }`}`,
  };
}

/** More functions than this are a part of the old version, and not of one function. */
const mostGone = 8;

/** Puts the functions that it calls, and that new does not have at all, into an old function. */
function withGone(old: FlatTree, now: FlatTree): (text: string) => string {
  if (grammarAt(old, 0).language.compiler === undefined) return text => text;
  const known = new Set(leavesOf(now, 0));
  const gone = new Map<string, string>();
  for (let node = 1; node < old.count; node++) {
    const name = isFunction(old, node) ? nameIn(old, node, ['name']) : undefined;
    const text = name === undefined || known.has(name) ? '' : textOf(old, node);
    if (/^(?:async\s+)?function\b/.test(text)) gone.set(name!, text);
  }
  return text => {
    if (!text.endsWith('}')) return text;
    const added = new Set<string>();
    for (const pending = [text]; pending.length > 0; )
      for (const each of pending.pop()!.match(words) ?? [])
        if (gone.has(each) && !added.has(each)) {
          added.add(each);
          pending.push(gone.get(each)!);
        }
    if (added.size === 0 || added.size > mostGone) return text;
    return `${text.slice(0, -1)}\n${[...added].map(name => gone.get(name)!).join('\n')}}`;
  };
}
