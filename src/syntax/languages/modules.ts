/** What a language in which every file is a module says about imports and exports. */
import type { Span } from '../edit.js';
import { type FlatTree, textOf } from '../flat-tree.js';

/** One thing that a file imports from another. */
export interface Import {
  /** As it is written: `./list.js`, `.models`. */
  readonly from: string;
  /** What the other file calls it; `*` for all of it, unset if only the file itself is meant. */
  readonly name: string;
  /** What it is called here; unset if it is only re-exported. */
  readonly local?: string;
  /** The statement that contains it, or the declaration with `require`. */
  readonly statement: number;
  /** The call of `require`. */
  readonly call?: number;
  /** It is exported again under this name; `*` for all of it. */
  readonly again?: string;
  /** It is not executed when the file is loaded: only later, in a function, or never. */
  readonly isLate?: boolean;
}

/** What a file imports and exports, as its tree shows it. */
export interface Module {
  readonly imports: readonly Import[];
  readonly exports: ReadonlySet<string>;
  /** It may export more than can be seen. */
  readonly open: boolean;
}

/** Whether a file exists. */
export type Has = (path: string) => boolean;

/** How the files of a language import each other. */
export interface ModuleSystem {
  read(tree: FlatTree): Module;
  /** The file that a file at `path` means by a name; undefined if it is not in this folder. */
  resolve(path: string, name: string, has: Has): string | undefined;
  /** How a file would import one with this name in the same folder; without it, files are not exported. */
  readonly submodule?: (name: string) => string;
  /** Other files can import whatever a file binds at its top level, wherever it came from. */
  readonly exportsImports: boolean;
  /** What replaces an import whose file is gone: it only loads these files. Unset if the language cannot say that. */
  readonly loading?: (tree: FlatTree, gone: GoneImport, files: readonly string[]) => string;
  /**
   * A file that can take the place of another one while code that imports it is executed: each of these names is a value that
   * can be called, extended and read, and the statements load other files. Unset if the language has no such value.
   */
  readonly stub?: (tree: FlatTree, names: readonly string[], loads: readonly string[]) => string;
  /** Imports that name other files by their paths, if they do. */
  readonly paths?: Paths;
  /** Statements that export. Without it, what is declared is exported. */
  readonly exports?: Exports;
}

/** An import, and the two files that it connects. */
export interface GoneImport {
  readonly statement: number;
  readonly from: string;
  /** The file with the import, and the file that it imported. */
  readonly path: string;
  readonly target: string;
}

export interface Paths {
  /** The nodes that can contain a path in quotes. */
  nodesIn(tree: FlatTree): readonly number[];
  /** A path to another file in the same style as an existing import: with or without its extension. */
  spellLike(named: string, path: string): string;
}

export interface Exports {
  /** Whether the statement only exports what another file declares. */
  isHandedOn(tree: FlatTree, statement: number): boolean;
  /** The edits that turn exports into plain declarations; `local` is what the default export is called elsewhere. */
  strip(tree: FlatTree, module: Module, local: string | undefined): Span[] | undefined;
  /** An object with these names, like a module that is imported as a whole. */
  asObject(name: string, names: readonly string[]): string;
  /** What exports one name, in the style of CommonJS, if the file does nothing else with its exports. */
  members(tree: FlatTree): readonly { readonly name: string; readonly node: number }[];
  /** The local name of each exported variable, as far as it can be seen. */
  variables(tree: FlatTree): ReadonlyMap<string, string>;
  /** The value that is the file's whole export, in the style of CommonJS. */
  wholeValue(tree: FlatTree): number | undefined;
  /** The edits of `into` that replace the call that requires a file by the file. */
  replaceRequire(required: Required): readonly Span[] | undefined;
}

/** A file, and the only call that requires it. */
export interface Required {
  readonly tree: FlatTree;
  readonly into: FlatTree;
  readonly call: number;
  /** Edits of the file that its new place needs. */
  readonly moved: readonly Span[];
}

/** The contents of a string on one line. */
export const unquoted = (tree: FlatTree, node: number): string => textOf(tree, node).slice(1, -1);

/** Whether the name can only mean a local file: if it is not found, it is missing. */
export const isBeside = (name: string): boolean => name.startsWith('.');
