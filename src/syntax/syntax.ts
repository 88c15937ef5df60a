/** Texts as trees: one language, with everything embedded in it. */
import { pauseIfDue } from '../core/pause.js';
import { bracketsInSteps, copyBrackets } from './brackets.js';
import { broken, errorKind, type FlatTree, isComment, named } from './flat-tree.js';
import { type Grammar, grammarFrom, grammarOf } from './grammars.js';
import { type LanguageProfile, languageNamed } from './languages/index.js';
import { removalsInSteps } from './removals.js';
import { topLevelParts } from './top-level-parts.js';
import { copyInSteps, copyTree, FlatTreeBuilder } from './tree-builder.js';

/**
 * Texts above this size get the bracket tree: a syntax tree costs about 100 bytes of memory per byte of source. Once the text
 * is smaller, the grammar takes over. A program after the preprocessor is often a few megabytes, and without the grammar most
 * cuts would break it.
 */
export const largestParse = 4_000_000;
/** The same for a parse without turns of the event loop. */
const largestAtOnce = 1_000_000;

/** Above this, the bracket tree has items and groups but no words. */
const largestWords = 1_000_000;

/** Text → tree, in one language with whatever is embedded in it. */
export interface Syntax {
  readonly language: LanguageProfile;
  /** Without it, the bracket tree is used. */
  readonly grammar: Grammar | undefined;
  tree(text: string): Promise<FlatTree>;
  /** The same tree before it is known which of its nodes can be left out: of a large text, that takes a while. */
  bareTree(text: string): Promise<FlatTree>;
}

/** The syntax of a language, or of a user's own grammar file. */
export async function syntaxOf(language: LanguageProfile, grammarFile?: string): Promise<Syntax> {
  const host = await (grammarFile === undefined ? grammarOf(language) : grammarFrom(grammarFile, language));
  let last: FlatTree | undefined;
  const bareTree = async (text: string): Promise<FlatTree> => {
    if (last?.text !== text) last = await treeOf(text, language, host);
    return last;
  };
  return {
    language,
    grammar: host,
    bareTree,
    async tree(text) {
      const tree = await bareTree(text);
      // Nearly every pass needs them, and none of them can pause.
      if (tree.count > largeTree) for (const _ of removalsInSteps(tree)) await pauseIfDue();
      return tree;
    },
  };
}

async function treeOf(text: string, language: LanguageProfile, host: Grammar | undefined): Promise<FlatTree> {
  const builder = new FlatTreeBuilder(text);
  const parsed = host !== undefined && text.length <= largestParse ? await parseInSteps(host, text) : undefined;
  await pauseIfDue();
  if (host === undefined || parsed === undefined) {
    const whole = { start: 0, end: text.length, parent: -1, coarse: text.length > largestWords };
    for (const _ of bracketsInSteps(builder, language, whole)) await pauseIfDue();
  } else {
    const embedded = await embeddedIn(language, text);
    const parts = language.isJoined && hasLargeError(parsed, text) ? topLevelParts(text) : undefined;
    try {
      const steps = parts
        ? copyParts(builder, host, parts)
        : copyInSteps(builder, parsed, host, { onNode: embedding(builder, host, embedded) });
      for (const _ of steps) await pauseIfDue();
    } finally {
      parsed.delete();
    }
  }
  const tree = builder.tree();
  await pauseIfDue();
  return host !== undefined && parsed !== undefined && isMostlyBroken(tree) ? treeOf(text, language, undefined) : tree;
}

/** A smaller text is parsed as it is. An error of this part of a text is not one that the parser recovered from. */
const largeText = 20_000;
const largeError = 16;

function hasLargeError(parsed: SyntaxTree, text: string): boolean {
  if (text.length <= largeText) return false;
  const cursor = parsed.walk();
  const isLarge = (): boolean =>
    cursor.nodeTypeId === errorKind && (cursor.endIndex - cursor.startIndex) * largeError >= text.length;
  let found = isLarge();
  for (let more = cursor.gotoFirstChild(); more && !found; more = cursor.gotoNextSibling()) found = isLarge();
  cursor.delete();
  return found;
}

/** The parts of a text, each parsed by itself, under one root. */
function* copyParts(builder: FlatTreeBuilder, host: Grammar, starts: readonly number[]): Generator<void> {
  const { text } = builder;
  // The root of the whole text may be an error.
  const blank = parse(host, '')!;
  const root = builder.open(0, text.length, -1, blank.rootNode.typeId);
  blank.delete();
  builder.describe(root, builder.grammarIndex(host), named);
  for (const [i, offset] of starts.entries()) {
    yield;
    const parsed = parse(host, text.slice(offset, starts[i + 1]));
    if (parsed === undefined) continue;
    yield* copyInSteps(builder, parsed, host, { offset, parent: root, isBare: true });
    parsed.delete();
  }
  builder.close(root);
}

/** The tree of the host language alone, synchronously: nothing embedded, no fallback. Undefined if there is no such tree. */
export const hostTree = (text: string, syntax: Syntax): FlatTree | undefined => treeWith(new Map(), text, syntax);

/** The same with embedded languages, after the grammars that this text needs are loaded. */
export async function treeReader(syntax: Syntax, text: string): Promise<(text: string) => FlatTree | undefined> {
  const embedded = await embeddedIn(syntax.language, text);
  return candidate => treeWith(embedded, candidate, syntax);
}

function treeWith(embedded: Embedded, text: string, { language, grammar }: Syntax): FlatTree | undefined {
  const parsed = grammar !== undefined && text.length <= largestAtOnce ? parse(grammar, text) : undefined;
  if (grammar === undefined || parsed === undefined) return undefined;
  const builder = new FlatTreeBuilder(text);
  const host = { ...grammar, language };
  try {
    copyTree(builder, parsed, host, embedded.size > 0 ? { onNode: embedding(builder, host, embedded) } : {});
  } finally {
    parsed.delete();
  }
  return builder.tree();
}

/**
 * An error every twenty nodes, or a fifth of the tokens in errors: the text is in another language or dialect than its name
 * says, and brackets work better. What was parsed inside an error does not count: one missing brace turns the whole file
 * into an error.
 */
function isMostlyBroken(tree: FlatTree): boolean {
  let lost = 0;
  let all = 0;
  let errors = 0;
  for (let node = 1; node < tree.count; node++) {
    if ((tree.flags[node]! & broken) !== 0) errors++;
    if (tree.past[node] !== node + 1 || isComment(tree, node)) continue;
    const size = tree.end[node]! - tree.start[node]!;
    all += size;
    if (((tree.flags[node]! | tree.flags[tree.parent[node]!]!) & broken) !== 0) lost += size;
  }
  // A large text with few errors is in the right language, however much it lost in them: its other parts are as they should be.
  const most = tree.count > largeTree && errors < tree.count / 50 ? 2 : 5;
  return (errors > 10 && errors > tree.count / 20) || (lost > 20 && lost > all / most);
}

const largeTree = 10_000;

export type SyntaxTree = NonNullable<ReturnType<Grammar['parser']['parse']>>;

/** A text as the parser read it, with its tree. */
interface Parsed {
  readonly text: string;
  readonly tree: SyntaxTree;
}

/**
 * A parse, or undefined if the parser gives up (too deep for its stack, too large for its memory). The tree of a text that
 * is mostly the same makes it fast: everything outside the difference is reused.
 */
export function parse(grammar: Grammar, text: string, like?: Parsed): SyntaxTree | undefined {
  const { parser } = grammar;
  const readable = readableFor(grammar, text);
  const old = like && adapted(like.tree, like.text, readable);
  try {
    // Every jump over a known part reads a chunk again: short chunks cost less.
    return (old ? parser.parse(index => readable.slice(index, index + 256), old) : parser.parse(readable)) ?? undefined;
  } catch {
    parser.reset();
    return undefined;
  } finally {
    old?.delete();
  }
}

/** A shorter text is read at once. */
const shortParse = 20_000;
/** Milliseconds. */
const longestStep = 50;

/** The same parse, with turns of the event loop in between: a large text takes seconds on a busy machine. */
export async function parseInSteps(grammar: Grammar, text: string): Promise<SyntaxTree | undefined> {
  if (text.length <= shortParse) return parse(grammar, text);
  const readable = readableFor(grammar, text);
  const parser = grammar.newParser();
  try {
    for (;;) {
      const until = performance.now() + longestStep;
      // It stops if the callback returns true, and the next call continues there.
      const tree = parser.parse(readable, null, { progressCallback: () => performance.now() > until });
      if (tree) return tree;
      await pauseIfDue();
    }
  } catch {
    return undefined;
  } finally {
    parser.delete();
  }
}

/** The text that the parser reads. */
export function readableFor({ language }: Grammar, text: string): string {
  const known = blanked(text, language.dialect);
  return language.respell?.(known) ?? known;
}

/** A copy of the tree that knows where the two texts differ. */
function adapted(parsed: SyntaxTree, before: string, after: string): SyntaxTree {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let rest = 0;
  while (rest < least - start && before[before.length - 1 - rest] === after[after.length - 1 - rest]) rest++;
  const oldEnd = before.length - rest;
  const newEnd = after.length - rest;
  const copy = parsed.copy();
  copy.edit({
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition: pointAt(before, start),
    oldEndPosition: pointAt(before, oldEnd),
    newEndPosition: pointAt(after, newEnd),
  } as Parameters<SyntaxTree['edit']>[0]);
  return copy;
}

function pointAt(text: string, index: number): { readonly row: number; readonly column: number } {
  let row = 0;
  let line = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < index; end = text.indexOf('\n', line)) {
    row++;
    line = end + 1;
  }
  return { row, column: index - line };
}

/** Same length, so that positions in the tree are positions in the text. */
const blanked = (text: string, dialect: RegExp | undefined): string =>
  dialect === undefined ? text : text.replace(dialect, found => found.replace(/\S/g, ' '));

type Embedded = ReadonlyMap<string, Grammar>;

async function embeddedIn(language: LanguageProfile, text: string): Promise<Embedded> {
  const wanted = new Set(language.embedded?.(text));
  const embedded = new Map<string, Grammar>();
  for (const name of wanted) {
    const inner = languageNamed(name);
    const grammar = inner === undefined ? undefined : await grammarOf(inner);
    if (grammar !== undefined) embedded.set(name, grammar);
  }
  return embedded;
}

/** Looks at every node of the host for text in another language, and inserts that language's own tree there. */
function embedding(builder: FlatTreeBuilder, host: Grammar, embedded: Embedded) {
  const { language } = host;
  const rules = host.kinds.map(kind => (Object.hasOwn(language.embeds, kind) ? language.embeds[kind] : undefined));
  return (node: number, kind: number): boolean => {
    const rule = rules[kind];
    if (rule === undefined) return false;
    const start = builder.startOf(node);
    const end = builder.endOf(node);
    const name = rule(builder, node);
    if (name === undefined || end - start < 2) return false;
    if (name === 'brackets') {
      if (end - start < 12) return false;
      copyBrackets(builder, { ...language, comments: [] }, { start, end, parent: node, bare: true });
      return true;
    }
    const inner = embedded.get(name);
    const parsed = inner === undefined ? undefined : parse(inner, builder.text.slice(start, end));
    if (inner === undefined || parsed === undefined) return false;
    try {
      copyTree(builder, parsed, inner, { offset: start, parent: node });
    } finally {
      parsed.delete();
    }
    return true;
  };
}
