/** The bracket tree: structure for any text, without a grammar. */
import { comment, type EmbeddedGrammar, named } from './flat-tree.js';
import type { LanguageProfile } from './languages/profile.js';
import type { FlatTreeBuilder } from './tree-builder.js';

/**
 * Structure for any text, by what nearly all notations share: brackets and quotes nest, `;` `,` and line ends separate, tags
 * open and close. Used if there is no grammar or the text is too large for one, and inside broken regions and long values. It
 * never fails: anything that does not match is a plain character.
 */
const kinds = ['text', 'item', 'group', 'string', 'word', 'sign', 'bracket', 'separator', 'comment'] as const;
const [TEXT, ITEM, GROUP, STRING, WORD, SIGN, BRACKET, SEPARATOR, COMMENT] = kinds.keys() as unknown as number[];
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

const grammars = new Map<string, EmbeddedGrammar>();
/** The bracket tree as a grammar: kinds, but no parse tables. */
export function bracketGrammar(language: LanguageProfile): EmbeddedGrammar {
  let grammar = grammars.get(language.name);
  if (grammar === undefined) {
    grammar = { kinds, fields: [null], language };
    grammars.set(language.name, grammar);
  }
  return grammar;
}

/** In a coarse tree, what is smaller than this stays in one piece. */
const smallestGroup = 256;

export interface BracketOptions {
  readonly start: number;
  readonly end: number;
  readonly parent: number;
  /** Without words and punctuation: only items and groups. */
  readonly coarse?: boolean;
  /** Put the items directly under `parent`, without a separate root. */
  readonly bare?: boolean;
}

export function copyBrackets(builder: FlatTreeBuilder, language: LanguageProfile, options: BracketOptions): void {
  for (const _ of bracketsInSteps(builder, language, options));
}

/** How many tokens are read between two steps. */
const stepLength = 10_000;

/** The same, step by step, so that a signal is heard between them. */
export function* bracketsInSteps(
  builder: FlatTreeBuilder,
  language: LanguageProfile,
  options: BracketOptions,
): Generator<void> {
  const { text } = builder;
  const { end, coarse = false } = options;
  const grammar = builder.grammarIndex(bracketGrammar(language));
  const comments = language.comments ?? [];
  const { pairs, statements } = matching(text, options.start, end, comments);
  yield;
  const words = /[\p{L}\p{N}_$]+/uy;
  const open = (from: number, to: number, parent: number, kind: number): number => {
    const node = builder.open(from, to, parent, kind);
    builder.describe(node, grammar, named);
    return node;
  };
  const root = options.bare ? options.parent : open(options.start, end, options.parent, TEXT!);
  // One entry per open group (or the root): its node, where it closes, the item that is open in it, and whether commas
  // (a list) or semicolons and line ends (statements) separate its items.
  const stack: { readonly node: number; readonly closes: number; readonly lists: boolean; item: number }[] = [
    { node: root, closes: -1, lists: false, item: -1 },
  ];
  let at = options.start;

  const leaf = (kind: number, from: number, to: number, flags: number): void => {
    const top = stack[stack.length - 1]!;
    if (kind !== BRACKET && kind !== SEPARATOR && top.item < 0) top.item = open(from, from, top.node, ITEM!);
    const parent = kind === BRACKET || top.item < 0 ? top.node : top.item;
    if (!coarse || kind === BRACKET) builder.describe(builder.open(from, to, parent, kind), grammar, flags);
    if (top.item >= 0) builder.close(top.item, to);
    at = to;
  };
  const endItem = (): void => {
    const top = stack[stack.length - 1]!;
    if (top.item >= 0) builder.close(top.item, builder.endOf(top.item));
    top.item = -1;
  };

  for (let read = 1; at < end; read++) {
    if (read % stepLength === 0) yield;
    const char = text[at]!;
    const top = stack[stack.length - 1]!;
    if (char === '\n') {
      if (top.lists === false && text[at - 1] !== ',') endItem();
      at++;
    } else if (char <= ' ') at++;
    else if (at === top.closes) {
      endItem();
      leaf(BRACKET!, at, at + 1, 0);
      builder.close(top.node, at);
      stack.pop();
      const outer = stack[stack.length - 1]!;
      if (outer.item >= 0) builder.close(outer.item, at);
    } else if (char === ';' || char === ',') {
      leaf(SEPARATOR!, at, at + 1, 0);
      if (char === ';' || top.lists) endItem();
    } else if (comments.some(mark => text.startsWith(mark, at))) {
      if (!top.lists) endItem();
      leaf(COMMENT!, at, commentEnd(text, at, end), named | comment);
      if (!top.lists) endItem();
    } else {
      const closes = pairs[at - options.start]!;
      if (closes > 0 && closers[char] !== undefined && coarse && closes - at < smallestGroup)
        leaf(STRING!, at, closes + 1, named);
      else if (closes > 0 && closers[char] !== undefined) {
        if (top.item < 0) top.item = open(at, at, top.node, ITEM!);
        const node = open(at, at, top.item, GROUP!);
        stack.push({ node, closes, item: -1, lists: statements[at - options.start] === 0 });
        leaf(BRACKET!, at, at + 1, 0);
      } else if (closes > 0) leaf(STRING!, at, closes + 1, named);
      else {
        words.lastIndex = at;
        const word = words.exec(text)?.[0] ?? '';
        if (word.length > 0) leaf(WORD!, at, Math.min(end, at + word.length), named);
        else leaf(SIGN!, at, at + 1, 0);
      }
    }
  }
  while (stack.length > 1) {
    endItem();
    builder.close(stack.pop()!.node, end);
  }
  endItem();
  if (!options.bare) builder.close(root);
}

interface Matching {
  /** Where each opening bracket or quote closes, counted from the start of the range; 0 for everything else. */
  readonly pairs: Int32Array;
  /** 1 for braces that contain statements: there is a `;` or a line end directly inside. */
  readonly statements: Uint8Array;
}

/** Only brackets that match by kind count; a string ends on its own line. */
function matching(text: string, start: number, end: number, comments: readonly string[]): Matching {
  const pairs = new Int32Array(end - start);
  const statements = new Uint8Array(end - start);
  const open: number[] = [];
  for (let at = start; at < end; at++) {
    const char = text[at]!;
    if (char === ' ' || (char >= 'a' && char <= 'z')) continue;
    if (closers[char] !== undefined) open.push(at);
    else if (char === ')' || char === ']' || char === '}') {
      // A closer without its opener is skipped; one that closes an outer bracket leaves the inner ones unmatched.
      let depth = open.length - 1;
      while (depth >= 0 && depth > open.length - 16 && closers[text[open[depth]!]!] !== char) depth--;
      if (depth >= 0 && closers[text[open[depth]!]!] === char) {
        pairs[open[depth]! - start] = at;
        open.length = depth;
      }
    } else if (char === ';' || char === '\n') {
      const inner = open[open.length - 1];
      if (inner !== undefined && text[inner] === '{') statements[inner - start] = 1;
    } else if (char === '"' || char === "'" || char === '`') {
      const close = closeQuote(text, at, end);
      if (close > 0) {
        pairs[at - start] = close;
        at = close;
      }
    } else if (comments.some(mark => text.startsWith(mark, at))) at = commentEnd(text, at, end) - 1;
  }
  return { pairs, statements };
}

function commentEnd(text: string, at: number, end: number): number {
  const block = text.startsWith('/*', at);
  const close = text.indexOf(block ? '*/' : '\n', at);
  return close < 0 ? end : Math.min(end, close + (block ? 2 : 0));
}

function closeQuote(text: string, open: number, end: number): number {
  const quote = text[open]!;
  // An apostrophe inside a word (don't) opens nothing.
  if (quote === "'" && open > 0 && /\w/.test(text[open - 1]!)) return -1;
  for (let at = open + 1; at < end; at++) {
    const char = text[at]!;
    if (char === quote) return at;
    if (char === '\\') at++;
    else if (char === '\n' && quote !== '`') return -1;
  }
  return -1;
}
