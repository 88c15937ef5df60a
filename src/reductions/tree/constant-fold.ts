import type { Edit, Span } from '../../syntax/edit.js';
import {
  childAt,
  childrenOf,
  fieldOf,
  isNamed,
  kindOf,
  type Outline,
  textOf,
  tongueOf,
} from '../../syntax/flat-tree.js';
import { callAt } from '../../syntax/functions.js';
import { isScript } from '../../syntax/languages/index.js';
import { freshNames, isIdentifier } from '../../syntax/names.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import { isMember, usageOf } from '../../syntax/usage.js';
import type { TextPass } from './pass.js';

/**
 * An expression in a shorter form: `f.call(o, a)` as `f(a)`, `o["p"]` as `o.p`, `"a" + "b"` as `"ab"`, a sum of numbers as a
 * number, and a member as a variable wherever it stands. They are what inlined calls leave behind.
 */
export function fold(syntax: Syntax): TextPass {
  return {
    name: 'shorter form',
    async edits(text) {
      const outline = await syntax.outline(text);
      const edits: Edit[] = [];
      for (let node = 1; node < outline.count; node++) {
        if (!isNamed(outline, node)) continue;
        const span = withoutCall(outline, node) ?? dotted(outline, node) ?? joined(outline, node);
        if (span !== undefined) edits.push({ spans: [span], label: `shorter ${kindOf(outline, node)}` });
      }
      return [...(await freed(syntax, outline)), ...edits];
    },
  };
}

/** `f.call(o, a)` and `f.apply(o, [a])`. */
function withoutCall(outline: Outline, node: number): Span | undefined {
  const call = isScript(tongueOf(outline, node).language) ? callAt(outline, node) : undefined;
  if (call?.receiver === undefined || call.args.length === 0) return undefined;
  const how = textOf(outline, call.callee);
  if (how !== 'call' && how !== 'apply') return undefined;
  const rest = call.args.slice(1).map(arg => textOf(outline, arg));
  const list = how === 'call' ? rest.join() : (/^\[(.*)\]$/s.exec(rest[0] ?? '[]')?.[1] ?? `...${rest[0]}`);
  const { start, end } = outline;
  return put(outline.text, start[node]!, end[node]!, `${textOf(outline, call.receiver)}(${list})`);
}

/** `o["p"]`. */
function dotted(outline: Outline, node: number): Span | undefined {
  if (kindOf(outline, node) !== 'subscript_expression' || !isScript(tongueOf(outline, node).language)) return undefined;
  const index = childAt(outline, node, 'index');
  const object = childAt(outline, node, 'object');
  const name = index === undefined ? undefined : /^(["'])([A-Za-z_$][\w$]*)\1$/.exec(textOf(outline, index))?.[2];
  if (name === undefined || object === undefined) return undefined;
  return put(outline.text, outline.end[object]!, outline.end[node]!, `.${name}`);
}

const quoted = /^(["'])((?:(?!\1)[^\\\n$])*)\1$/;

/** Two literals with a sign between them. */
function joined(outline: Outline, node: number): Span | undefined {
  if (!/^binary_(expression|operator)$/.test(kindOf(outline, node))) return undefined;
  const [left, sign, right, more] = childrenOf(outline, node);
  if (left === undefined || sign === undefined || right === undefined || more !== undefined) return undefined;
  const value = evaluated(textOf(outline, left), textOf(outline, sign), textOf(outline, right));
  return value === undefined ? undefined : put(outline.text, outline.start[node]!, outline.end[node]!, value);
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
async function freed(syntax: Syntax, outline: Outline): Promise<readonly Edit[]> {
  const usage = await usageOf(syntax, outline);
  const fresh = freshNames(outline);
  const edits: Edit[] = [];
  const seen = new Set<string>();
  for (let leaf = 1; leaf < outline.count; leaf++) {
    if (!isMember(outline, leaf) || !isIdentifier(outline, leaf)) continue;
    const name = textOf(outline, leaf);
    if (seen.has(name)) continue;
    seen.add(name);
    const all = usage.alike(leaf);
    const accesses = all.map(one => outline.parent[one]!);
    if (all.some(one => fieldOf(outline, one) !== 'property')) continue;
    // Nothing of ours: `x.length`, `console.log`.
    if (!accesses.some(access => fieldOf(outline, access) === 'left')) continue;
    const isTaken = usage.spelled(name).some(one => !isMember(outline, one));
    const other = isTaken ? (fresh.next().value as string) : name;
    const spans = accesses.map(access => put(outline.text, outline.start[access]!, outline.end[access]!, other));
    edits.push({ spans, label: `${name} as a variable` });
  }
  return edits;
}
