/** Under which names a file of JavaScript exports its variables. A bundle gives them other names, and one release to the next may number them in another way. */
import { childAt, type FlatTree, isLeaf, kindOf, partsOf, textOf } from '../../flat-tree.js';

/**
 * The local name of each exported one: `exports.a = b`, `module.exports = { a: b }`, `export { b as a }`, what compilers and bundlers
 * write, which is `Object.defineProperty(exports, 'a', { get: () => b })` and `__export(all, { a: () => b })`, and members of
 * prototypes, `A.prototype.a = b`. Without those that are exported more than once.
 */
export function exportedVariables(tree: FlatTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const isTwice = new Set<string>();
  const add = (name: string, local: number | undefined) => {
    if (local === undefined || kindOf(tree, local) !== 'identifier') return;
    const variable = textOf(tree, local);
    if (found.has(name) && found.get(name) !== variable) isTwice.add(name);
    found.set(name, variable);
  };
  for (let node = 1; node < tree.count; node++) {
    if (isLeaf(tree, node)) continue;
    const kind = kindOf(tree, node);
    if (kind === 'assignment_expression') addAssigned(tree, node, add);
    else if (kind === 'call_expression') addGetters(tree, node, add);
    else if (kind === 'export_specifier' && !isHandedOn(tree, node)) {
      const local = childAt(tree, node, 'name');
      const name = childAt(tree, node, 'alias') ?? local;
      if (name !== undefined) add(textOf(tree, name), local);
    }
  }
  for (const name of isTwice) found.delete(name);
  return found;
}

type Add = (name: string, local: number | undefined) => void;

function addAssigned(tree: FlatTree, node: number, add: Add): void {
  const [left, right] = [childAt(tree, node, 'left'), childAt(tree, node, 'right')];
  if (left === undefined || right === undefined) return;
  const [, whole, name, member] =
    /^(?:(module\.exports|exports)|(?:module\.)?exports\.([\w$]+)|([\w$]+\.prototype\.[\w$]+))$/.exec(
      textOf(tree, left),
    ) ?? [];
  const one = name ?? member;
  if (one !== undefined) add(one, right);
  if (whole === undefined || kindOf(tree, right) !== 'object') return;
  for (const part of partsOf(tree, right)) {
    const key = childAt(tree, part, 'key');
    if (key !== undefined) add(textOf(tree, key), childAt(tree, part, 'value'));
  }
}

/** Whatever the function of a bundler is called: it is given nothing but functions that return a variable. */
function addGetters(tree: FlatTree, call: number, add: Add): void {
  const [called, list] = [childAt(tree, call, 'function'), childAt(tree, call, 'arguments')];
  if (called === undefined || list === undefined || kindOf(tree, list) !== 'arguments') return;
  const [target, ...others] = partsOf(tree, list);
  const last = others.at(-1);
  if (target === undefined || last === undefined || kindOf(tree, last) !== 'object') return;
  const members = partsOf(tree, last).map(part => ({
    name: textOf(tree, childAt(tree, part, 'key') ?? childAt(tree, part, 'name') ?? part),
    local: returnedBy(tree, kindOf(tree, part) === 'method_definition' ? part : childAt(tree, part, 'value')),
  }));
  if (textOf(tree, called) === 'Object.defineProperty') {
    const name = /^['"]([\w$]+)['"]$/.exec(textOf(tree, others[0]!))?.[1];
    const isOurs = /^(?:module\.)?exports$/.test(textOf(tree, target));
    if (isOurs && name !== undefined) add(name, members.find(member => member.name === 'get')?.local);
  } else if (others.length === 1 && members.every(({ local }) => local !== undefined))
    for (const { name, local } of members) add(name, local);
}

/** The variable that a function returns, if it does nothing else. */
function returnedBy(tree: FlatTree, made: number | undefined): number | undefined {
  const body = made === undefined ? undefined : childAt(tree, made, 'body');
  if (body === undefined) return undefined;
  if (kindOf(tree, body) !== 'statement_block') return kindOf(tree, body) === 'identifier' ? body : undefined;
  const [only, ...more] = partsOf(tree, body);
  if (only === undefined || more.length > 0 || kindOf(tree, only) !== 'return_statement') return undefined;
  const [value] = partsOf(tree, only);
  return value !== undefined && kindOf(tree, value) === 'identifier' ? value : undefined;
}

/** `export { a } from './a.js'`: what is exported is a variable of another file. */
function isHandedOn(tree: FlatTree, specifier: number): boolean {
  for (let node = tree.parent[specifier]!; node > 0; node = tree.parent[node]!)
    if (kindOf(tree, node) === 'export_statement') return childAt(tree, node, 'source') !== undefined;
  return false;
}
