/** Ids, anchors and labels of a text, with all references to them. */

import { type FlatTree, grammarAt } from '../flat-tree.js';
import { isIntroduced } from '../introduced.js';
import type { LanguageProfile, Mark, Pointed } from '../languages/profile.js';
import { type Binding, bindingsByName } from './bindings.js';

export const pointedIn = (language: LanguageProfile, tree: FlatTree): Pointed =>
  language.pointers?.(tree) ?? { targets: [], pointers: [] };

/** Ids as bindings, and what embedded scripts declare: an edit that removes a declaration also removes its uses. */
export function bindingsInMarkup(language: LanguageProfile, tree: FlatTree): readonly Binding[] {
  const isCode = (leaf: number): boolean => grammarAt(tree, leaf).language.names === true;
  return [
    ...linked(language, tree).map(({ name, targets, pointers }) => ({
      name,
      definitions: targets.map(mark => leafAt(tree, mark)),
      uses: pointers.map(mark => leafAt(tree, mark)),
    })),
    ...bindingsByName(tree)
      .filter(({ definitions }) => definitions.every(leaf => isCode(leaf) && isIntroduced(tree, leaf)))
      .map(binding => ({ ...binding, uses: binding.uses.filter(isCode) })),
  ];
}

export interface Linked {
  readonly name: string;
  readonly targets: readonly Mark[];
  readonly pointers: readonly Mark[];
}

/** Every name that is a target, in the order of the text. */
export function linked(language: LanguageProfile, tree: FlatTree): readonly Linked[] {
  const { targets, pointers } = pointedIn(language, tree);
  const found = new Map<string, { targets: Mark[]; pointers: Mark[] }>();
  for (const mark of [...targets].sort((a, b) => a.start - b.start)) {
    const known = found.get(mark.name);
    if (known === undefined) found.set(mark.name, { targets: [mark], pointers: [] });
    else known.targets.push(mark);
  }
  for (const mark of pointers) found.get(mark.name)?.pointers.push(mark);
  return [...found].map(([name, marks]) => ({ name, ...marks }));
}

export const leafAt = (tree: FlatTree, mark: Mark): number => nodeAt(tree, Math.max(mark.start, mark.end - 1));

/** The deepest node at an offset. */
function nodeAt(tree: FlatTree, offset: number): number {
  let node = 0;
  for (;;) {
    let child = node + 1;
    while (child < tree.past[node]! && tree.end[child]! <= offset) child = tree.past[child]!;
    if (child >= tree.past[node]! || tree.start[child]! > offset) return node;
    node = child;
  }
}
