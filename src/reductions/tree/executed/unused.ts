/** Removes declarations that nothing uses. */
import { joined } from '../../../core/groups.js';
import type { Edit, Span } from '../../../syntax/edit.js';
import { type FlatTree, fieldOf, is, sizeOf } from '../../../syntax/flat-tree.js';
import { isFunction } from '../../../syntax/functions.js';
import type { Binding } from '../../../syntax/names/bindings.js';
import { emptiedStatements } from '../../../syntax/names/emptied-statements.js';
import { declarationSpans, removalTable } from '../../../syntax/names/repair.js';
import { bindingsOf } from '../../../syntax/names/semantic.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { disjoint } from '../../../syntax/text-cut.js';
import type { TextPass } from '../pass.js';

/** One that only makes a name goes without a loss. The value of another one may be computed for what that changes: `var view = register(…)`. */
export type UnusedKind = 'names' | 'any';

/**
 * Declarations that nothing uses, and those that only these use. After everything that did not run is gone, a program is full of
 * them: imports, empty functions, variables. `isNamedElsewhere`: whether another file may mean a name that this one exports.
 */
export function unused(syntax: Syntax, isNamedElsewhere: (name: string) => boolean, kind: UnusedKind): TextPass {
  return {
    name: 'unused declaration',
    async edits(text) {
      const tree = await syntax.tree(text);
      const table = removalTable(tree);
      const { modules, markup, compiler } = syntax.language;
      const exported = modules?.read(tree).exports;
      // Without modules, files share their names; the scripts of a page are its own.
      const mayBeShared = (name: string): boolean => exported?.has(name) ?? !markup;
      const spelled = wordCounts(text);
      // What a program looks up by a text has its name in one; and names such as `__all__` are read by others.
      const mayBeText = (name: string, leaves: number): boolean =>
        /^__\w+__$/.test(name) || (!markup && compiler === undefined && (spelled.get(name) ?? 0) > leaves);
      const declared = (await bindingsOf(syntax, tree)).flatMap(binding => {
        const { name, definitions, uses } = binding;
        const isShared = mayBeShared(name) && isNamedElsewhere(name);
        if (isShared || (kind === 'names' && mayBeText(name, definitions.length + uses.length))) return [];
        if (!binding.definitions.every(leaf => isDeclaredAlone(tree, leaf))) return [];
        const spans = declarationSpans(tree, table, binding);
        return spans === undefined || (kind === 'names' && computes(tree, spans)) ? [] : [{ binding, spans }];
      });
      const found = withoutUsers(tree, declared);
      const emptied = emptiedStatements(tree, table, found);
      return joined(
        found,
        emptied.map(({ by }) => by),
      ).map(
        (group): Edit => ({
          spans: disjoint([
            ...group.flatMap(({ spans }) => spans),
            ...emptied.filter(({ by }) => group.includes(by[0]!)).map(({ span }) => span),
          ]),
          label: `unused ${group[0]!.binding.name}`,
        }),
      );
    },
  };
}

function wordCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Whether it calls something where it stands: not in the body of a function, which runs later. */
function computes(tree: FlatTree, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => {
    let node = firstIn(tree, start);
    while (node < tree.count && tree.start[node]! < end) {
      if (is(tree, node, 'call') || is(tree, node, 'construction') || is(tree, node, 'counting')) return true;
      node = isFunction(tree, node) ? tree.past[node]! : node + 1;
    }
    return false;
  });
}

/** The first node that begins at a position or after it; nodes are in the order of their starts. */
function firstIn(tree: FlatTree, position: number): number {
  let [low, high] = [0, tree.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tree.start[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Declared {
  readonly binding: Binding;
  readonly spans: readonly Span[];
}

/** Those whose uses are all inside themselves, or inside others of them. */
function withoutUsers(tree: FlatTree, declared: readonly Declared[]): readonly Declared[] {
  const gone = new Uint8Array(tree.text.length);
  const found = new Set<Declared>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const each of declared) {
      const isInside = (leaf: number): boolean =>
        each.spans.some(({ start, end }) => start <= tree.start[leaf]! && tree.end[leaf]! <= end);
      if (found.has(each) || !each.binding.uses.every(use => gone[tree.start[use]!] === 1 || isInside(use))) continue;
      found.add(each);
      for (const { start, end } of each.spans) gone.fill(1, start, end);
    }
  }
  return declared.filter(each => found.has(each));
}

/** Whether a statement is there only for the name, alone or with others: not a parameter, a member or the name of a value. */
export function isDeclaredAlone(tree: FlatTree, leaf: number): boolean {
  for (let node = leaf, up = 0; node > 0 && up < 6; node = tree.parent[node]!, up++) {
    const above = tree.parent[node]!;
    // A member may be found by its name as text.
    if (is(tree, above, 'statementList')) return above === 0 || !is(tree, tree.parent[above]!, 'class');
    // Around a name alone, as in `import a`.
    if (sizeOf(tree, above) === sizeOf(tree, leaf)) continue;
    const isName = /^(name|left|alias|declarator|declaration|definition|)$/.test(fieldOf(tree, node));
    if (!isName || !roles.some(role => is(tree, above, role))) return false;
  }
  return false;
}

const roles = [
  'declaring',
  'declarationWrapper',
  'namedFunction',
  'class',
  'importing',
  'assignment',
  'expressionStatement',
  'declared',
] as const;
