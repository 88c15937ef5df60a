/** What is left of a program once the code that did not run is gone. */
import { inFiles } from '../../circumstances/files.js';
import { heaviestLast } from '../../circumstances/heaviest-last.js';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { pauseIfDue } from '../../engine/index.js';
import { mayBeExecuted, mayBeLoaded, mayHoldCode } from '../../oracle/coverage/index.js';
import { languageOf, structureOf, type UnusedKind } from '../../reductions/tree/index.js';
import type { Pass } from '../pass.js';
import { isProbedScript } from './compiled.js';
import { allAtOnce, allOrStretches, heaviestFirst, smallText } from './large-text.js';
import { partsIn } from './parts.js';
import { type ReduceOptions, structureOptions } from './text-passes.js';

/**
 * Functions without a body, as members of something: what is left of them if nothing called them. Those that nothing names are asked about first, because nearly all of
 * them can go; of the others, some are called by names that a program computes.
 */
export const emptiedMembers = (options: ReduceOptions): readonly Pass<Artifact>[] =>
  [true, false].map(isUnnamed => ({
    name: isUnnamed ? 'empty members that nothing names' : 'members that are empty functions',
    early: true,
    async over(artifact) {
      if (bytesOf(artifact) <= smallText) return undefined;
      const isWanted = isUnnamed ? await unnamedMembers(artifact, options) : undefined;
      // A compiler looks up every member that something mentions. Without one that a library of a page calls, scripts may never end.
      const mayHave = (path: string): boolean => (isUnnamed ? mayHoldCode : mayBeLoaded)(path) || isProbedScript(path);
      const parts = await partsIn(artifact, mayHave, options, structure => structure.emptyMembers(isWanted));
      return parts.length === 0 ? undefined : inFiles(artifact, 'member', parts);
    },
    strategy: allOrStretches,
  }));

/** Whether a name is only in declarations of empty members. */
async function unnamedMembers(artifact: Artifact, options: ReduceOptions): Promise<(name: string) => boolean> {
  const declared = new Map<string, number>();
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || !(mayHoldCode(path) || isProbedScript(path))) continue;
    const structure = await structureOf(path, structureOptions(options));
    if (structure.syntax.grammar === undefined) continue;
    for (const name of await structure.emptyMemberNames(decode(entry.bytes).text))
      declared.set(name, (declared.get(name) ?? 0) + 1);
    await pauseIfDue();
  }
  const words = wordsIn(artifact);
  const mentions = (name: string): number => [...(words.get(name)?.values() ?? [])].reduce((sum, n) => sum + n, 0);
  return name => mentions(name) === declared.get(name);
}

/**
 * Whatever the rest of the program does not name. Most of it is only there because something used it that did not run. Nearly all names can go together; what
 * computes a value may be there for what that changes.
 */
export const unusedDeclarations = (options: ReduceOptions, kind: UnusedKind): Pass<Artifact> => ({
  name: kind === 'names' ? 'names that nothing uses' : 'values that nothing uses',
  early: true,
  async over(artifact) {
    const words = wordsIn(artifact);
    const mayHoldSome = (path: string): boolean => mayBeExecuted(path) || mayHoldCode(path) || isProbedScript(path);
    const parts = await partsIn(artifact, mayHoldSome, options, (structure, path) =>
      structure.unused(name => [...(words.get(name)?.keys() ?? [])].some(each => each !== path), kind),
    );
    return parts.length === 0 ? undefined : inFiles(artifact, 'declaration', parts);
  },
  strategy: allOrStretches,
});

/** Conditions that decide nothing any more. */
export const conditionsForNothing = (options: ReduceOptions): Pass<Artifact> => ({
  name: 'branches that do nothing',
  early: true,
  async over(artifact) {
    if (bytesOf(artifact) <= smallText) return undefined;
    const parts = await partsIn(artifact, mayHoldCode, options, structure => structure.emptyBranches);
    return parts.length === 0 ? undefined : inFiles(artifact, 'branch', parts);
  },
  strategy: allOrStretches,
});

/** Large tables: a program reads few of their items. First each of them as a whole, and then their items. */
export const itemsOfTables = (options: ReduceOptions): readonly Pass<Artifact>[] =>
  (['tables', 'items'] as const).map(what => ({
    name: what === 'tables' ? 'large tables' : 'items of large tables',
    early: true,
    async over(artifact) {
      if (bytesOf(artifact) <= smallText) return undefined;
      const parts = await partsIn(
        artifact,
        () => true,
        options,
        structure => structure.tables(what),
      );
      if (parts.length === 0) return undefined;
      const found = inFiles(artifact, what === 'tables' ? 'table' : 'item', parts);
      return what === 'tables' ? heaviestLast(found) : found;
    },
    strategy: what === 'tables' ? heaviestFirst : allOrStretches,
  }));

/** What a program computes for nobody, once its values are known. */
export const codeWithoutEffect = (options: ReduceOptions): Pass<Artifact> => ({
  name: 'code without effect',
  early: true,
  async over(artifact) {
    const hasSome = (path: string): boolean => languageOf(path)?.withoutEffect !== undefined;
    const parts = await partsIn(artifact, hasSome, options, structure => structure.effectless);
    return parts.length === 0 ? undefined : inFiles(artifact, 'statement', parts);
  },
  strategy: allAtOnce,
});

/** How often each word is in each file. */
function wordsIn(artifact: Artifact): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const words = new Map<string, Map<string, number>>();
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file') continue;
    for (const [word] of decode(entry.bytes).text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const files = words.get(word) ?? new Map<string, number>();
      words.set(word, files.set(path, (files.get(path) ?? 0) + 1));
    }
  }
  return words;
}
