import type { Edit } from '../../core/edits.js';
import { apply } from './extents.js';
import type { Grammar } from './grammars.js';
import type { TextPass } from './pass.js';
import { parse, readableFor, type Syntax, type SyntaxTree } from './syntax.js';

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
      return withoutNewErrors(grammar, text, edits);
    },
  };
}

/** One tree of the text serves all edits: what an edit does not touch is not parsed again. */
function withoutNewErrors(grammar: Grammar, text: string, edits: readonly Edit[]): readonly Edit[] {
  const tree = parse(grammar, text);
  if (tree === undefined) return edits;
  const own = countErrors(tree.rootNode);
  const like = { text: readableFor(grammar, text), tree };
  const sound = edits.filter(edit => {
    const after = parse(grammar, apply(text, edit), like);
    const errors = after === undefined ? 0 : countErrors(after.rootNode);
    after?.delete();
    return errors <= own;
  });
  tree.delete();
  return sound;
}

/** How many errors a grammar finds in a text; none where it can't read it at all. */
export function syntaxErrors(grammar: Grammar, text: string): number {
  const tree = parse(grammar, text);
  if (tree === undefined) return 0;
  const found = countErrors(tree.rootNode);
  tree.delete();
  return found;
}

/** Only what has an error in it is looked at. A token that is missing in a hidden node has no node of its own, and counts too. */
function countErrors(node: SyntaxTree['rootNode']): number {
  if (!node.hasError) return 0;
  const own = node.isError || node.isMissing ? 1 : 0;
  return Math.max(
    1,
    node.children.reduce((sum, child) => sum + countErrors(child), own),
  );
}
