/**
 * Variables that a text declares around its functions: a pattern or a limit at the top of a file. An old function that uses one which new has lost can only be
 * put into new with its declaration.
 */
import { addTo } from '../../core/lists.js';
import { childAt, type FlatTree, is, isNamed, partsOf, sizeOf, textOf } from '../flat-tree.js';
import { words } from './new-names.js';

/** The declaration of a function or a variable, by itself. */
export interface Declaration {
  /** Where it is in the text. */
  readonly start: number;
  readonly text: string;
}

interface Scoped extends Declaration {
  /** The block that the variable is known in, as a range of nodes. */
  readonly from: number;
  readonly past: number;
}

/** A longer value is a table, and no detail of a function. */
const longest = 2_000;

/** The variables that a function can use, and those that it declares itself. `isWanted`: the others are left out. */
export function variablesAround(
  tree: FlatTree,
  isWanted: (name: string) => boolean,
): (name: string, node: number) => Declaration | undefined {
  const known = new Map<string, Scoped[]>();
  for (let node = 1; node < tree.count; node++) {
    if (!is(tree, node, 'declared') || !isNamed(tree, node)) continue;
    for (const [name, each] of declarationsAt(tree, node)) if (isWanted(name)) addTo(known, name, each);
  }
  return (name, node) => {
    const all = known.get(name) ?? [];
    // Its own variable comes with it anyway.
    if (all.some(({ from }) => from >= node && from < tree.past[node]!)) return undefined;
    return all.findLast(({ from, past }) => from <= node && node < past);
  };
}

/** Each variable of a statement that gives values to some. */
function* declarationsAt(tree: FlatTree, statement: number): Generator<[string, Scoped]> {
  const block = blockAround(tree, statement);
  if (block === undefined) return;
  const declarators = partsOf(tree, statement).filter(part => childAt(tree, part, 'value') !== undefined);
  const [first] = declarators;
  if (first === undefined) return;
  const head = tree.text.slice(tree.start[statement], tree.start[first]);
  for (const each of declarators) {
    const name = childAt(tree, each, 'name') ?? childAt(tree, each, 'declarator');
    if (name === undefined || sizeOf(tree, each) > longest) continue;
    const own = { start: tree.start[each]!, text: `${head}${textOf(tree, each)};` };
    // `const { a, b } = c` declares two.
    for (const one of textOf(tree, name).match(words) ?? [])
      yield [one, { ...own, from: block, past: tree.past[block]! }];
  }
}

/** The file or the list of statements that a statement is in, also if it is exported from there. */
function blockAround(tree: FlatTree, statement: number): number | undefined {
  const parent = tree.parent[statement]!;
  const blocks = parent > 0 ? [parent, tree.parent[parent]!] : [parent];
  return blocks.find(node => node === 0 || is(tree, node, 'statementList') || is(tree, node, 'body'));
}
