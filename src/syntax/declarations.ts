/** The declarations of a text in a language with brackets, as its tokens show them: without a tree, and fast for megabytes. */

/** The tokens of a text, without comments and lines for the preprocessor. */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** What a sign is, as its character; 0 for words and literals. */
  readonly sign: Uint16Array;
  /** Which word it is, as an index; −1 for anything else. */
  readonly word: Int32Array;
  readonly words: readonly string[];
  /** Where the bracket is that belongs to this one. */
  readonly partner: Int32Array;
}

/** Signs of two characters, as numbers that no character of a language has. */
export const scopeSign = 0xe000;
export const arrowSign = 0xe001;

/** A part of a text, as tokens: the first one, and the one after the last. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/**
 * How something is declared, as far as it matters for what needs it:
 * - `scope`: a namespace, which is there as long as something in it is;
 * - `class`: its members are declarations of their own;
 * - `function`;
 * - `special`: named for certain types only, such as an operator, a specialisation or a member that is defined outside its class;
 * - `field`: a part of its class that is not left out;
 * - `plain`: anything else with a name.
 */
export type DeclarationKind = 'scope' | 'class' | 'function' | 'special' | 'field' | 'plain';

export interface Declaration extends TokenRange {
  readonly kind: DeclarationKind;
  /** The declaration that contains it, as an index: always a smaller one; −1 at the outermost level. */
  readonly within: number;
  /** The words that it declares, as indices. */
  readonly names: readonly number[];
  /** What tells it from others with its name: parameters, arguments of a specialisation, the class that it is a part of. */
  readonly types?: TokenRange;
  /** Everything of an operator before its parameters. Nobody mentions an operator, so one for any type is known by this. */
  readonly result?: TokenRange;
  /** The class in `int a::b()`. */
  readonly owner?: number;
  /** It is written in a class, and is a function outside it. */
  readonly isFriend?: boolean;
  /** The body of a function, with what a constructor initialises: it can be replaced by a semicolon. */
  readonly body?: TokenRange;
  /** Where the body opens: from here, it can be replaced by the shortest body. */
  readonly opens?: number;
  readonly shortestBody?: string;
  /** The members of a class between braces, with the classes that it inherits from before them: they can be replaced by empty braces. */
  readonly contents?: TokenRange;
  /** Others need its body: its type follows from it, or it is evaluated by the compiler. */
  readonly needsBody?: boolean;
}

export interface Declarations {
  readonly tokens: Tokens;
  /** In source order, each before those that it contains. */
  readonly all: readonly Declaration[];
  /** The tokens of another text in the same language; undefined if its brackets do not match. */
  read(text: string): Tokens | undefined;
  /** Words that the compiler looks up because of this text, although nobody wrote them. */
  implied(text: string): readonly string[];
  /** The same for a token of the declarations. */
  impliedAt(token: number): readonly string[] | undefined;
}
