/** Empties the bodies of functions. */
import { bracketed } from '../../syntax/delimiters.js';
import type { Edit, Span } from '../../syntax/edit.js';
import { childAt, type FlatTree, grammarAt, is, isNamed, kindOf } from '../../syntax/flat-tree.js';
import { isFunction } from '../../syntax/functions.js';
import { smallestOf } from '../../syntax/languages/profile.js';
import { canRemove } from '../../syntax/parse-table.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut, put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * Empties the bodies of functions, each after those inside it. Most functions of a large program are never called on the way
 * to a failure, but something still names them: they cannot be removed, and their bodies can. One body does not need another,
 * so many are emptied in one test. What only these bodies used is then unused, and whole declarations can be removed in
 * large groups.
 */
export function bodies(syntax: Syntax): TextPass {
  return {
    name: 'body',
    async edits(text) {
      const tree = await syntax.tree(text);
      const edits: Edit[] = [];
      for (let node = 1; node < tree.count; node++) {
        if (!isFunction(tree, node)) continue;
        const least = returning(tree, node);
        // Something may call it, and a loop without end would be a test that takes longest.
        const span = least && !least.text.includes('for(;;)') ? least : emptied(tree, childAt(tree, node, 'body')!);
        if (span) edits.push({ spans: [span], label: `empty ${kindOf(tree, node)}` });
      }
      return edits.sort((a, b) => a.spans[0]!.end - b.spans[0]!.end || b.spans[0]!.start - a.spans[0]!.start);
    },
  };
}

/** The body of a function that must return something, in a language whose compiler insists on it. */
export function returning(tree: FlatTree, node: number): Span | undefined {
  const body = childAt(tree, node, 'body');
  if (body === undefined) return undefined;
  const least = grammarAt(tree, node).language.idleBody?.(tree, node);
  return least === undefined ? undefined : put(tree.text, tree.start[body]!, tree.end[body]!, least);
}

/** The smallest body of a function that is one expression, if nothing needs its value. */
export function valueless(tree: FlatTree, body: number): Span | undefined {
  if (is(tree, body, 'body') || is(tree, body, 'statementList')) return undefined;
  const [start, end] = [tree.start[body]!, tree.end[body]!];
  const least = smallestOf(grammarAt(tree, body).language, 'number');
  return least === undefined || least.length >= end - start ? undefined : put(tree.text, start, end, least);
}

/** Leaves a body as empty as its language allows. */
export function emptied(tree: FlatTree, body: number): Span | undefined {
  const { text } = tree;
  const start = tree.start[body]!;
  const end = tree.end[body]!;
  // `() => ()` is an error: parentheses around a value are not the brackets of a body.
  const room = is(tree, body, 'parenthesized') ? undefined : bracketed(tree, body);
  if (room) return room.inside.length > 0 ? { start: room.start, end: room.end, text: '' } : undefined;
  if (!isNamed(tree, body)) return undefined;
  const { language } = grammarAt(tree, body);
  if (language.mayBeEmpty) return canRemove(tree, body, body) ? cut(text, start, end) : undefined;
  const least = smallestOf(language, kindOf(tree, body));
  return least === undefined ? undefined : put(text, start, end, least);
}
