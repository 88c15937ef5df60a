/** Moves a definition into its first use. */
import { type Edit, gainOf, type Span } from '../../../syntax/edit.js';
import { type FlatTree, fieldOf, grammarAt, is, isLeaf, textOf } from '../../../syntax/flat-tree.js';
import { isIdentifier } from '../../../syntax/names/names.js';
import { declarationSpans, removalTable } from '../../../syntax/names/repair.js';
import { isWritten, type Usage, usageOf } from '../../../syntax/names/usage.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { disjoint, put } from '../../../syntax/text-cut.js';
import type { TextPass } from '../pass.js';
import { type Write, writesIn } from './propagate-values.js';

/** A longer text has something larger to lose than a few letters. */
const fewLetters = 8_000;

/**
 * Moves a definition into its first use: `var a=[]; f(a); g(a)` becomes `f(a=[]); g(a)`, and a type is defined where it is first
 * named. A variable that is read only once is replaced by its value in other passes. Whether the first use in the text comes
 * first, and whether the name needs a declaration, the test decides.
 */
export function defineInUse(syntax: Syntax): TextPass {
  return {
    name: 'definition in use',
    async edits(text) {
      if (text.length > fewLetters) return [];
      const tree = await syntax.tree(text);
      const usage = await usageOf(syntax, tree);
      const table = removalTable(tree);
      const edits: Edit[] = [...(syntax.language.typesInUse?.(tree) ?? [])];
      const writes = writesIn(tree);
      const places = new Set(writes.map(({ place }) => place));
      for (const write of writes) {
        const read = firstRead(tree, usage, places, write);
        const gone = read && declarationSpans(tree, table, { name: '', definitions: [write.place], uses: [] });
        if (gone)
          edits.push({ spans: disjoint([...gone, read]), label: `define ${textOf(tree, write.place)} in its use` });
      }
      return edits.filter(edit => edit.spans.length > 1 && gainOf(edit) > 0);
    },
  };
}

/** The first of several uses, with the value assigned there. */
function firstRead(tree: FlatTree, usage: Usage, places: ReadonlySet<number>, write: Write): Span | undefined {
  const { place, value, node } = write;
  const { assignInPlace } = grammarAt(tree, node).language;
  if (assignInPlace === undefined || !isLeaf(tree, place) || !isIdentifier(tree, place)) return undefined;
  const later = usage.alike(place).filter(one => tree.start[one]! >= tree.end[node]!);
  const [first, second] = later;
  if (first === undefined || second === undefined || places.has(first) || isWritten(tree, first)) return undefined;
  const text = assignInPlace(textOf(tree, place), textOf(tree, value));
  const isFree = is(tree, tree.parent[first]!, 'around') && fieldOf(tree, first) !== 'left';
  return put(tree.text, tree.start[first]!, tree.end[first]!, isFree ? text : `(${text})`);
}
