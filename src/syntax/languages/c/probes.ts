/**
 * Where the statements of C and C++ can note that they are reached. gcov would need a compiler that has it, the same one for the
 * counts, and an end that writes them; it counts by the lines of the files before the preprocessor, and not what is on one line. A call in the text works
 * with every compiler that links a program, whatever its path and its options are, and writes before a crash.
 */
import { broken, childrenOf, type FlatTree, fieldOf, isNamed, kindOf, partsOf, textOf } from '../../flat-tree.js';
import type { Probe, Probing } from '../../probes.js';
import { afterCode, appendTo, libraryCalls, ownFunction } from './preludes.js';

const holders = /^(if_statement|else_clause|for_statement|while_statement|do_statement|for_range_loop)$/;
const wanted = /(statement|declaration)$|^(function_definition|for_range_loop)$/;
const statement = /(statement|declaration)$|^for_range_loop$/;
const lists = /^(compound_statement|case_statement|labeled_statement)$/;

export const cProbing: Probing = {
  probesIn,
  startIn(text) {
    const found = /\bmain\s*\([^(){};]*\)\s*\{/.exec(text);
    return found ? found.index + found[0].length : undefined;
  },
  call: id => `__culprit_ran(${id});`,
  withPrelude: (text, count, isAlone) => afterCode(prelude(count), text, isAlone, '__culprit_ran'),
};

/** Each number is written once. */
const prelude = (count: number): string =>
  [
    libraryCalls,
    `static unsigned char __culprit_seen[${count}];`,
    `${ownFunction} __culprit_ran(int id) {`,
    'char *path, text[12]; int at = 12, file;',
    'if (__culprit_seen[id]) return;',
    '__culprit_seen[id] = 1;',
    "text[--at] = '\\n';",
    "do text[--at] = (char)('0' + id % 10); while (id /= 10);",
    appendTo('CULPRIT_RAN', 12),
    '}',
  ].join(' ');

/** A turn is this many nodes: a large text has hundreds of thousands. */
const turn = 2_000;

function* probesIn(tree: FlatTree): Generator<void, readonly Probe[]> {
  const probes: Probe[] = [];
  const errors = errorsIn(tree);
  // Patterns are too slow to try on every node.
  const isWanted = Uint8Array.from(tree.grammars[0]!.kinds, kind => Number(wanted.test(kind)));
  const around = new Brackets(tree);
  for (let node = 1; node < tree.count; node++) {
    if (node % turn === 0) yield;
    if (tree.grammar[node] !== 0 || isWanted[tree.kind[node]!] !== 1 || !isNamed(tree, node)) continue;
    if (kindOf(tree, node) === 'function_definition' && isUntouchable(tree, node)) node = tree.past[node]! - 1;
    else {
      const probe = around.isInBraces(node) ? probeAt(tree, node) : undefined;
      if (probe && isRead(tree, node, errors)) probes.push(probe);
    }
  }
  return probes;
}

/** The brackets around a node. What is in others than braces is an expression, whatever the parser took it for: `noexcept(f(a<b> {}))`. */
class Brackets {
  private readonly open: string[] = [];
  private read = 0;

  constructor(private readonly tree: FlatTree) {}

  /** Asked in the order of the nodes. */
  isInBraces(node: number): boolean {
    const { start, end, text, past } = this.tree;
    for (; this.read < node; this.read++) {
      if (past[this.read] !== this.read + 1 || end[this.read]! - start[this.read]! !== 1) continue;
      const sign = text[start[this.read]!]!;
      if ('([{'.includes(sign)) this.open.push(sign);
      // A brace ends what was not closed.
      else if (sign === '}') this.open.length = Math.max(0, this.open.lastIndexOf('{'));
      else if (this.open.at(-1) === opening[sign]) this.open.pop();
    }
    // A lambda has braces of its own, and `({ … })` is an expression of statements.
    const around = this.open.at(-1);
    return (
      around === undefined ||
      around === '{' ||
      /^(lambda|compound_literal|parenthesized|statement)_?expression$/.test(kindOf(this.tree, this.tree.parent[node]!))
    );
  }
}

const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/**
 * What the parser could not read may belong to the statements beside it: of `goto *a;`, it takes the second half for a statement. A block is
 * one, whatever is in it.
 */
function isRead(tree: FlatTree, node: number, errors: (node: number) => boolean): boolean {
  if (kindOf(tree, node) === 'compound_statement') return (tree.flags[node]! & broken) === 0 && !holdsOuter(tree, node);
  if (errors(node) || holdsOuter(tree, tree.parent[node]!)) return false;
  const beside = childrenOf(tree, tree.parent[node]!);
  const at = beside.indexOf(node);
  return [beside[at - 1], beside[at + 1]].every(one => one === undefined || !errors(one));
}

/** What can only be outside functions: the parser took a namespace or a class for one. */
const outer =
  /^(template_declaration|namespace_definition|function_definition|access_specifier|linkage_specification)$/;
const holdsOuter = (tree: FlatTree, node: number): boolean =>
  childrenOf(tree, node).some(child => outer.test(kindOf(tree, child)));

/** It is evaluated while it is compiled, or has no usual body. */
function isUntouchable(tree: FlatTree, node: number): boolean {
  const body = childrenOf(tree, node).find(child => fieldOf(tree, child) === 'body');
  const head = tree.text.slice(tree.start[node], body === undefined ? tree.end[node] : tree.start[body]);
  return body === undefined || /\b(constexpr|consteval|naked)\b/.test(head);
}

function probeAt(tree: FlatTree, node: number): Probe | undefined {
  const parent = tree.parent[node]!;
  const [kind, above] = [kindOf(tree, node), kindOf(tree, parent)];
  const covered = coveredBy(tree, node);
  const range = { start: tree.start[covered]!, end: tree.end[covered]! };
  if (kind === 'compound_statement') {
    // What is before the first case of a switch is never reached.
    const opening = node + 1;
    return above === 'switch_statement' || textOf(tree, opening) !== '{'
      ? undefined
      : { ...range, at: tree.end[opening]! };
  }
  if (!statement.test(kind) || /^(case|labeled)_statement$/.test(kind) || textOf(tree, node) === ';') return undefined;
  if (holders.test(above) && isHeld(tree, node)) {
    const at = startOf(tree, node);
    return at === undefined || kind === 'declaration' ? undefined : { ...range, at, closesAt: tree.end[node]! };
  }
  if (!lists.test(above) || (above === 'compound_statement' && isSure(tree, node))) return undefined;
  const at = startOf(tree, node);
  return at === undefined ? undefined : { ...range, at };
}

/** Not the condition, or what a loop begins with. */
const isHeld = (tree: FlatTree, node: number): boolean =>
  /^(body|consequence|alternative)$/.test(fieldOf(tree, node)) || kindOf(tree, tree.parent[node]!) === 'else_clause';

/** It is reached if its block is: nothing before it can leave. */
function isSure(tree: FlatTree, node: number): boolean {
  for (const before of partsOf(tree, tree.parent[node]!)) {
    if (before === node) return true;
    if (kindOf(tree, before) !== 'declaration' || /\(/.test(textOf(tree, before))) return false;
  }
  return false;
}

/** What is only there with this statement: its label, its case, its `else`, its function. */
function coveredBy(tree: FlatTree, node: number): number {
  let top = node;
  for (;;) {
    const parent = tree.parent[top]!;
    const kind = kindOf(tree, parent);
    const isFirst = kind === 'case_statement' && firstStatement(tree, parent) === top;
    const isBody = kind === 'function_definition' && fieldOf(tree, top) === 'body';
    if (!isFirst && !isBody && kind !== 'labeled_statement' && kind !== 'else_clause') return top;
    top = parent;
  }
}

const firstStatement = (tree: FlatTree, node: number): number | undefined =>
  childrenOf(tree, node).find(child => statement.test(kindOf(tree, child)));

/** Words that the grammar does not know may be before a statement, and lines that the preprocessor left. */
function startOf(tree: FlatTree, node: number): number | undefined {
  const before = childrenOf(tree, tree.parent[node]!)
    .filter(child => child < node && !/comment/.test(kindOf(tree, child)))
    .at(-1);
  if (before === undefined) return undefined;
  const gap = tree.text.slice(tree.end[before]!, tree.start[node]!).replace(/\/\*.*?\*\/|\/\/[^\n]*|^#[^\n]*$/gms, '');
  return gap.trim() === '' ? tree.start[node]! : undefined;
}

/** Whether something of a node could not be parsed. */
function errorsIn(tree: FlatTree): (node: number) => boolean {
  const before = new Uint32Array(tree.count + 1);
  for (let node = 0; node < tree.count; node++)
    before[node + 1] = before[node]! + Number((tree.flags[node]! & broken) !== 0);
  return node => before[tree.past[node]!]! > before[node]!;
}
