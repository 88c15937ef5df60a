/** Statements and variables of C that change nothing that anything reads. */
import type { Edit, Span } from '../../edit.js';
import { childAt, childrenOf, type FlatTree, fieldOf, isNamed, kindOf, partsOf, textOf } from '../../flat-tree.js';
import { cut, put } from '../../text-cut.js';
import { isPure, nameIn, storedIn } from './purity.js';

/**
 * What is left once expressions are values, and code that does not run is gone: branches whose condition is a number, statements that compute
 * something for nobody, and variables that nothing reads, with what is stored in them. Names are compared by their letters, so a name that
 * is read anywhere counts as read everywhere.
 */
export function withoutEffect(tree: FlatTree): readonly Edit[] {
  const edits: Edit[] = [];
  const gone = new Uint8Array(tree.text.length);
  const remove = (spans: readonly Span[], label: string): void => {
    edits.push({ spans, label });
    for (const { start, end } of spans) gone.fill(1, start, end);
  };
  for (let node = 1; node < tree.count; node++) {
    if (!isNamed(tree, node) || gone[tree.start[node]!] === 1) continue;
    const spans = settled(tree, node);
    if (spans) remove(spans, `settled ${kindOf(tree, node)}`);
  }
  const variables = variablesIn(tree);
  for (let before = -1; before < edits.length; ) {
    before = edits.length;
    for (const [name, { spans, mentions }] of variables) {
      const isInside = (at: number): boolean => spans.some(({ start, end }) => start <= at && at < end);
      if (!mentions.every(leaf => gone[tree.start[leaf]!] === 1 || isInside(tree.start[leaf]!))) continue;
      variables.delete(name);
      const left = spans.filter(({ start }) => gone[start] === 0);
      if (left.length > 0) remove(left, `unread ${name}`);
    }
  }
  return edits;
}

/** The number that a condition is, without brackets around it. */
function numberOf(tree: FlatTree, node: number): number | undefined {
  const text = textOf(tree, node).replace(/[()\s]/g, '');
  const found = /^(-?\d+)[uUlL]*$/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Whether it only counts if it is 0. */
function isCondition(tree: FlatTree, node: number): boolean {
  const above = tree.parent[node]!;
  return (
    fieldOf(tree, node) === 'condition' ||
    (kindOf(tree, above) === 'parenthesized_expression' && isCondition(tree, above))
  );
}

const isEmpty = (tree: FlatTree, node: number): boolean => /^[{};\s]*$/.test(textOf(tree, node));

/** What can go of a statement or an expression that is decided, or does nothing. */
function settled(tree: FlatTree, node: number): readonly Span[] | undefined {
  const kind = kindOf(tree, node);
  const inList = kindOf(tree, tree.parent[node]!) === 'compound_statement';
  const without = (): readonly Span[] => [
    inList
      ? cut(tree.text, tree.start[node]!, tree.end[node]!)
      : put(tree.text, tree.start[node]!, tree.end[node]!, ';'),
  ];
  const only = (part: number): readonly Span[] => [
    cut(tree.text, tree.start[node]!, tree.start[part]!),
    cut(tree.text, tree.end[part]!, tree.end[node]!),
  ];
  const condition = childAt(tree, node, 'condition');
  const value = condition === undefined ? undefined : numberOf(tree, condition);
  if (kind === 'expression_statement') {
    const isHeld = !inList && !/^(case|labeled)_statement$/.test(kindOf(tree, tree.parent[node]!));
    return !isHeld && partsOf(tree, node).length > 0 && isPure(tree, node) ? without() : undefined;
  }
  if (kind === 'binary_expression' && isCondition(tree, node)) {
    const [left, right] = [childAt(tree, node, 'left')!, childAt(tree, node, 'right')!];
    const sign = textOf(tree, childAt(tree, node, 'operator')!);
    const first = /^(&&|\|\|)$/.test(sign) ? numberOf(tree, left) : undefined;
    return first === undefined ? undefined : only((sign === '&&') === (first !== 0) ? right : left);
  }
  if (condition === undefined) return undefined;
  if (kind === 'if_statement') {
    const [yes, other] = [childAt(tree, node, 'consequence')!, childAt(tree, node, 'alternative')];
    const no = other === undefined ? undefined : partsOf(tree, other).at(-1);
    if (isEmpty(tree, yes) && (no === undefined || isEmpty(tree, no)) && isPure(tree, condition)) return without();
    const taken = value === undefined ? undefined : value === 0 ? no : yes;
    if (value === undefined) return undefined;
    return taken === undefined || isEmpty(tree, taken) ? without() : only(taken);
  }
  if (value === undefined) return undefined;
  if (kind === 'conditional_expression') {
    const taken = childAt(tree, node, value === 0 ? 'alternative' : 'consequence');
    return taken === undefined ? undefined : only(taken);
  }
  if (value !== 0) return undefined;
  if (kind === 'while_statement') return without();
  const begins = childAt(tree, node, 'initializer');
  if (kind !== 'for_statement' || !inList || (begins !== undefined && kindOf(tree, begins) === 'declaration'))
    return undefined;
  return begins === undefined
    ? without()
    : [...only(begins).slice(0, 1), put(tree.text, tree.end[begins]!, tree.end[node]!, ';')];
}

interface Variable {
  /** Its declaration, and statements that only store something in it. */
  readonly spans: Span[];
  readonly mentions: number[];
}

/** Variables of functions that are alone in their declaration, and what mentions each name. */
function variablesIn(tree: FlatTree): Map<string, Variable> {
  const found = new Map<string, Variable>();
  const of = (name: string): Variable => {
    const known = found.get(name) ?? { spans: [], mentions: [] };
    found.set(name, known);
    return known;
  };
  const declared = new Set<string>();
  for (let node = 1; node < tree.count; node++) {
    const kind = kindOf(tree, node);
    if (kind === 'identifier' && isNamed(tree, node)) of(textOf(tree, node)).mentions.push(node);
    if (kind === 'declaration') {
      const name = declaredBy(tree, node);
      if (name === undefined) continue;
      of(name).spans.push(cut(tree.text, tree.start[node]!, tree.end[node]!));
      declared.add(name);
    } else if (kind === 'expression_statement') {
      const name = storedBy(tree, node);
      if (name !== undefined) of(name).spans.push(cut(tree.text, tree.start[node]!, tree.end[node]!));
    }
  }
  for (const name of found.keys()) if (!declared.has(name)) found.delete(name);
  return found;
}

/** The only name of a declaration that does nothing else. */
function declaredBy(tree: FlatTree, node: number): string | undefined {
  const above = kindOf(tree, tree.parent[node]!);
  if (!/^(compound_statement|translation_unit)$/.test(above) || !isPure(tree, node)) return undefined;
  const declarators = childrenOf(tree, node).filter(child => fieldOf(tree, child) === 'declarator');
  const [declarator, more] = declarators;
  // The declaration of a function is needed by whatever calls it.
  if (more !== undefined || declarator === undefined || isFunctionType(tree, declarator)) return undefined;
  return nameIn(tree, declarator);
}

function isFunctionType(tree: FlatTree, declarator: number): boolean {
  for (let at: number | undefined = declarator; at !== undefined; at = childAt(tree, at, 'declarator'))
    if (kindOf(tree, at) === 'function_declarator') return true;
  return false;
}

/** The variable in which a statement stores something, if it does nothing else: `a = 1;`, `a[2] = b;`, `a.b += 2;`, `a++;`. */
function storedBy(tree: FlatTree, node: number): string | undefined {
  if (kindOf(tree, tree.parent[node]!) !== 'compound_statement') return undefined;
  const [change, more] = partsOf(tree, node);
  if (change === undefined || more !== undefined) return undefined;
  const kind = kindOf(tree, change);
  if (kind !== 'assignment_expression' && kind !== 'update_expression') return undefined;
  if (!partsOf(tree, change).every(part => isPure(tree, part))) return undefined;
  return storedIn(tree, change)?.name;
}
