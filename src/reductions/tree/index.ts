/** All passes over the tree of one file. */

import type { Circumstance } from '../../core/index.js';
import { pretty } from '../../syntax/format.js';
import { type LanguageProfile, languageFor } from '../../syntax/languages/index.js';
import type { StructureOptions } from '../../syntax/options.js';
import { type Syntax, syntaxOf } from '../../syntax/syntax.js';
import { bodies } from './bodies.js';
import { parameters } from './calls/arguments.js';
import { defineInUse } from './calls/define-in-use.js';
import { inline } from './calls/inline.js';
import { propagateValues } from './calls/propagate-values.js';
import { constantFold } from './constant-fold.js';
import { declarations, orphans } from './coupled.js';
import { deletion, level, levelCount } from './delete.js';
import { deleteByDepth, deleteStatements } from './delete-by-depth.js';
import { effectless } from './executed/effectless.js';
import { emptyBranches } from './executed/empty-branches.js';
import { emptyMemberNames, emptyMembers } from './executed/empty-members.js';
import { type SeenValue, seenValues, type ValuesOf } from './executed/seen-values.js';
import { tables } from './executed/tables.js';
import { type IdleCode, unexecuted } from './executed/unexecuted.js';
import { unreached } from './executed/unreached.js';
import { type UnusedKind, unused } from './executed/unused.js';
import { keepMarked } from './filters/keep-marked.js';
import { keepReferences, withoutNewNames } from './filters/keep-references.js';
import { keepWellFormed } from './filters/keep-well-formed.js';
import { shrinking } from './filters/shrinking.js';
import { hoist, hollow } from './hoist.js';
import { keepSubtree } from './keep-subtree.js';
import { declarationsAlone } from './large/declarations-alone.js';
import { bodiesWithUses, declarationsWithUsers, type Parts } from './large/declarations-with-users.js';
import { detailsOfEnd } from './large/details-of-end.js';
import { endOfCode } from './large/end.js';
import { preprocessed } from './large/preprocessed.js';
import { promisingDeclarations } from './large/promising-declarations.js';
import { type SliceOptions, sliceAround, slices } from './large/slices.js';
import { unreadableLines } from './large/unreadable.js';
import { unusedByEnd } from './large/unused-by-end.js';
import { endWithUses, layersOfUse, slicesOfEnd } from './large/uses-of-end.js';
import { itemsByNumber } from './lists/numbered-items.js';
import { parallelColumns } from './lists/parallel-lists.js';
import { literals } from './literals.js';
import { elements } from './markup.js';
import type { TextPass } from './pass.js';
import { wrappers } from './qualified.js';
import { references, shortIds } from './references.js';
import { mergeNames, rename } from './rename.js';
import { sharedWords } from './shared-words.js';
import { comments, dialect, spaces } from './spaces.js';
import { substitute } from './substitute.js';
import { synonyms } from './synonyms.js';

export { type Guard, guardOf } from '../../syntax/guard.js';
export { keptRanges, type Range } from '../../syntax/keep.js';
export {
  type LanguageProfile,
  languageNamed,
  languageOf,
  languages,
  requireLanguage,
} from '../../syntax/languages/index.js';
export { bindingsOf } from '../../syntax/names/semantic.js';
export type { StructureOptions } from '../../syntax/options.js';
export { type Syntax, syntaxOf } from '../../syntax/syntax.js';
export type { SeenValue, ValuesOf } from './executed/seen-values.js';
export type { UnusedKind } from './executed/unused.js';
export type { TextPass } from './pass.js';

/** All passes over the tree of one file. */
export interface Structure {
  readonly language: LanguageProfile;
  readonly syntax: Syntax;
  /** At the start, and again after every round that made the text much smaller: comments, and large parts alone. */
  readonly first: readonly TextPass[];
  /** Removable nodes level by level, from the outermost: run `level(0)`, `level(1)` … up to `levels(text)`. */
  level(depth: number): TextPass;
  levels(text: string): Promise<number>;
  /** Removable nodes of several levels at once, each after its descendants. */
  band(from: number, to: number): TextPass;
  /** Statements, declarations and members of any depth, from the end. */
  readonly statements: TextPass;
  /** The end of a large text, and the bodies of its functions: before the rest of it. */
  readonly end: TextPass;
  readonly bodies: TextPass;
  /** Lines of large parts that the grammar cannot read. */
  readonly unreadableLines: TextPass;
  /** Code that a run of the text did not execute. */
  unexecuted(idle: IdleCode): TextPass;
  /** Declarations that nothing uses. `isNamedElsewhere`: whether another file names what this one exports. */
  unused(isNamedElsewhere: (name: string) => boolean, kind: UnusedKind): TextPass;
  /** Expressions as the values that they had in a run. */
  seenValues(values: readonly SeenValue[], which: ValuesOf): TextPass;
  /** Large tables without their items, or without some of them. */
  tables(what: 'tables' | 'items'): TextPass;
  /** Statements whose branches do nothing. */
  readonly emptyBranches: TextPass;
  /** What a program computes for nobody. */
  readonly effectless: TextPass;
  /** What is left of members that were not executed. */
  emptyMembers(isWanted?: (name: string) => boolean): TextPass;
  /** Their names, each as often as it is declared. */
  emptyMemberNames(text: string): Promise<readonly string[]>;
  /** Some declarations of a large text, with everything that they use. */
  slices(text: string, options: Omit<SliceOptions, 'keep'>): Promise<Circumstance<string> | undefined>;
  /** The declarations at these places, with everything that they use. */
  sliceAround(text: string, places: readonly number[]): Promise<Circumstance<string> | undefined>;
  /** What the end of a large program uses, the parts of this end, and the bodies of what it calls. Nothing if the user marked something to keep. */
  layersOfUse(text: string): Promise<Circumstance<string> | undefined>;
  endWithUses(text: string): Promise<Circumstance<string> | undefined>;
  detailsOfEnd(text: string): Promise<Circumstance<string> | undefined>;
  slicesOfEnd(text: string): Promise<Circumstance<string> | undefined>;
  bodiesWithUses(text: string): Promise<Circumstance<string> | undefined>;
  unusedByEnd(text: string): Promise<Circumstance<string> | undefined>;
  leftByPreprocessor(text: string): Promise<Circumstance<string> | undefined>;
  promisingDeclarations(text: string): Promise<Circumstance<string> | undefined>;
  declarationsAlone(text: string, which: 'outer' | 'members'): Promise<Circumstance<string> | undefined>;
  declarationsWithUsers(text: string, parts: Parts): Promise<Circumstance<string> | undefined>;
  /** Columns of lists with the same number of items, and of objects with the same keys: of those with at least so many items. */
  columns(text: string, leastItems?: number): Promise<Circumstance<string> | undefined>;
  /** Items of data that others name by their number. */
  numberedItems(text: string): Promise<Circumstance<string> | undefined>;
  /** Cheap passes that remove much: after the levels, at any size. */
  readonly coarse: readonly TextPass[];
  /** Passes that need a test per node: once the text is small. In the order to run them. */
  readonly fine: readonly TextPass[];
  /** Those of them that edit several places at once, so that whether they work depends on more than what they edit. */
  readonly coupled: ReadonlySet<TextPass>;
  /** Tokens: literals, names, whitespace. */
  readonly tokens: readonly TextPass[];
  /** A readable form, to be kept only if it still fails. */
  pretty(text: string): Promise<string | undefined>;
}

/** The structure of a file. Any text has one, even if only brackets and lines. */
export async function structureOf(path: string, options: StructureOptions = {}): Promise<Structure> {
  const language = languageFor(path, options.language);
  const syntax = await syntaxOf(language, options.grammar);
  const kept = (pass: TextPass): TextPass => keepMarked(syntax, pass, options.keep);
  const sound = (pass: TextPass): TextPass => (options.level === 'semantic' ? keepReferences(syntax, pass) : pass);
  const named = (pass: TextPass): TextPass => (options.rename === false ? withoutNewNames(syntax, pass) : pass);
  const ready = (pass: TextPass): TextPass => kept(keepWellFormed(syntax, named(sound(pass))));
  const coupled = [
    orphans(syntax),
    declarations(syntax),
    parameters(syntax),
    wrappers(syntax),
    inline(syntax),
    propagateValues(syntax),
    defineInUse(syntax),
    constantFold(syntax),
    references(syntax),
  ];
  const names = [
    rename(syntax),
    // In markup, and in a language without a grammar, words are shortened as text.
    ...(language.markup || syntax.grammar === undefined ? [] : [sharedWords(syntax)]),
    mergeNames(syntax),
    ...(options.level === 'semantic' ? [shortIds(syntax)] : []),
  ];
  const statements = ready(shrinking(deleteStatements(syntax)));
  const endDetails = [deleteByDepth(syntax, 0, Number.POSITIVE_INFINITY), hollow(syntax), hoist(syntax)]
    .map(shrinking)
    .map(ready);
  const mayDrop = (text: string): boolean => options.keep === undefined && !text.includes('culprit-keep');
  const coupledReady = options.level === 'syntactic' ? [] : coupled.map(ready);
  return {
    language,
    syntax,
    coupled: new Set(coupledReady),
    first: [keepSubtree(syntax), comments(syntax), dialect(syntax)].map(kept),
    level: depth => ready(shrinking(level(syntax, depth))),
    levels: text => levelCount(syntax, text),
    band: (from, to) => ready(shrinking(deleteByDepth(syntax, from, to))),
    statements,
    end: ready(shrinking(endOfCode(syntax))),
    bodies: ready(shrinking(bodies(syntax))),
    unreadableLines: ready(unreadableLines(syntax)),
    effectless: ready(shrinking(effectless(syntax))),
    tables: what => ready(shrinking(tables(syntax, what))),
    emptyBranches: ready(shrinking(emptyBranches(syntax))),
    emptyMembers: isWanted => ready(shrinking(emptyMembers(syntax, isWanted))),
    emptyMemberNames: text => emptyMemberNames(syntax, text),
    unexecuted: idle => ready(shrinking(unexecuted(syntax, idle))),
    unused: (isNamedElsewhere, kind) =>
      ready(
        shrinking(
          language.entry === undefined
            ? unused(syntax, isNamedElsewhere, kind)
            : unreached(syntax, language.entry, isNamedElsewhere),
        ),
      ),
    seenValues: (values, which) => ready(shrinking(seenValues(syntax, values, which))),
    slices: (text, how) => slices(syntax, text, { ...how, keep: options.keep }),
    sliceAround: (text, places) => sliceAround(syntax, text, places, options.keep),
    layersOfUse: async text => (mayDrop(text) ? layersOfUse(language, text) : undefined),
    slicesOfEnd: async text => (mayDrop(text) ? slicesOfEnd(syntax, text) : undefined),
    bodiesWithUses: async text => (mayDrop(text) ? bodiesWithUses(language, text) : undefined),
    unusedByEnd: async text => (mayDrop(text) ? unusedByEnd(language, text) : undefined),
    leftByPreprocessor: async text => (mayDrop(text) ? preprocessed(text) : undefined),
    promisingDeclarations: async text => (mayDrop(text) ? promisingDeclarations(language, text) : undefined),
    declarationsAlone: async (text, which) => (mayDrop(text) ? declarationsAlone(language, text, which) : undefined),
    declarationsWithUsers: async (text, parts) =>
      mayDrop(text) ? declarationsWithUsers(language, text, parts) : undefined,
    endWithUses: async text => (mayDrop(text) ? endWithUses(language, text, statements) : undefined),
    detailsOfEnd: async text => (mayDrop(text) ? detailsOfEnd(syntax, text, endDetails) : undefined),
    columns: (text, leastItems) => parallelColumns(syntax, text, { leastItems, keep: options.keep }),
    numberedItems: async text => (mayDrop(text) ? itemsByNumber(syntax, text) : undefined),
    coarse: [hollow(syntax), hoist(syntax)].map(shrinking).map(ready),
    fine: [
      ready(shrinking(deletion(syntax))),
      ...coupledReady,
      ...[shrinking(elements(syntax)), shrinking(substitute(syntax))].map(ready),
    ],
    tokens: [
      literals(syntax),
      shrinking(synonyms(syntax)),
      ...(options.rename === false ? [] : names),
      spaces(syntax),
    ].map(kept),
    pretty: text => pretty(text, syntax),
  };
}
