import { apply } from './extents.js';
import type { Grammar } from './grammars.js';
import type { TextPass } from './pass.js';
import { parse, type Syntax } from './syntax.js';

/**
 * The pass without the edits that would add a syntax error. The parse tables see one token ahead; a parse sees all, and
 * while a text is small it costs a hundredth of a test. Deletions that break the syntax are left to the lexical passes.
 */
export function wellFormed(syntax: Syntax, pass: TextPass, largest = 8_000, most = 2_000): TextPass {
  return {
    name: pass.name,
    async edits(text) {
      const edits = await pass.edits(text);
      const { grammar } = syntax;
      if (grammar === undefined || text.length > largest || edits.length > most || syntax.language.markup) return edits;
      const own = syntaxErrors(grammar, text);
      return edits.filter(edit => syntaxErrors(grammar, apply(text, edit)) <= own);
    },
  };
}

/** How many errors a grammar finds in a text; none where it can't read it at all. */
export function syntaxErrors(grammar: Grammar, text: string): number {
  const tree = parse(grammar, text);
  if (tree === undefined) return 0;
  const found = tree.rootNode.hasError ? countErrors(tree.rootNode.toString()) : 0;
  tree.delete();
  return found;
}

const countErrors = (tree: string): number => tree.match(/\((?:ERROR|MISSING|UNEXPECTED)/g)?.length ?? 1;
