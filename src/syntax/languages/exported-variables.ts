/** Under which names a file of JavaScript exports its variables. A bundle gives them other names, and one release to the next may number them in another way. */
import { childAt, type FlatTree, isLeaf, kindOf, partsOf, textOf } from '../flat-tree.js';

/**
 * The local name of each exported one: `exports.a = b`, `module.exports = { a: b }`, `export { b as a }`, and members of prototypes, `A.prototype.a = b`. Without
 * those that are exported more than once.
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
    else if (kind === 'export_specifier' && !isHandedOn(tree, node)) {
      const local = childAt(tree, node, 'name');
      const name = childAt(tree, node, 'alias') ?? local;
      if (name !== undefined) add(textOf(tree, name), local);
    }
  }
  for (const name of isTwice) found.delete(name);
  return found;
}

function addAssigned(tree: FlatTree, node: number, add: (name: string, local: number | undefined) => void): void {
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

/** `export { a } from './a.js'`: what is exported is a variable of another file. */
function isHandedOn(tree: FlatTree, specifier: number): boolean {
  for (let node = tree.parent[specifier]!; node > 0; node = tree.parent[node]!)
    if (kindOf(tree, node) === 'export_statement') return childAt(tree, node, 'source') !== undefined;
  return false;
}
