/** Loads grammars, and answers what their parse tables know. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Language as Loaded, Parser } from 'web-tree-sitter';
import { UserError } from '../core/index.js';
import { addTo } from '../core/lists.js';
import { profile } from './languages/generic.js';
import type { LanguageProfile } from './languages/profile.js';

/**
 * A grammar that is ready to parse, and its parse tables as questions. tree-sitter reports for every node in which state
 * the parser was before it; the tables list which symbols that state accepts. So what is allowed at a place is known
 * without a grammar file, and before a test is spent.
 */
export interface Grammar {
  readonly language: LanguageProfile;
  readonly parser: Parser;
  /** A parser that no one else uses while it is halfway through a text. */
  newParser(): Parser;
  /** Names of the kinds of nodes, by symbol. */
  readonly kinds: readonly string[];
  readonly fields: readonly (string | null)[];
  /** Whether a parser in this state can continue with this symbol, by a shift or after reductions. */
  expects(state: number, symbol: number): boolean;
  /** The state after the symbol in this state; 0 if the symbol is not allowed. */
  after(state: number, symbol: number): number;
  /** A parser in this state may end the line, although no visible token says so (automatic semicolons, line ends). */
  endsLine(state: number): boolean;
  /** Symbols of this name. Several may share one: a grammar's own symbol and its aliases. */
  symbols(kind: string): readonly number[];
}

/** The state of a node that the parser found ambiguous: nothing is known there. */
export const anyState = 0xffff;
const require = createRequire(import.meta.url);
const loaded = new Map<string, Promise<Grammar>>();

/** The grammar of a language, loaded once; undefined if no package has one, and the bracket tree is used instead. */
export function grammarOf(language: LanguageProfile): Promise<Grammar> | undefined {
  const file = wasmOf(language);
  if (file === undefined) return undefined;
  const key = `${language.name}:${language.wasm}`;
  let grammar = loaded.get(key);
  if (grammar === undefined) {
    grammar = load(language, file);
    loaded.set(key, grammar);
  }
  return grammar;
}

/** A user's own grammar. Its file name, without `tree-sitter-` and `.wasm`, becomes the language's name. */
export function grammarFrom(file: string, known?: LanguageProfile): Promise<Grammar> {
  const name = basename(file, '.wasm').replace(/^tree-sitter-/, '');
  const language = known ?? profile({ name, extensions: [], names: true });
  let grammar = loaded.get(file);
  if (grammar === undefined) {
    grammar = load({ ...language, wasm: file }, file);
    loaded.set(file, grammar);
  }
  return grammar;
}

/** A grammar from the build's packed file, or from the package that it comes from. */
function wasmOf({ wasm, from }: LanguageProfile): string | undefined {
  if (wasm === undefined || /[\\/]/.test(wasm)) return wasm;
  const file = `tree-sitter-${wasm}.wasm`;
  const packed = fileURLToPath(new URL(`../grammars/${file}.br`, import.meta.url));
  if (existsSync(packed)) return packed;
  if (from === undefined) return require.resolve(`@cursorless/tree-sitter-wasms/out/${file}`);
  try {
    return require.resolve(`${from}/${file}`);
  } catch {
    return undefined;
  }
}

let latest: Promise<unknown> = Promise.resolve();

/** Grammars load one after another: two that load at the same time are given the same places in the parser's memory. */
function load(language: LanguageProfile, file: string): Promise<Grammar> {
  const grammar = latest.then(() => loadNow(language, file));
  latest = grammar.catch(() => undefined);
  return grammar;
}

async function loadNow(language: LanguageProfile, file: string): Promise<Grammar> {
  const { Parser, Language: Loader } = await import('web-tree-sitter');
  await Parser.init();
  let tables: Loaded;
  try {
    // A read of a pipe that nobody writes into would keep the process from ending.
    if (!statSync(file).isFile()) throw new Error('it is not a file');
    tables = await Loader.load(file.endsWith('.br') ? brotliDecompressSync(readFileSync(file)) : file);
    return grammar(language, tables, () => {
      const parser = new Parser();
      parser.setLanguage(tables);
      return parser;
    });
  } catch (cause) {
    throw new UserError(
      `The grammar ${file} does not load: ${cause instanceof Error ? cause.message : String(cause)}`,
      `A grammar is a .wasm file made by "tree-sitter build --wasm" (ABI 13 to 15). Without --grammar, the language comes from the file's name or from --language.`,
    );
  }
}

function grammar(language: LanguageProfile, tables: Loaded, newParser: () => Parser): Grammar {
  const parser = newParser();
  // Hidden symbols leave holes in the list of names.
  const kinds = Array.from(tables.types, kind => kind ?? '');
  const width = kinds.length;
  const rows = new Map<number, Uint8Array>();
  const ends = new Map<number, boolean>();
  const byKind = new Map<string, number[]>();
  for (const [symbol, kind] of kinds.entries()) addTo(byKind, kind, symbol);
  const row = (state: number): Uint8Array => {
    let set = rows.get(state);
    if (set === undefined) {
      set = new Uint8Array(width);
      const symbols = state < tables.stateCount ? tables.lookaheadIterator(state) : null;
      if (symbols !== null) {
        for (const _ of symbols) {
          const symbol = symbols.currentTypeId;
          if (symbol !== null && symbol < width) set[symbol] = 1;
        }
        symbols.delete();
      }
      rows.set(state, set);
    }
    return set;
  };
  // Tags mark their own ends: line ends mean nothing in markup.
  const silent = language.markup ? [] : silentTokens(parser, tables, row(1));
  return {
    language,
    parser,
    newParser,
    kinds,
    fields: tables.fields,
    expects: (state, symbol) => state === anyState || row(state)[symbol] === 1,
    after: (state, symbol) => (state >= tables.stateCount || symbol >= width ? 0 : tables.nextState(state, symbol)),
    endsLine(state) {
      let may = ends.get(state);
      if (may === undefined) {
        const set = row(state);
        may = silent.some(symbol => set[symbol] === 1);
        ends.set(state, may);
      }
      return may;
    },
    symbols: kind => byKind.get(kind) ?? [],
  };
}

/**
 * Invisible tokens that end a line or a statement. Hidden symbols have no name here, but tokens are numbered before the
 * root's symbol, which is the first compound one; and a token that may open a file does not end a line.
 */
function silentTokens(parser: Parser, tables: Loaded, opening: Uint8Array): readonly number[] {
  const tree = parser.parse('');
  const root = tree?.rootNode.typeId ?? 0;
  tree?.delete();
  const silent: number[] = [];
  for (let symbol = 1; symbol < Math.min(root, tables.types.length); symbol++) {
    const name = tables.types[symbol];
    if (
      name === '\n' ||
      ((name === undefined || name === null || !tables.nodeTypeIsVisible(symbol)) && opening[symbol] !== 1)
    )
      silent.push(symbol);
  }
  return silent;
}
