/** Replaces a namespace by its contents, and removes the qualifiers that name it. */
import { bracketed } from '../../syntax/delimiters.js';
import type { Edit, Span } from '../../syntax/edit.js';
import { childrenOf, type FlatTree, grammarAt, is, isNamed, kindOf, textOf } from '../../syntax/flat-tree.js';
import { isIdentifier } from '../../syntax/names/names.js';
import type { Syntax } from '../../syntax/syntax.js';
import { disjoint, keepOnly } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * Replaces a namespace or module by its contents, and removes its name from every qualified name: `a::b` becomes `b`. Neither
 * can be done without the other. All of them together are one more edit, with those that have no name: PHP wants all code in
 * namespaces, or none of it.
 */
export function wrappers(syntax: Syntax): TextPass {
  return {
    name: 'wrapper with qualifiers',
    async edits(text) {
      const tree = await syntax.tree(text);
      const edits: Edit[] = [];
      for (let node = tree.count - 1; node > 0; node--) {
        if (!isNamed(tree, node) || !is(tree, node, 'namespace')) continue;
        const found = unwrapped(tree, node);
        if (found !== undefined) edits.push(found);
      }
      const whole = { spans: disjoint(edits.flatMap(edit => edit.spans)), label: 'unwrap all namespaces' };
      return edits.length > 1 ? [...edits, whole] : edits;
    },
  };
}

function unwrapped(tree: FlatTree, node: number): Edit | undefined {
  const body = childrenOf(tree, node).find(child => bracketed(tree, child) !== undefined);
  const inside = body === undefined ? [] : bracketed(tree, body)!.inside;
  if (body === undefined || inside.length === 0) return undefined;
  const parts: string[] = [];
  for (let leaf = node; leaf < body; leaf++) if (isIdentifier(tree, leaf)) parts.push(textOf(tree, leaf));
  const [from, to] = [tree.start[inside[0]!]!, tree.end[inside[inside.length - 1]!]!];
  const header = { start: tree.start[node]!, end: tree.start[body]! };
  const spans = [
    ...keepOnly(tree.text, { start: header.start, end: tree.end[node]! }, { start: from, end: to }),
    ...qualifiers(tree.text, parts, grammarAt(tree, node).language.tokens.qualifier).filter(
      span => span.end <= header.start || span.start >= header.end,
    ),
  ];
  return { spans: disjoint(spans), label: `unwrap ${parts.join('.') || kindOf(tree, node)}` };
}

function qualifiers(text: string, parts: readonly string[], separator: string): Span[] {
  if (parts.length === 0) return [];
  const names = parts.map(part => part.replaceAll('$', '\\$')).join(`\\s*${separator}\\s*`);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_$.:\\\\])${separator}?${names}\\s*${separator}\\s*(?=[\\p{L}_$~])`,
    'gu',
  );
  return [...text.matchAll(pattern)].map(found => ({
    start: found.index,
    end: found.index + found[0].length,
    text: '',
  }));
}
