/** Filters for passes: no edit leaves a reference without its declaration, or introduces a new name. */

import { addAll } from '../../../core/lists.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { Edit, Span } from '../../../syntax/edit.js';
import type { FlatTree } from '../../../syntax/flat-tree.js';
import { identifiersIn } from '../../../syntax/identifiers.js';
import type { Binding } from '../../../syntax/names/bindings.js';
import { type RemovalTable, removalAround, removalTable, toDefaultValue } from '../../../syntax/names/repair.js';
import { bindingsWithIds } from '../../../syntax/names/semantic.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { apply, disjoint } from '../../../syntax/text-cut.js';
import type { TextPass } from '../pass.js';

/**
 * Leaves no dangling reference behind: an edit that removes every definition of a name also removes its uses, or gives them a
 * default value; if neither is possible, the edit is dropped.
 */
export function keepReferences(syntax: Syntax, pass: TextPass): TextPass {
  return {
    name: pass.name,
    async edits(text, whole) {
      const tree = await syntax.tree(text);
      const edits = await pass.edits(text, whole);
      if (edits.length === 0) return edits;
      const { tokens } = syntax.language;
      const table = removalTable(tree);
      const definitions = definitionIndex(tree, await bindingsWithIds(syntax, tree));
      const sound = familiar(syntax, text, edits)
        .filter(edit => !edit.spans.some(span => tokens.declaringWords.test(text.slice(span.start, span.end).trim())))
        .map(edit => {
          const spans = closeOver({ tree, table, definitions }, edit.spans, repairUse);
          return spans === undefined ? undefined : { ...edit, spans };
        })
        .filter(edit => edit !== undefined);
      const { compiler } = syntax.language;
      if (compiler === undefined || text.length > largestCheck) return sound;
      return checked(compiler, text, sound);
    },
  };
}

/** The pass without edits that introduce a name that the text does not have. */
export const withoutNewNames = (syntax: Syntax, pass: TextPass): TextPass => ({
  name: pass.name,
  edits: async (text, whole) => familiar(syntax, text, await pass.edits(text, whole)),
});

function familiar({ language }: Syntax, text: string, edits: readonly Edit[]): readonly Edit[] {
  const known = new Set(identifiersIn(text));
  return edits.filter(edit =>
    edit.spans.every(span =>
      identifiersIn(span.text).every(word => known.has(word) || language.tokens.builtIn.has(word)),
    ),
  );
}

/** Up to this size every edit is checked by a full analysis of what it leaves. */
const largestCheck = 20_000;

async function checked(compiler: string, text: string, edits: readonly Edit[]): Promise<readonly Edit[]> {
  const { freeNamesReader } = await import('../../../syntax/names/typescript.js');
  const freeNames = await freeNamesReader(compiler);
  const before = freeNames(text);
  const isNew = (name: string): boolean => !before.has(name);
  const sound: Edit[] = [];
  for (const edit of edits) {
    if (isHarmless(text, edit) || leavesNone(() => freeNames(apply(text, edit), isNew))) sound.push(edit);
    await pauseIfDue();
  }
  return sound;
}

/** The compiler itself may crash on the input: that can be the very failure to reproduce, so a crash is no reason to refuse. */
function leavesNone(find: () => ReadonlySet<string>): boolean {
  try {
    return find().size === 0;
  } catch {
    return true;
  }
}

/**
 * The bindings show already that most edits leave nothing dangling. The compiler need not look at these again: it takes
 * milliseconds for each. What it still has to see are edits that insert a name, change what is inside what, or may turn a
 * member or a key into a reference (`c.m()`, `{ a: b }`, `{ m() {} }`, `{ a as b }`, `class { x = 1 }`).
 */
const isHarmless = (text: string, { spans }: Edit): boolean =>
  spans.every(
    ({ start, end, text: inserted }) =>
      !/[\p{L}_$]/u.test(inserted) &&
      !/^\s*[:(]|\.\s*$|^\s*\w+\s*$|\b(?:as|class)\b/.test(text.slice(start, end)) &&
      isPaired(text, start, end),
  );

const brackets = '(){}[]';

/** Whether every bracket of the range is closed in it: which kind does not matter here. */
function isPaired(text: string, start: number, end: number): boolean {
  let open = 0;
  for (let at = start; at < end; at++) {
    const kind = brackets.indexOf(text[at]!);
    if (kind >= 0) open += kind % 2 === 0 ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}

export interface Definition {
  readonly at: number;
  readonly binding: Binding;
}

/** All definitions by their position in the text. */
export function definitionIndex(tree: FlatTree, bindings: readonly Binding[]): readonly Definition[] {
  return bindings
    .filter(binding => binding.uses.length > 0)
    .flatMap(binding => binding.definitions.map(leaf => ({ at: tree.start[leaf]!, binding })))
    .sort((a, b) => a.at - b.at);
}

/** A text with everything that is needed to fix it. */
export interface Fixable {
  readonly tree: FlatTree;
  readonly table: RemovalTable;
  readonly definitions: readonly Definition[];
}

/** What happens to a use whose declaration is removed. */
export type Fix = (text: Fixable, use: number) => Span | undefined;

const repairUse: Fix = ({ tree, table }, use) =>
  toDefaultValue(tree, table, use) ?? removalAround(tree, table, use, true);

/** The spans, and those that fix the uses they leave dangling; undefined if that is impossible. */
export function closeOver(text: Fixable, own: readonly Span[], fix: Fix): readonly Span[] | undefined {
  let spans = own;
  // What is removed with a use may itself define something. So this is repeated for a few rounds, and an edit that is still
  // not
  // complete after that is dropped.
  for (let round = 0; round < 4; round++) {
    const more = dangling(text.tree, text.definitions, spans).map(use => fix(text, use));
    if (more.length === 0) return spans;
    if (more.some(span => span === undefined)) return undefined;
    spans = disjoint([...spans, ...(more as Span[])]);
  }
  return undefined;
}

/** Uses outside the spans whose definitions are all inside them. */
function dangling(tree: FlatTree, definitions: readonly Definition[], spans: readonly Span[]): number[] {
  const gone = (leaf: number): boolean =>
    spans.some(span => span.start <= tree.start[leaf]! && tree.end[leaf]! <= span.end);
  const left: number[] = [];
  const seen = new Set<Binding>();
  for (const span of spans)
    for (let i = firstAt(definitions, span.start); i < definitions.length && definitions[i]!.at < span.end; i++) {
      const { binding } = definitions[i]!;
      if (seen.has(binding)) continue;
      seen.add(binding);
      if (binding.definitions.every(gone))
        addAll(
          left,
          binding.uses.filter(use => !gone(use)),
        );
    }
  return left;
}

function firstAt(definitions: readonly Definition[], at: number): number {
  let low = 0;
  let high = definitions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (definitions[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
