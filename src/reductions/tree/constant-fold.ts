/** Rewrites an expression in a shorter form. */
import type { Edit, Span } from '../../syntax/edit.js';
import { childrenOf, type FlatTree, fieldOf, grammarAt, is, isNamed, kindOf, textOf } from '../../syntax/flat-tree.js';
import { freshNames, isIdentifier } from '../../syntax/names/names.js';
import { isMember, usageOf } from '../../syntax/names/usage.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * An expression in a shorter form: `f.call(o, a)` as `f(a)`, `o["p"]` as `o.p`, `"a" + "b"` as `"ab"`, a sum of numbers as a
 * number, and a member as a variable everywhere. Inlined calls leave such expressions behind.
 */
export function constantFold(syntax: Syntax): TextPass {
  return {
    name: 'shorter form',
    async edits(text) {
      const tree = await syntax.tree(text);
      const edits: Edit[] = [];
      for (let node = 1; node < tree.count; node++) {
        if (!isNamed(tree, node)) continue;
        const span = grammarAt(tree, node).language.shorterForm?.(tree, node) ?? joined(tree, node);
        if (span !== undefined) edits.push({ spans: [span], label: `shorter ${kindOf(tree, node)}` });
      }
      return [...(await freed(syntax, tree)), ...edits];
    },
  };
}

const quoted = /^(["'])((?:(?!\1)[^\\\n$])*)\1$/;

/** Two literals with a sign between them. */
function joined(tree: FlatTree, node: number): Span | undefined {
  if (!is(tree, node, 'binary')) return undefined;
  const [left, sign, right, more] = childrenOf(tree, node);
  if (left === undefined || sign === undefined || right === undefined || more !== undefined) return undefined;
  const value = evaluated(textOf(tree, left), textOf(tree, sign), textOf(tree, right));
  return value === undefined ? undefined : put(tree.text, tree.start[node]!, tree.end[node]!, value);
}

function evaluated(left: string, sign: string, right: string): string | undefined {
  const [, mark, a] = quoted.exec(left) ?? [];
  const b = quoted.exec(right)?.[2];
  if (sign === '+' && a !== undefined && b !== undefined && !b.includes(mark!)) return `${mark}${a}${b}${mark}`;
  if (!/^\d{1,7}$/.test(left) || !/^\d{1,7}$/.test(right)) return undefined;
  const value =
    sign === '+'
      ? Number(left) + Number(right)
      : sign === '*'
        ? Number(left) * Number(right)
        : Number(left) - Number(right);
  return /^[+*-]$/.test(sign) && value >= 0 && String(value).length <= left.length + right.length
    ? String(value)
    : undefined;
}

/** A property that no literal or class has becomes a variable, at all its places. */
async function freed(syntax: Syntax, tree: FlatTree): Promise<readonly Edit[]> {
  const usage = await usageOf(syntax, tree);
  const fresh = freshNames(tree);
  const edits: Edit[] = [];
  const seen = new Set<string>();
  for (let leaf = 1; leaf < tree.count; leaf++) {
    if (!isMember(tree, leaf) || !isIdentifier(tree, leaf)) continue;
    const name = textOf(tree, leaf);
    if (seen.has(name)) continue;
    seen.add(name);
    const all = usage.alike(leaf);
    const accesses = all.map(one => tree.parent[one]!);
    if (all.some(one => fieldOf(tree, one) !== 'property')) continue;
    // Not declared here: `x.length`, `console.log`.
    if (!accesses.some(access => fieldOf(tree, access) === 'left')) continue;
    const isTaken = usage.spelled(name).some(one => !isMember(tree, one));
    const other = isTaken ? (fresh.next().value as string) : name;
    const spans = accesses.map(access => put(tree.text, tree.start[access]!, tree.end[access]!, other));
    edits.push({ spans, label: `${name} as a variable` });
  }
  return edits;
}
