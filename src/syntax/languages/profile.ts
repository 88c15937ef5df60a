/** What culprit knows about a language besides its grammar: one profile per language, in one file per language or family. */
import type { CallWriting } from '../calls.js';
import type { Declarations } from '../declarations.js';
import type { Edit, Span } from '../edit.js';
import type { FlatTree } from '../flat-tree.js';
import type { Observation } from '../observed.js';
import type { Probing } from '../probes.js';
import type { FlatTreeBuilder } from '../tree-builder.js';
import type { Kinds } from './kinds.js';
import type { ModuleSystem } from './modules.js';

export type { Kinds, Role } from './kinds.js';

/** A place that gives something a name, or that refers to such a name. */
export interface Mark {
  /** With a prefix for its namespace, `#` for ids and anchors and `[` for labels: `#top`, `[note`. */
  readonly name: string;
  /** Where the name itself is spelled. */
  readonly start: number;
  readonly end: number;
  /** How it points: an attribute's name, or the form of a link. */
  readonly by: string;
}

/** A label in brackets alone is a link only if it is defined; otherwise it is plain text. */
export const shortcut = 'shortcut';

export interface Pointed {
  readonly targets: readonly Mark[];
  readonly pointers: readonly Mark[];
}

/** The language inside a node: a language's name, `brackets` for the bracket tree, or nothing. */
export type Embedding = (builder: FlatTreeBuilder, node: number) => string | undefined;

/** A statement that includes a file: its position, and the name of the file. */
export interface Include {
  readonly node: number;
  readonly name: string;
}

/** What a program prints, and how it ends. */
export interface Output {
  readonly lines: readonly (readonly [stream: 1 | 2, line: string])[];
  /** The last line of standard output has no end. */
  readonly isOpen?: boolean;
  readonly exit: number;
  /** The error of the language itself that ends it, and its message. */
  readonly thrown?: readonly [name: string, message?: string];
}

/** What a language says about itself. The defaults for everything else are in `generic.ts`. */
export interface LanguageFacts {
  readonly name: string;
  /** The grammar's file in the package of grammars; without it, the bracket tree is used. */
  readonly wasm?: string;
  /** Another package that has the file. If it is not installed, the bracket tree is used. */
  readonly from?: string;
  readonly extensions: readonly string[];
  /** Complete file names. */
  readonly files?: readonly string[];
  readonly aliases?: readonly string[];
  /** Line breaks and indentation have meaning: whitespace is never removed without a separate test. */
  readonly layout?: boolean;
  /** How comments begin, for texts without a grammar: to the end of the line, or slash-star to star-slash. */
  readonly comments?: readonly string[];
  /** Names are whole words that refer to something declared elsewhere: renaming and merging make sense. */
  readonly names?: boolean;
  /**
   * A compiler refuses a text that uses a name without a declaration, and takes long to say so: a thousand missing names take
   * a minute in C++. So what is removed first leaves no name without its declaration.
   */
  readonly checksNames?: boolean;
  /** In a list of columns: what is none, because it is about the others. */
  readonly constraint?: RegExp;
  /** A large text consists of many files, one after the other: what can't be parsed in one says nothing about the next. */
  readonly isJoined?: boolean;
  /** How names look, and how a declaration begins, if its grammar does not show what it declares: one of the groups is the name. */
  readonly namesInText?: { readonly word: RegExp; readonly declared: RegExp };
  /** The declarations of a large text, without a tree. Undefined if its brackets do not match. */
  readonly declarations?: (text: string) => Generator<void, Declarations | undefined>;
  /** Words of a dialect that the grammar does not know, and that do not matter for the structure. */
  readonly dialect?: RegExp;
  /** The text as the grammar can read it, of the same length: for forms that it does not know, and that matter. */
  readonly respell?: (text: string) => string;
  /** Written in tags. */
  readonly markup?: boolean;
  /** The file name under which the TypeScript compiler resolves its names; without it, names are read from the tree. */
  readonly compiler?: string;
  /** How files import each other; without it, files share their names. */
  readonly modules?: ModuleSystem;
  /** The statements that include another file as text. */
  readonly includes?: (tree: FlatTree) => readonly Include[];
  /** Ids, anchors and labels, and what points at them. */
  readonly pointers?: (tree: FlatTree) => Pointed;
  /** Edits of what the compiler refuses if nothing uses it any more: imports and variables. */
  readonly refusedIfUnused?: (text: string) => readonly Span[];
  /** Errors that the grammar does not report. */
  readonly hiddenErrors?: (tree: FlatTree) => number;
  /** Names of the languages that may be embedded in a text: their grammars are loaded before it is parsed. */
  readonly embedded?: (text: string) => readonly string[];
  /** A readable form of a text; without it, the form follows from the tree. */
  readonly pretty?: (text: string) => string | undefined;
  /** A shorter way to write a node, in forms that only this language has. */
  readonly shorterForm?: (tree: FlatTree, node: number) => Span | undefined;
  /** An assignment as an expression, if the language has one: `a=1`, `a:=1`. */
  readonly assignInPlace?: (name: string, value: string) => string;
  /** How a run shows the values of its expressions. */
  readonly observation?: Observation;
  /** How calls of functions that files export are written down. */
  readonly calls?: CallWriting;
  /** A program that prints these lines and ends with this exit code. */
  readonly printing?: (printed: Output) => string;
  /** How a program shows which of its statements are reached, if no runtime does. */
  readonly probing?: Probing;
  /** The name of the function at which a program starts. */
  readonly entry?: string;
  /** What is left of the body of a function that is not called, if its type demands more than nothing. */
  readonly idleBody?: (tree: FlatTree, node: number) => string | undefined;
  /** Whether its compiler insists on a `return` at the end of a function, even if the end is never reached. */
  readonly insistsOnReturn?: boolean;
  /** What changes nothing that anything reads. */
  readonly withoutEffect?: (tree: FlatTree) => readonly Edit[];
  /** A statement that does nothing, in place of the only one that something holds. */
  readonly emptyStatement?: string;
  /** Edits that define a type where it is first used. */
  readonly typesInUse?: (tree: FlatTree) => readonly Edit[];
  /** Where a method names its receiver; undefined, or without this, if the receiver is the first parameter. */
  readonly receiverIn?: (tree: FlatTree, method: number) => readonly number[] | undefined;
}

/** Punctuation and words of a language that no node represents. */
export interface Tokens {
  /** A token that makes sense only together with another one: a bracket, a quote, `begin`. */
  readonly paired: RegExp;
  /** A token that separates the items of a list, or joins operands. */
  readonly separator: RegExp;
  /** How a token that opens something begins. */
  readonly opening: RegExp;
  /** The sign between a namespace and a name in it, as the source of a regular expression. */
  readonly qualifier: string;
  /** Words without which a declaration becomes an assignment, a call or an error. */
  readonly declaringWords: RegExp;
  /** Words that a replacement may introduce although the text has none of them: they are not names. */
  readonly builtIn: ReadonlySet<string>;
}

/** How a language writes what edits insert. Every profile has these; `generic.ts` has the defaults. */
export interface Writing {
  /** What can always replace a kind of node; the first pattern that matches counts, `undefined` means nothing. */
  readonly constants: readonly (readonly [RegExp, string | undefined])[];
  /** What a use can become when its declaration is removed: the first kind that is allowed there. */
  readonly defaults: readonly (readonly [kind: string, value: string])[];
  /** Words, as sources of regular expressions, with a shorter one that usually means the same. */
  readonly synonyms: readonly (readonly [long: string, short: string])[];
  /** Node kinds that hold text in another language. */
  readonly embeds: Readonly<Record<string, Embedding>>;
  /** The last expression of a body is its value. */
  readonly lastIsValue: boolean;
  /** A body may be left without a statement. */
  readonly mayBeEmpty: boolean;
  /** What ends a statement that is put before others. */
  readonly statementEnd: string;
  /** A declaration of a variable: the parameter as it was written, its name alone, and its value. */
  readonly declare: (parameter: string, name: string, value: string) => string;
  /**
   * Statements in a form that can precede another one; undefined if a line break is needed but impossible. `last` is the
   * kind of the last of them if it was already a statement, `indent` the whitespace before the other one if it begins its
   * line.
   */
  readonly before: (statements: string, last: string | undefined, indent: string | undefined) => string | undefined;
}

/** All that passes read about a language. */
export interface LanguageProfile extends LanguageFacts, Writing {
  readonly kinds: Kinds;
  readonly tokens: Tokens;
}

/** The smallest text of a kind of node, if the language has one. */
export const smallestOf = ({ constants }: LanguageProfile, kind: string): string | undefined =>
  constants.find(([pattern]) => pattern.test(kind))?.[1];
