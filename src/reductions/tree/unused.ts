/** Removes declarations that nothing uses. */
import type { Binding } from '../../syntax/bindings.js';
import type { Edit, Span } from '../../syntax/edit.js';
import { type FlatTree, fieldOf, is, sizeOf } from '../../syntax/flat-tree.js';
import { declarationSpans, removalTable } from '../../syntax/repair.js';
import { bindingsOf } from '../../syntax/semantic.js';
import type { Syntax } from '../../syntax/syntax.js';
import type { TextPass } from './pass.js';

/**
 * Declarations that nothing uses, and those that only these use. After everything that did not run is gone, a program is full of
 * them: imports, empty functions, variables. `isNamedElsewhere`: whether another file may mean a name that this one exports.
 */
export function unused(syntax: Syntax, isNamedElsewhere: (name: string) => boolean): TextPass {
  return {
    name: 'unused declaration',
    async edits(text) {
      const tree = await syntax.tree(text);
      const table = removalTable(tree);
      const exported = syntax.language.modules?.read(tree).exports ?? new Set();
      const declared = (await bindingsOf(syntax, tree)).flatMap(binding => {
        const isShared = exported.has(binding.name) && isNamedElsewhere(binding.name);
        if (isShared || !binding.definitions.every(leaf => isDeclaredAlone(tree, leaf))) return [];
        const spans = declarationSpans(tree, table, binding);
        return spans === undefined ? [] : [{ binding, spans }];
      });
      return withoutUsers(tree, declared).map(
        ({ binding, spans }): Edit => ({ spans, label: `unused ${binding.name}` }),
      );
    },
  };
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
    const isName = /^(name|left|alias|declarator|declaration|)$/.test(fieldOf(tree, node));
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
