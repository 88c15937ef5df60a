import { freeByName } from './bindings.js';
import type { StructureOptions } from './index.js';
import { keptRanges } from './keep.js';
import { languageFor } from './languages.js';
import { names } from './names.js';
import { broken, type Outline } from './outline.js';
import { builtIn, isScript } from './semantic.js';
import { hostOutline, type Syntax, syntaxOf } from './syntax.js';

/** Whether a candidate keeps what the user asked to keep. A file that is gone is asked about as the empty text. */
export type Guard = (candidate: string) => boolean;

/**
 * Edits are chosen so that each of them alone keeps the promises; several together, and the passes that know only letters,
 * may still break them. So every candidate is looked at as a whole before a test is spent on it: what is marked stands in
 * it, in order; without renaming it has no new names; at the semantic level it has no new syntax error and no name without
 * a declaration that had one. Undefined where nothing was promised.
 */
export async function guardOf(path: string, text: string, options: StructureOptions): Promise<Guard | undefined> {
  const marked = options.keep !== undefined || text.includes('culprit-keep');
  if (!marked && options.level !== 'semantic' && options.rename !== false) return undefined;
  const syntax = await syntaxOf(languageFor(path, options.language), options.grammar);
  const guards = [
    marked ? keepingText(await syntax.outline(text), options.keep) : undefined,
    options.rename === false ? keepingNames(syntax, text) : undefined,
    options.level === 'semantic' ? await keepingReferences(syntax, text) : undefined,
  ].filter(guard => guard !== undefined);
  return guards.length === 0 ? undefined : candidate => guards.every(guard => guard(candidate));
}

function keepingText(outline: Outline, keep: RegExp | undefined): Guard | undefined {
  const pieces: string[] = [];
  let position = 0;
  // Marks may lie in each other: what is not covered yet is one more piece.
  for (const { start, end } of keptRanges(outline, keep).sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= position) continue;
    pieces.push(outline.text.slice(Math.max(start, position), end));
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
  const own = syntax.language.names === true ? hostOutline(text, syntax) : undefined;
  if (own === undefined) return undefined;
  const known = new Set(names(own).map(name => name.text));
  return candidate => {
    const outline = hostOutline(candidate, syntax);
    return outline === undefined || names(outline).every(({ text: one }) => known.has(one) || builtIn.has(one));
  };
}

async function keepingReferences(syntax: Syntax, text: string): Promise<Guard | undefined> {
  const { name } = syntax.language;
  const own = syntax.language.names === true ? hostOutline(text, syntax) : undefined;
  if (own === undefined) return undefined;
  const free = isScript(syntax)
    ? await (await import('./typescript.js')).freeNamesReader(name)
    : (_: string, outline: Outline) => freeByName(outline);
  const errors = errorsIn(own);
  const known = free(text, own);
  return candidate => {
    const outline = hostOutline(candidate, syntax);
    if (outline === undefined) return true;
    if (errorsIn(outline) > errors) return false;
    try {
      return [...free(candidate, outline)].every(one => known.has(one));
    } catch {
      // The compiler itself may fall over the input: that can be the very failure that is chased.
      return true;
    }
  };
}

function errorsIn(outline: Outline): number {
  let count = 0;
  for (let node = 0; node < outline.count; node++) if ((outline.flags[node]! & broken) !== 0) count++;
  return count;
}
