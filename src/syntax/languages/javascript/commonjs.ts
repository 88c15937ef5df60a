/**
 * Modules in the style of CommonJS: what a file exports by assignments, and how to inline a file into the call that requires
 * it.
 */
import type { Span } from '../../edit.js';
import { childAt, childrenOf, type FlatTree, kindOf, partsOf, textOf } from '../../flat-tree.js';
import { apply, disjoint } from '../../text-cut.js';
import type { Required } from '../modules.js';

/** How a CommonJS file exports: as one value, or with one assignment for each name. */
interface Exported {
  /** `module.exports = value` at the top, and nothing else that mentions `exports`. */
  readonly whole?: { readonly statement: number; readonly value: number };
  /** `exports.name = value` at the top. */
  readonly single: readonly { readonly statement: number; readonly name: string; readonly value: number }[];
  /** Every other `exports` and `module.exports`. */
  readonly mentions: readonly number[];
}

/**
 * Replaces the only `require` of a file by its contents: its statements go before the one that requires it, and what it
 * exports replaces the call.
 */
export function replaceRequire({ tree, into, call, moved }: Required): readonly Span[] | undefined {
  const place = placeOf(into, call);
  const exported = exportedBy(tree);
  if (exported === undefined) return undefined;
  const given = exported.whole ? asValue(tree, exported.whole, into, place) : asNames(tree, exported, into, place);
  if (given === undefined) return undefined;
  const body = apply(tree.text, { spans: disjoint([...given.spans, ...moved]) }).trim();
  const rest = [given.before, body].filter(text => text !== '').join('\n');
  const start = into.start[place.statement]!;
  const end = into.end[place.statement]!;
  if (given.value === undefined) return [{ start, end, text: rest }];
  const value = valueText(tree, given.value, moved);
  const needsBrackets = !/^(variable_declarator|arguments|assignment_expression|pair)$/.test(place.above);
  return [
    ...(rest === '' ? [] : [{ start, end: start, text: `${rest}\n` }]),
    {
      start: into.start[call]!,
      end: into.end[call]!,
      text: needsBrackets && !/^[\w$.]+$/.test(value) ? `(${value})` : value,
    },
  ];
}

interface Place {
  /** The statement at the top of the file that contains the call. */
  readonly statement: number;
  /** The kind of what the call is a part of. */
  readonly above: string;
  /** The name or the pattern, if the statement declares nothing else. */
  readonly pattern?: number;
  /** The statement is only the call. */
  readonly isAlone: boolean;
}

function placeOf(tree: FlatTree, call: number): Place {
  let statement = call;
  while (tree.parent[statement]! > 0) statement = tree.parent[statement]!;
  const parent = tree.parent[call]!;
  const above = kindOf(tree, parent);
  const pattern = above === 'variable_declarator' ? childAt(tree, parent, 'name') : undefined;
  const isOnly = pattern !== undefined && partsOf(tree, statement).length === 1;
  return {
    statement,
    above,
    ...(isOnly && tree.parent[parent] === statement ? { pattern } : {}),
    isAlone: parent === statement && above === 'expression_statement',
  };
}

/** How a file exports; undefined if that is not simple, or not in this style. */
export function exportedBy(tree: FlatTree): Exported | undefined {
  const single: { statement: number; name: string; value: number }[] = [];
  const whole: { statement: number; value: number }[] = [];
  const known = new Set<number>();
  for (const statement of childrenOf(tree, 0)) {
    if (kindOf(tree, statement) === 'export_statement') return undefined;
    const [assignment] = kindOf(tree, statement) === 'expression_statement' ? partsOf(tree, statement) : [];
    if (assignment === undefined || kindOf(tree, assignment) !== 'assignment_expression') continue;
    const left = childAt(tree, assignment, 'left')!;
    const value = childAt(tree, assignment, 'right')!;
    const [, all, name] = /^(?:(module\.exports)|(?:module\.)?exports\.([\w$]+))$/.exec(textOf(tree, left)) ?? [];
    if (all === undefined && name === undefined) continue;
    if (name === undefined) whole.push({ statement, value });
    else single.push({ statement, name, value });
    known.add(left);
  }
  const mentions = mentionsOf(tree, known);
  if (whole.length > 1 || (whole.length === 1 && (single.length > 0 || mentions.length > 0))) return undefined;
  return { ...(whole[0] ? { whole: whole[0] } : {}), single, mentions };
}

/** `exports.a = …;`, and `a` and `b` of `module.exports = { a, b: c };` */
export function exportedMembers(tree: FlatTree): readonly { readonly name: string; readonly node: number }[] {
  const { whole, single, mentions } = exportedBy(tree) ?? { single: [], mentions: [] };
  if (mentions.length > 0) return [];
  const isObject = whole !== undefined && kindOf(tree, whole.value) === 'object';
  const parts = isObject ? partsOf(tree, whole.value) : [];
  const ofObject = parts.flatMap(node => {
    const name = childAt(tree, node, 'key') ?? childAt(tree, node, 'name');
    if (name !== undefined) return [{ name: textOf(tree, name), node }];
    return kindOf(tree, node) === 'shorthand_property_identifier' ? [{ name: textOf(tree, node), node }] : [];
  });
  return [...single.map(({ name, statement }) => ({ name, node: statement })), ...ofObject];
}

/** Where `exports` and `module.exports` occur, outside these subtrees. */
function mentionsOf(tree: FlatTree, apart: ReadonlySet<number>): readonly number[] {
  const found: number[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (apart.has(node)) node = tree.past[node]! - 1;
    else if (textOf(tree, node) === 'module.exports' && kindOf(tree, node) === 'member_expression') {
      found.push(node);
      node = tree.past[node]! - 1;
    } else if (kindOf(tree, node) === 'identifier' && /^(exports|module)$/.test(textOf(tree, node))) found.push(node);
  }
  return found;
}

interface Given {
  /** What happens in the file's own text. */
  readonly spans: readonly Span[];
  /** What comes before it. */
  readonly before: string;
  /** The node that replaces the call; without it, the whole statement is removed. */
  readonly value?: number;
}

const gone = (tree: FlatTree, node: number): Span => ({
  start: tree.start[node]!,
  end: tree.end[node]!,
  text: '',
});

function asValue(
  own: FlatTree,
  { statement, value }: { readonly statement: number; readonly value: number },
  into: FlatTree,
  { pattern, isAlone }: Place,
): Given {
  const spans = [gone(own, statement)];
  const wanted = pattern === undefined ? undefined : namesIn(into, pattern);
  const offered = namesIn(own, value);
  const isSame = wanted !== undefined && offered !== undefined && wanted.every(name => offered.includes(name));
  return isSame || isAlone ? { spans, before: '' } : { spans, before: '', value };
}

/** `a` and `{ a, b }`: what binds or exports things under their own names. A single name counts by its own kind. */
function namesIn(tree: FlatTree, node: number): readonly string[] | undefined {
  const kind = kindOf(tree, node);
  if (kind === 'identifier') return [`= ${textOf(tree, node)}`];
  if (kind !== 'object' && kind !== 'object_pattern') return undefined;
  const parts = partsOf(tree, node);
  const isShort = parts.every(part => /^shorthand_property_identifier(_pattern)?$/.test(kindOf(tree, part)));
  return isShort ? parts.map(part => textOf(tree, part)) : undefined;
}

function asNames(own: FlatTree, exported: Exported, into: FlatTree, { pattern, isAlone }: Place): Given | undefined {
  const { single, mentions } = exported;
  if (isAlone && single.length === 0 && mentions.length === 0) return { spans: [], before: '' };
  if (pattern === undefined || mentions.some(node => textOf(own, node) === 'module')) return undefined;
  if (kindOf(into, pattern) === 'identifier') {
    const name = textOf(into, pattern);
    const lefts = single.map(({ value }) => childAt(own, childAt(own, own.parent[value]!, 'left')!, 'object')!);
    const spans = [...mentions, ...lefts].map(node => ({ ...gone(own, node), text: name }));
    return { spans, before: `const ${name} = {};` };
  }
  const wanted = namesIn(into, pattern);
  const names = single.map(({ name }) => name);
  if (wanted === undefined || mentions.length > 0 || new Set(names).size < names.length) return undefined;
  if (!wanted.every(name => names.includes(name))) return undefined;
  const spans = single.map(({ statement, name, value }) =>
    textOf(own, value) === name
      ? gone(own, statement)
      : { start: own.start[statement]!, end: own.start[value]!, text: `const ${name} = ` },
  );
  return { spans, before: '' };
}

function valueText(tree: FlatTree, node: number, spans: readonly Span[]): string {
  const start = tree.start[node]!;
  const inside = spans.filter(span => span.start >= start && span.end <= tree.end[node]!);
  return apply(textOf(tree, node), {
    spans: inside.map(span => ({ ...span, start: span.start - start, end: span.end - start })),
  });
}
