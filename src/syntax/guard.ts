/** Checks a whole candidate before a test is spent on it. */

import { broken, type FlatTree, grammarAt } from './flat-tree.js';
import { keptRanges } from './keep.js';
import { languageFor } from './languages/index.js';
import { shortcut } from './languages/profile.js';
import { freeByName } from './names/bindings.js';
import { pointedIn } from './names/ids-and-references.js';
import { names } from './names/names.js';
import type { StructureOptions } from './options.js';
import { hostTree, type Syntax, syntaxOf, treeReader } from './syntax.js';
import { syntaxErrors } from './well-formed.js';

/**
 * Whether a candidate keeps what the user asked to keep. A removed file counts as the empty text. Names that another file of
 * the folder declares globally count as declared.
 */
export type Guard = (candidate: string, isElsewhere?: (name: string) => boolean) => boolean;

/**
 * Each edit alone keeps the promises; several together, and the passes that know only characters, may still break them. So
 * every candidate is checked as a whole before a test is spent on it. It contains what is marked, in order. Without
 * renaming, it has no new names. At the semantic level, it has no new syntax error, no name that lost its declaration, and
 * no link that lost its target. Undefined if nothing was promised.
 */
export async function guardOf(path: string, text: string, options: StructureOptions): Promise<Guard | undefined> {
  const marked = options.keep !== undefined || text.includes('culprit-keep');
  if (!marked && options.level !== 'semantic' && options.rename !== false) return undefined;
  const syntax = await syntaxOf(languageFor(path, options.language), options.grammar);
  const guards = [
    marked ? keepingText(await syntax.tree(text), options.keep) : undefined,
    options.rename === false ? keepingNames(syntax, text) : undefined,
    options.level === 'semantic' ? await keepingReferences(syntax, text) : undefined,
    options.level === 'semantic' ? await keepingPointers(syntax, text) : undefined,
  ].filter(guard => guard !== undefined);
  return guards.length === 0
    ? undefined
    : (candidate, isElsewhere) => guards.every(guard => guard(candidate, isElsewhere));
}

function keepingText(tree: FlatTree, keep: RegExp | undefined): Guard | undefined {
  const pieces: string[] = [];
  let position = 0;
  // Marks may be nested: a part that is not covered yet is one more piece.
  for (const { start, end } of keptRanges(tree, keep).sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= position) continue;
    pieces.push(tree.text.slice(Math.max(start, position), end));
    position = end;
  }
  if (pieces.length === 0) return undefined;
  return candidate => {
    let from = 0;
    for (const piece of pieces) {
      const at = candidate.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return true;
  };
}

function keepingNames(syntax: Syntax, text: string): Guard | undefined {
  const own = syntax.language.names === true ? hostTree(text, syntax) : undefined;
  if (own === undefined) return undefined;
  const known = new Set(names(own).map(name => name.text));
  const { builtIn } = syntax.language.tokens;
  return candidate => {
    const tree = hostTree(candidate, syntax);
    return tree === undefined || names(tree).every(({ text: one }) => known.has(one) || builtIn.has(one));
  };
}

async function keepingReferences(syntax: Syntax, text: string): Promise<Guard | undefined> {
  const own = syntax.language.names === true ? hostTree(text, syntax) : undefined;
  if (own === undefined) return undefined;
  const { compiler } = syntax.language;
  return compiler === undefined ? keepingShown(syntax, own) : keepingResolved(syntax, own, compiler);
}

/** References as the tree shows them. */
function keepingShown(syntax: Syntax, own: FlatTree): Guard {
  const errors = errorsIn(own);
  const known = freeByName(own);
  return (candidate, isElsewhere) => {
    const tree = hostTree(candidate, syntax);
    if (tree === undefined) return true;
    if (errorsIn(tree) > errors) return false;
    return [...freeByName(tree)].every(name => known.has(name) || isProvided(syntax, name, isElsewhere));
  };
}

/** References as the language's own compiler resolves them: only the errors of a candidate are counted by the grammar. */
async function keepingResolved(syntax: Syntax, own: FlatTree, compiler: string): Promise<Guard> {
  const free = await (await import('./names/typescript.js')).freeNamesReader(compiler);
  const errors = syntaxErrors(syntax.grammar!, own.text);
  const known = free(own.text);
  return (candidate, isElsewhere) => {
    if (syntaxErrors(syntax.grammar!, candidate) > errors) return false;
    try {
      return [...free(candidate, name => !known.has(name))].every(name => isProvided(syntax, name, isElsewhere));
    } catch {
      // The compiler itself may crash on the input: that can be the very failure to reproduce.
      return true;
    }
  };
}

/** If every file is a module, only its own imports bring in what others declare. */
const isProvided = (
  { language }: Syntax,
  name: string,
  isElsewhere: ((name: string) => boolean) | undefined,
): boolean => language.modules === undefined && isElsewhere?.(name) === true;

async function keepingPointers(syntax: Syntax, text: string): Promise<Guard | undefined> {
  const { language } = syntax;
  if (language.pointers === undefined) return undefined;
  // Code in a Markdown fence is quoted, and may be wrong; a script in a page is a part of it.
  const read = language.markup ? await treeReader(syntax, text) : (one: string) => hostTree(one, syntax);
  const own = read(text);
  if (own === undefined) return undefined;
  const errors = errorsByHost(own);
  const { targets, pointers } = pointedIn(language, own);
  const known = new Set(targets.map(({ name }) => name));
  const dangling = new Set(pointers.filter(({ name }) => !known.has(name)).map(({ name }) => name));
  // An attribute that points nowhere in the whole original does not contain ids here.
  const pointing = new Set(pointers.filter(({ name }) => known.has(name)).map(({ by }) => by));
  return candidate => {
    const tree = read(candidate);
    if (tree === undefined) return true;
    const [inHost, inEmbedded] = errorsByHost(tree);
    if (inHost > errors[0] || inEmbedded > errors[1]) return false;
    const now = pointedIn(language, tree);
    const there = new Set(now.targets.map(({ name }) => name));
    return now.pointers.every(
      ({ name, by }) =>
        there.has(name) || dangling.has(name) || (by === shortcut ? !known.has(name) : !pointing.has(by)),
    );
  };
}

function errorsIn(tree: FlatTree): number {
  let count = 0;
  for (let node = 0; node < tree.count; node++) if ((tree.flags[node]! & broken) !== 0) count++;
  return count;
}

/** Separate, because an embedded style with syntax errors must not allow dropping a closing tag. */
function errorsByHost(tree: FlatTree): readonly [host: number, embedded: number] {
  const hidden = grammarAt(tree, 0).language.hiddenErrors?.(tree) ?? 0;
  let host = hidden;
  for (let node = 0; node < tree.count; node++)
    if ((tree.flags[node]! & broken) !== 0 && tree.grammar[node] === 0) host++;
  return [host, errorsIn(tree) + hidden - host];
}
