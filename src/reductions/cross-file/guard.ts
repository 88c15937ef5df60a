/** Checks a whole folder: whether its files still find what they import from each other. */
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { type FlatTree, is } from '../../syntax/flat-tree.js';
import { isIntroduced } from '../../syntax/introduced.js';
import { type LanguageProfile, languageFor } from '../../syntax/languages/index.js';
import { type Has, isBeside, type Module, type ModuleSystem } from '../../syntax/languages/modules.js';
import { freeByName, scopeOf } from '../../syntax/names/bindings.js';
import { names } from '../../syntax/names/names.js';
import { hostTree, type Syntax, syntaxOf } from '../../syntax/syntax.js';
import type { StructureOptions } from '../tree/index.js';

/** Whether the files of a folder still find what they need in each other. */
export interface FolderGuard {
  isSound(candidate: Artifact): boolean;
  /** Whether some file of the folder declares the name for all the others. */
  provides(candidate: Artifact, name: string): boolean;
}

/** What one file means for the others. */
interface Facts {
  readonly system: ModuleSystem | undefined;
  readonly module: Module | undefined;
  /** In languages whose files share their names: those that it declares for all, and those that it needs. */
  readonly provided: ReadonlySet<string>;
  readonly needed: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
const mostFiles = 2_000;
const largestFile = 200_000;

/**
 * At the semantic level no file imports what another file of the folder does not export, and none uses a name that the
 * folder declared for it and no longer does. What was already broken in the original may stay so. Computed from the trees,
 * one file at a time, and only for files that changed.
 */
export async function folderGuard(original: Artifact, options: StructureOptions): Promise<FolderGuard | undefined> {
  const syntaxes = new Map<LanguageProfile, Syntax>();
  for (const path of original.files.keys()) {
    const language = languageFor(path, options.language);
    if (language.names === true && !syntaxes.has(language))
      syntaxes.set(language, await syntaxOf(language, options.grammar));
  }
  if (original.files.size < 2 || original.files.size > mostFiles || syntaxes.size === 0) return undefined;
  const known = new WeakMap<Entry, Facts | null>();
  const factsOf = (path: string, entry: Entry): Facts | undefined => {
    let facts = known.get(entry);
    const syntax = syntaxes.get(languageFor(path, options.language));
    if (facts === undefined) known.set(entry, (facts = syntax === undefined ? null : (read(entry, syntax) ?? null)));
    return facts ?? undefined;
  };
  const originals = new Set(original.files.keys());
  const before = look(original, factsOf, originals);
  return {
    isSound(candidate) {
      const now = look(candidate, factsOf, originals);
      for (const key of now.broken) if (!before.broken.has(key)) return false;
      for (const name of now.needed) if (before.provided.has(name) && !now.provided.has(name)) return false;
      return true;
    },
    provides(candidate, name) {
      for (const [path, entry] of candidate.files) if (factsOf(path, entry)?.provided.has(name)) return true;
      return false;
    },
  };
}

function read(entry: Entry, syntax: Syntax): Facts | undefined {
  if (entry.kind !== 'file' || entry.bytes.length > largestFile || entry.bytes.includes(0)) return undefined;
  const tree = hostTree(decode(entry.bytes).text, syntax);
  if (tree === undefined) return undefined;
  const { modules: system } = syntax.language;
  if (system !== undefined) return { system, module: system.read(tree), provided: none, needed: none };
  return { system, module: undefined, provided: providedBy(tree), needed: freeByName(tree) };
}

function providedBy(tree: FlatTree): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { text, leaves } of names(tree))
    if (
      leaves.some(
        leaf => (isIntroduced(tree, leaf) && scopeOf(tree, leaf) === 0) || is(tree, tree.parent[leaf]!, 'macro'),
      )
    )
      found.add(text);
  return found;
}

const resolve = ({ system }: Facts, path: string, name: string, has: Has): string | undefined =>
  system?.resolve(path, name, has);

type FactsOf = (path: string, entry: Entry) => Facts | undefined;

interface Seen {
  /** Imports that find nothing: the file and the name in it. */
  readonly broken: ReadonlySet<string>;
  readonly provided: ReadonlySet<string>;
  readonly needed: ReadonlySet<string>;
}

function look({ files }: Artifact, factsOf: FactsOf, originals: ReadonlySet<string>): Seen {
  const broken = new Set<string>();
  const provided = new Set<string>();
  const needed = new Set<string>();
  const has = (path: string): boolean => files.has(path);
  const wasThere = (path: string): boolean => originals.has(path);
  const exported = (path: string, name: string, seen: readonly string[]): boolean => {
    const facts = factsOf(path, files.get(path)!);
    if (facts?.module === undefined || facts.module.open || facts.module.exports.has(name)) return true;
    const own = facts.system?.submodule?.(name);
    if (own !== undefined && resolve(facts, path, own, has) !== undefined) return true;
    return facts.module.imports.some(one => {
      if (one.again !== '*' || name === 'default') return false;
      const target = resolve(facts, path, one.from, has);
      // What comes from outside the folder, or from a cycle, is not known.
      return target === undefined
        ? !isBeside(one.from)
        : !seen.includes(target) && exported(target, name, [...seen, target]);
    });
  };
  for (const [path, entry] of files) {
    const facts = factsOf(path, entry);
    if (facts === undefined) continue;
    for (const name of facts.provided) provided.add(name);
    for (const name of facts.needed) needed.add(name);
    for (const { from, name } of facts.module?.imports ?? []) {
      const target = resolve(facts, path, from, has);
      if (target === undefined) {
        // A package is named as the original named it; another name, or nothing, is not a package.
        const isMissing = isBeside(from) || resolve(facts, path, from, wasThere) !== undefined;
        broken.add(isMissing ? `${path}\0${from}` : `\0${from}`);
      } else if (name !== '' && name !== '*' && !exported(target, name, [target])) broken.add(`${target}\0${name}`);
    }
  }
  return { broken, provided, needed };
}
