/** The files of a folder, parsed in their languages. */
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode, isBinary } from '../../core/decode.js';
import { type LanguageProfile, languageFor } from '../../syntax/languages/index.js';
import type { Binding } from '../../syntax/names/bindings.js';
import { names } from '../../syntax/names/names.js';
import { removalTable } from '../../syntax/names/repair.js';
import { bindingsOf } from '../../syntax/names/semantic.js';
import { type Syntax, syntaxOf } from '../../syntax/syntax.js';
import { definitionIndex, type Fixable } from '../tree/filters/keep-references.js';
import type { StructureOptions } from '../tree/index.js';

/** A file of a folder, parsed in its language. */
export interface Source extends Fixable {
  readonly path: string;
  readonly text: string;
  readonly syntax: Syntax;
  readonly bindings: readonly Binding[];
  /** Every identifier by its spelling. */
  readonly leaves: ReadonlyMap<string, readonly number[]>;
}

/** A tree takes a hundred times the memory of its text, and all of them are in memory together. */
const largestFile = 200_000;
const largestFolder = 1_500_000;
const mostFiles = 1_000;

/** The files of a folder in which names mean something; none if there are too many or they are too large. */
export type ReadSources = (artifact: Artifact) => Promise<readonly Source[]>;

/** A file is read once as long as it does not change. */
export function sourcesReader({ language, grammar }: StructureOptions): ReadSources {
  const known = new WeakMap<Entry, Promise<Source | undefined>>();
  const syntaxes = new Map<LanguageProfile, Promise<Syntax>>();
  const read = async (path: string, bytes: Uint8Array): Promise<Source | undefined> => {
    const own = languageFor(path, language);
    if (own.names !== true || isBinary(bytes)) return undefined;
    const { text } = decode(bytes);
    let syntax = syntaxes.get(own);
    if (syntax === undefined) syntaxes.set(own, (syntax = syntaxOf(own, grammar)));
    const reader = await syntax;
    if (reader.grammar === undefined) return undefined;
    const tree = await reader.tree(text);
    const leaves = new Map(names(tree).map(name => [name.text, name.leaves]));
    const bindings = await bindingsOf(reader, tree);
    return {
      path,
      text,
      syntax: reader,
      tree,
      table: removalTable(tree),
      definitions: definitionIndex(tree, bindings),
      bindings,
      leaves,
    };
  };
  return async artifact => {
    const files = [...artifact.files].flatMap(([path, entry]) =>
      entry.kind === 'file' && entry.bytes.length <= largestFile && languageFor(path, language).names === true
        ? [{ path, entry }]
        : [],
    );
    const total = files.reduce((sum, { entry }) => sum + entry.bytes.length, 0);
    if (files.length < 2 || files.length > mostFiles || total > largestFolder) return [];
    const found: Source[] = [];
    for (const { path, entry } of files) {
      let source = known.get(entry);
      if (source === undefined) known.set(entry, (source = read(path, entry.bytes)));
      const one = await source;
      if (one !== undefined) found.push(one);
    }
    return found.length < 2 ? [] : found;
  };
}
