/** Replaces a call by the body of the function. */
import type { Edit, Span } from '../../../syntax/edit.js';
import { shrinks, toReplacement, withReplaced } from '../../../syntax/expressions.js';
import { type FlatTree, fieldOf, grammarAt, is, isLeaf, kindOf, textOf } from '../../../syntax/flat-tree.js';
import { type Call, type Callable, callAt, callableAt, nameIn } from '../../../syntax/functions.js';
import { declarationSpans, type RemovalTable, removalTable } from '../../../syntax/names/repair.js';
import { assignmentAt, isMember, type Usage, usageOf } from '../../../syntax/names/usage.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { disjoint, put } from '../../../syntax/text-cut.js';
import type { TextPass } from '../pass.js';
import { bindArguments } from './bind-arguments.js';
import { before, indentOf, type Site, siteOf } from './call-sites.js';

/**
 * Replaces a call by the body of the function: its value replaces the call, the statements before it go before the statement
 * of the call, and arguments replace the parameters. The function is removed with its last call. A function is identified by
 * its name, a method by its last name alone. Whether that was right, and whether the new order of effects matters, the test
 * decides. Nothing is offered that would make the text larger.
 */
export function inline(syntax: Syntax): TextPass {
  return {
    name: 'inlined call',
    async edits(text) {
      const tree = await syntax.tree(text);
      const calls = callsIn(tree);
      if (calls.length === 0) return [];
      const usage = await usageOf(syntax, tree);
      const table = removalTable(tree);
      const byCallee = new Map(calls.map(call => [call.callee, call]));
      const edits: Edit[] = [];
      const offer = (spans: readonly (Span | undefined)[] | undefined, name: string, places: number): boolean => {
        if (spans === undefined || spans.some(span => span === undefined)) return false;
        const edit = { spans: disjoint(spans as Span[]), label: `inline ${name || 'a function'}` };
        if (edit.spans.length < spans.length || !shrinks(text, edit, name, places)) return false;
        edits.push(edit);
        return true;
      };
      for (let node = 1; node < tree.count; node++) {
        const callable = callableAt(tree, node);
        if (callable === undefined) continue;
        const called = byCallee.get(node);
        if (called !== undefined) offer(inlined(tree, usage, callable, called), '', 1);
        const name = nameOf(tree, node);
        if (name === undefined) continue;
        const leaf = nameIn(tree, name.leaf);
        const declarations = usage.bindingOf(leaf)?.definitions ?? [];
        const others = usage.alike(leaf).filter(one => !name.owns(one) && !declarations.includes(one));
        const isWithin = (one: number): boolean => one > node && one < tree.past[node]!;
        const isShared = isMember(tree, leaf);
        if (others.length === 0 || (!isShared && others.some(isWithin))) continue;
        const all = others.filter(one => !isWithin(one)).map(one => byCallee.get(one));
        const word = textOf(tree, leaf);
        const replaced = all.map(call => (call === undefined ? undefined : inlined(tree, usage, callable, call)));
        const declared = declaredBy(tree, table, usage, name);
        const isWhole =
          declared !== undefined &&
          replaced.every(spans => spans !== undefined) &&
          offer([...declared, ...replaced.flat()], word, replaced.length + 1);
        if (isWhole) continue;
        // Other things may have a member of the same name: any one of the calls may be the only one that means this
        // function.
        const along = isShared && replaced.length <= fewCalls ? (declared ?? []) : [];
        for (const spans of replaced) offer(spans && [...along, ...spans], word, 1);
      }
      return edits;
    },
  };
}

const fewCalls = 4;

function callsIn(tree: FlatTree): readonly Call[] {
  const calls: Call[] = [];
  for (let node = 1; node < tree.count; node++) {
    const call = callAt(tree, node);
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

interface Name {
  readonly leaf: number;
  /** What declares it: the leaf, or the whole left side of an assignment. */
  readonly declares: number;
  owns(leaf: number): boolean;
}

/** What a function is called: its own name, or that of the variable, property or member that it is the value of. */
function nameOf(tree: FlatTree, node: number): Name | undefined {
  const above = tree.parent[node]!;
  const assigned = assignmentAt(tree, above);
  const field = fieldOf(tree, node);
  let declares: number | undefined;
  if (assigned?.right === node) declares = assigned.left;
  else if (field === 'value' || field === 'right')
    declares = leading(tree, above, /^(name|declarator|key|pattern|left)$/);
  else if (is(tree, node, 'namedFunction')) declares = leading(tree, node, /^(name|declarator)$/);
  if (declares === undefined) return undefined;
  const own = declares;
  const leaf = lastLeaf(tree, own);
  return leaf === undefined ? undefined : { leaf, declares: own, owns: one => one >= own && one < tree.past[own]! };
}

function leading(tree: FlatTree, node: number, fields: RegExp): number | undefined {
  for (let at = node; ; ) {
    let next = -1;
    for (let child = at + 1; child < tree.past[at]! && next < 0; child = tree.past[child]!)
      if (fields.test(fieldOf(tree, child))) next = child;
    // Lua: the name of a function may be a path, `a.b` or `a:b`.
    if (next < 0) return at !== node && is(tree, at, 'place') ? at : undefined;
    if (isLeaf(tree, next) || is(tree, next, 'signedName')) return next;
    at = next;
  }
}

/** The name in `a`, `a.b` and `a.prototype.b`; none in `a[b]`. */
function lastLeaf(tree: FlatTree, node: number): number | undefined {
  if (is(tree, node, 'nameless')) return undefined;
  const leaf = tree.past[node]! - 1;
  return isLeaf(tree, leaf) ? leaf : undefined;
}

/** What is removed with the function: everything that declares its name, or the member alone. */
function declaredBy(tree: FlatTree, table: RemovalTable, usage: Usage, name: Name): readonly Span[] | undefined {
  const binding = name.declares === name.leaf ? usage.bindingOf(nameIn(tree, name.leaf)) : undefined;
  const one = { name: textOf(tree, name.leaf), definitions: [name.declares], uses: [] };
  return declarationSpans(tree, table, binding ?? one);
}

/** The edits that put the function in the place of the call. */
function inlined(tree: FlatTree, usage: Usage, callable: Callable, call: Call): Span[] | undefined {
  const site = siteOf(tree, call.node);
  const given = bindArguments(tree, usage, { callable, call, mayDeclare: site !== undefined });
  if (given === undefined) return undefined;
  const { text } = tree;
  const { statements, value, last } = callable;
  const isTail = site?.role === 'tail' && last !== undefined && (callable.isBranched || value === undefined);
  if (callable.isBranched && !isTail) return undefined;
  const end = isTail ? last : statements[statements.length - 1];
  const first = statements[0] ?? (isTail ? last : undefined);
  const own =
    first === undefined || end === undefined
      ? ''
      : withReplaced(tree, tree.start[first]!, tree.end[end]!, given.replaced);
  const shown =
    value === undefined
      ? '0'
      : (given.replaced.get(value) ?? withReplaced(tree, tree.start[value]!, tree.end[value]!, given.replaced));
  const kept = value === undefined ? undefined : (given.sources.get(value) ?? value);
  const at = kept === undefined ? '0' : toReplacement(tree, kept, shown, call.node);
  if (own === '' && given.declared === '' && site?.role !== 'whole')
    return [put(text, tree.start[call.node]!, tree.end[call.node]!, at)];
  if (site === undefined) return undefined;
  const body = given.declared + shifted(tree, own, first, site);
  const { statement } = site;
  const { language } = grammarAt(tree, statement);
  const from = tree.start[statement]!;
  const to = tree.end[statement]!;
  const ending = end === undefined ? undefined : kindOf(tree, end);
  if (site.role === 'whole' || isTail) {
    const effect = site.role === 'whole' && value !== undefined && /[(=]|\+\+|--/.test(shown) ? shown : '';
    const led = before(tree, body, ending, site);
    if (led === undefined) return undefined;
    const all = effect === '' ? closing(led, body, text, to) : `${led}${effect}${text[to - 1] === ';' ? ';' : ''}`;
    // A suite must not become empty if nothing closes it.
    const rest = all === '' && !language.mayBeEmpty ? at : all;
    return [put(text, from, to, braced(tree, rest, site))];
  }
  const led = before(tree, body, ending, site);
  if (led === undefined) return undefined;
  const inPlace = put(text, tree.start[call.node]!, tree.end[call.node]!, at);
  if (site.isSingle) {
    if (language.layout === true) return undefined;
    const closing = { start: to, end: to, text: '}' };
    if (inPlace.start === from) return [{ ...inPlace, text: `{${led}${inPlace.text}` }, closing];
    return [{ start: from, end: from, text: `{${led}` }, inPlace, closing];
  }
  // Two spans with one start would count as one inside the other.
  if (inPlace.start === from) return [{ ...inPlace, text: led + inPlace.text }];
  return [{ start: from, end: from, text: led }, inPlace];
}

/** The end of what follows is the end of a statement already: a line break or a closing bracket. */
const closing = (led: string, body: string, text: string, to: number): string =>
  text[to - 1] === ';' ? led : /^\s*(\n|\}|$)/.test(text.slice(to, to + 200)) ? body : led;

const braced = (tree: FlatTree, text: string, site: Site): string =>
  site.isSingle && grammarAt(tree, site.statement).language.layout !== true ? `{${text}}` : text;

/** Lines at the depth of the statement that they come before. */
function shifted(tree: FlatTree, text: string, first: number | undefined, site: Site): string {
  if (first === undefined || grammarAt(tree, first).language.layout !== true) return text;
  const from = indentOf(tree, first);
  const to = indentOf(tree, site.statement);
  return from === undefined || to === undefined ? text : text.replaceAll(`\n${from}`, `\n${to}`);
}
