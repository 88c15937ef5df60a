import type { Edit, Span } from '../../syntax/edit.js';
import { placed, shrinks, withReplaced } from '../../syntax/expressions.js';
import { fieldOf, isLeaf, kindOf, type Outline, textOf, tongueOf } from '../../syntax/flat-tree.js';
import { type Call, type Callable, callAt, callableAt, nameIn } from '../../syntax/functions.js';
import { declarationSpans, type RemovalTable, removalTable } from '../../syntax/repair.js';
import type { Syntax } from '../../syntax/syntax.js';
import { disjoint, put } from '../../syntax/text-cut.js';
import { assignmentAt, isMember, type Usage, usageOf } from '../../syntax/usage.js';
import { passed } from './bind-arguments.js';
import { before, indentOf, type Site, siteOf } from './call-sites.js';
import type { TextPass } from './pass.js';

/**
 * A call gives way to what the function does: its value takes the call's place, the statements before it go before the
 * statement of the call, arguments stand where the parameters stood. The function goes with its last call. A function is
 * known by its name, a method by its last name alone; whether that was right, and whether it matters in which order things
 * happen now, the test tells. Nothing is offered that would make the text larger.
 */
export function inline(syntax: Syntax): TextPass {
  return {
    name: 'inlined call',
    async edits(text) {
      const outline = await syntax.outline(text);
      const calls = callsIn(outline);
      if (calls.length === 0) return [];
      const usage = await usageOf(syntax, outline);
      const table = removalTable(outline);
      const byCallee = new Map(calls.map(call => [call.callee, call]));
      const edits: Edit[] = [];
      const offer = (spans: readonly (Span | undefined)[] | undefined, name: string, places: number): boolean => {
        if (spans === undefined || spans.some(span => span === undefined)) return false;
        const edit = { spans: disjoint(spans as Span[]), label: `inline ${name || 'a function'}` };
        if (edit.spans.length < spans.length || !shrinks(text, edit, name, places)) return false;
        edits.push(edit);
        return true;
      };
      for (let node = 1; node < outline.count; node++) {
        const callable = callableAt(outline, node);
        if (callable === undefined) continue;
        const called = byCallee.get(node);
        if (called !== undefined) offer(inlined(outline, usage, callable, called), '', 1);
        const name = nameOf(outline, node);
        if (name === undefined) continue;
        const leaf = nameIn(outline, name.leaf);
        const declarations = usage.bindingOf(leaf)?.definitions ?? [];
        const others = usage.alike(leaf).filter(one => !name.owns(one) && !declarations.includes(one));
        const isWithin = (one: number): boolean => one > node && one < outline.past[node]!;
        const isShared = isMember(outline, leaf);
        if (others.length === 0 || (!isShared && others.some(isWithin))) continue;
        const all = others.filter(one => !isWithin(one)).map(one => byCallee.get(one));
        const word = textOf(outline, leaf);
        const replaced = all.map(call => (call === undefined ? undefined : inlined(outline, usage, callable, call)));
        const declared = declaredBy(outline, table, usage, name);
        const isWhole =
          declared !== undefined &&
          replaced.every(spans => spans !== undefined) &&
          offer([...declared, ...replaced.flat()], word, replaced.length + 1);
        if (isWhole) continue;
        // Others may have a member of the same name: each call may be the only one that means this one.
        const along = isShared && replaced.length <= fewCalls ? (declared ?? []) : [];
        for (const spans of replaced) offer(spans && [...along, ...spans], word, 1);
      }
      return edits;
    },
  };
}

const fewCalls = 4;

function callsIn(outline: Outline): readonly Call[] {
  const calls: Call[] = [];
  for (let node = 1; node < outline.count; node++) {
    const call = callAt(outline, node);
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
function nameOf(outline: Outline, node: number): Name | undefined {
  const above = outline.parent[node]!;
  const assigned = assignmentAt(outline, above);
  const field = fieldOf(outline, node);
  let declares: number | undefined;
  if (assigned?.right === node) declares = assigned.left;
  else if (field === 'value' || field === 'right')
    declares = leading(outline, above, /^(name|declarator|key|pattern|left)$/);
  else if (/declaration|definition|_item$|^method/.test(kindOf(outline, node)))
    declares = leading(outline, node, /^(name|declarator)$/);
  if (declares === undefined) return undefined;
  const own = declares;
  const leaf = lastLeaf(outline, own);
  return leaf === undefined ? undefined : { leaf, declares: own, owns: one => one >= own && one < outline.past[own]! };
}

function leading(outline: Outline, node: number, fields: RegExp): number | undefined {
  for (let at = node; ; ) {
    let next = -1;
    for (let child = at + 1; child < outline.past[at]! && next < 0; child = outline.past[child]!)
      if (fields.test(fieldOf(outline, child))) next = child;
    if (next < 0) return undefined;
    if (isLeaf(outline, next) || kindOf(outline, next) === 'variable_name') return next;
    at = next;
  }
}

/** The name in `a`, `a.b` and `a.prototype.b`; none in `a[b]`. */
function lastLeaf(outline: Outline, node: number): number | undefined {
  if (/subscript|computed|pattern/.test(kindOf(outline, node))) return undefined;
  const leaf = outline.past[node]! - 1;
  return isLeaf(outline, leaf) ? leaf : undefined;
}

/** What goes when the function goes: all that declares its name, or the member alone. */
function declaredBy(outline: Outline, table: RemovalTable, usage: Usage, name: Name): readonly Span[] | undefined {
  const binding = name.declares === name.leaf ? usage.bindingOf(nameIn(outline, name.leaf)) : undefined;
  const one = { name: textOf(outline, name.leaf), definitions: [name.declares], uses: [] };
  return declarationSpans(outline, table, binding ?? one);
}

/** The edits that put the function in the place of the call. */
function inlined(outline: Outline, usage: Usage, callable: Callable, call: Call): Span[] | undefined {
  const site = siteOf(outline, call.node);
  const given = passed(outline, usage, callable, call, site !== undefined);
  if (given === undefined) return undefined;
  const { text } = outline;
  const { statements, value, last } = callable;
  const isTail = site?.role === 'tail' && last !== undefined && (callable.isBranched || value === undefined);
  if (callable.isBranched && !isTail) return undefined;
  const end = isTail ? last : statements[statements.length - 1];
  const first = statements[0] ?? (isTail ? last : undefined);
  const own =
    first === undefined || end === undefined
      ? ''
      : withReplaced(outline, outline.start[first]!, outline.end[end]!, given.replaced);
  const shown =
    value === undefined
      ? '0'
      : (given.replaced.get(value) ??
        withReplaced(outline, outline.start[value]!, outline.end[value]!, given.replaced));
  const kept = value === undefined ? undefined : (given.sources.get(value) ?? value);
  const at = kept === undefined ? '0' : placed(outline, kept, shown, call.node);
  if (own === '' && given.declared === '' && site?.role !== 'whole')
    return [put(text, outline.start[call.node]!, outline.end[call.node]!, at)];
  if (site === undefined) return undefined;
  const body = given.declared + shifted(outline, own, first, site);
  const { statement } = site;
  const { language } = tongueOf(outline, statement);
  const from = outline.start[statement]!;
  const to = outline.end[statement]!;
  const ending = end === undefined ? 'expression_statement' : kindOf(outline, end);
  if (site.role === 'whole' || isTail) {
    const effect = site.role === 'whole' && value !== undefined && /[(=]|\+\+|--/.test(shown) ? shown : '';
    const led = before(outline, body, ending, site);
    if (led === undefined) return undefined;
    const all = effect === '' ? closing(led, body, text, to) : `${led}${effect}${text[to - 1] === ';' ? ';' : ''}`;
    // A suite must not be left empty where nothing closes it.
    const rest = all === '' && language.name === 'python' ? at : all;
    return [put(text, from, to, braced(outline, rest, site))];
  }
  const led = before(outline, body, ending, site);
  if (led === undefined) return undefined;
  const inPlace = put(text, outline.start[call.node]!, outline.end[call.node]!, at);
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

const braced = (outline: Outline, text: string, site: Site): string =>
  site.isSingle && tongueOf(outline, site.statement).language.layout !== true ? `{${text}}` : text;

/** Lines at the depth of the statement that they come before. */
function shifted(outline: Outline, text: string, first: number | undefined, site: Site): string {
  if (first === undefined || tongueOf(outline, first).language.layout !== true) return text;
  const from = indentOf(outline, first);
  const to = indentOf(outline, site.statement);
  return from === undefined || to === undefined ? text : text.replaceAll(`\n${from}`, `\n${to}`);
}
