/** Which expressions of C change nothing: they store nothing, and call only functions that store nothing outside themselves. */
import { childAt, childrenOf, type FlatTree, fieldOf, isNamed, kindOf, partsOf, textOf } from '../../flat-tree.js';

/** Functions of the library that only compute. */
const library =
  /^(__builtin_)?(abs|labs|llabs|fabsf?|floorf?|ceilf?|sqrtf?|pow|fmod|is(alnum|alpha|digit|lower|print|punct|space|upper|xdigit)|to(lower|upper)|strn?cmp|strn?casecmp|strlen|str(chr|rchr|str|spn|cspn|pbrk)|mem(cmp|chr)|expect|constant_p|bswap(16|32|64)|popcountl?l?|clzl?l?|ctzl?l?)$/;

const changing = /^(assignment_expression|update_expression|gnu_asm_expression)$/;

const known = new WeakMap<FlatTree, ReadonlySet<string>>();

/** Whether to evaluate a node changes nothing. */
export function isPure(tree: FlatTree, node: number): boolean {
  const pure = pureFunctions(tree);
  for (let inside = node; inside < tree.past[node]!; inside++) {
    const kind = kindOf(tree, inside);
    if (changing.test(kind)) return false;
    if (kind === 'call_expression' && !isOneOf(pure, calledBy(tree, inside))) return false;
  }
  return true;
}

const calledBy = (tree: FlatTree, call: number): string => textOf(tree, childAt(tree, call, 'function')!);
const isOneOf = (pure: ReadonlySet<string>, name: string): boolean => pure.has(name) || library.test(name);

/** The functions of the text that store only in their own variables. A function counts only while all that it calls do. */
function pureFunctions(tree: FlatTree): ReadonlySet<string> {
  const found = known.get(tree);
  if (found) return found;
  const calls = new Map<string, readonly string[]>();
  for (let node = 1; node < tree.count; node++) {
    if (kindOf(tree, node) !== 'function_definition' || !isNamed(tree, node)) continue;
    const name = nameIn(tree, childAt(tree, node, 'declarator'));
    if (name !== undefined && storesLocally(tree, node)) calls.set(name, callsIn(tree, node));
    node = tree.past[node]! - 1;
  }
  const pure = new Set(calls.keys());
  for (let before = -1; before !== pure.size; ) {
    before = pure.size;
    for (const name of pure) if (!calls.get(name)!.every(each => isOneOf(pure, each))) pure.delete(name);
  }
  known.set(tree, pure);
  return pure;
}

function callsIn(tree: FlatTree, node: number): readonly string[] {
  const names: string[] = [];
  for (let inside = node; inside < tree.past[node]!; inside++)
    if (kindOf(tree, inside) === 'call_expression') names.push(calledBy(tree, inside));
  return names;
}

/** The name that a declarator declares: `*(f)(int a)`, `a[3]`. */
export function nameIn(tree: FlatTree, declarator: number | undefined): string | undefined {
  let at = declarator;
  while (at !== undefined && kindOf(tree, at) !== 'identifier')
    at =
      childAt(tree, at, 'declarator') ??
      partsOf(tree, at).find(part => /declarator$|^identifier$/.test(kindOf(tree, part)));
  return at === undefined ? undefined : textOf(tree, at);
}

/** The variable in which an assignment or `++` stores: `a`, `a[2]`, `a.b`. Nothing if a pointer may decide. */
export function storedIn(
  tree: FlatTree,
  change: number,
): { readonly name: string; readonly isPart: boolean } | undefined {
  const place = childAt(tree, change, 'left') ?? childAt(tree, change, 'argument');
  let at = place;
  while (at !== undefined && /^(subscript|field|parenthesized)_expression$/.test(kindOf(tree, at))) {
    // What a pointer points at is another variable.
    if (textOf(tree, at).includes('->')) return undefined;
    at = childAt(tree, at, 'argument') ?? partsOf(tree, at)[0];
  }
  return at !== undefined && kindOf(tree, at) === 'identifier'
    ? { name: textOf(tree, at), isPart: at !== place }
    : undefined;
}

function storesLocally(tree: FlatTree, node: number): boolean {
  const [own, whole] = ownVariables(tree, node);
  for (let inside = node; inside < tree.past[node]!; inside++) {
    const kind = kindOf(tree, inside);
    if (!changing.test(kind)) continue;
    const stored = kind === 'gnu_asm_expression' ? undefined : storedIn(tree, inside);
    if (stored === undefined || !(stored.isPart ? whole : own).has(stored.name)) return false;
  }
  return true;
}

/** The names of a function's own variables, and those of them that are no pointers: their parts are its own too. */
function ownVariables(tree: FlatTree, node: number): readonly [own: ReadonlySet<string>, whole: ReadonlySet<string>] {
  const [own, whole, shared] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (let inside = node; inside < tree.past[node]!; inside++) {
    const kind = kindOf(tree, inside);
    if (kind !== 'declaration' && kind !== 'parameter_declaration') continue;
    const isShared = childrenOf(tree, inside).some(
      child => kindOf(tree, child) === 'storage_class_specifier' && /^(static|extern)$/.test(textOf(tree, child)),
    );
    for (const child of childrenOf(tree, inside)) {
      const name = fieldOf(tree, child) === 'declarator' ? nameIn(tree, child) : undefined;
      if (name === undefined) continue;
      (isShared ? shared : own).add(name);
      const head = tree.text.slice(tree.start[child]!, tree.start[child]! + 1);
      if (kind === 'declaration' && head !== '*') whole.add(name);
    }
  }
  for (const name of shared) for (const names of [own, whole]) names.delete(name);
  return [own, whole];
}
