/** How many syntax errors a grammar finds in a text, and which edits would add some. */
import { pauseIfDue } from '../core/pause.js';
import type { Edit } from './edit.js';
import type { Grammar } from './grammars.js';
import { parse, readableFor, type SyntaxTree } from './syntax.js';
import { apply } from './text-cut.js';

/** One tree of the text serves all edits: what an edit does not touch is not parsed again. */
export async function withoutNewErrors(
  grammar: Grammar,
  text: string,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const parsed = parse(grammar, text);
  if (parsed === undefined) return edits;
  const own = countErrors(parsed.rootNode);
  const like = { text: readableFor(grammar, text), tree: parsed };
  const sound: Edit[] = [];
  for (const edit of edits) {
    const after = parse(grammar, apply(text, edit), like);
    const errors = after === undefined ? 0 : countErrors(after.rootNode);
    after?.delete();
    if (errors <= own) sound.push(edit);
    // Thousands of small parses are a long time without a signal.
    await pauseIfDue();
  }
  parsed.delete();
  return sound;
}

/** How many errors a grammar finds in a text; 0 if it can't read it at all. */
export function syntaxErrors(grammar: Grammar, text: string): number {
  const parsed = parse(grammar, text);
  if (parsed === undefined) return 0;
  const found = countErrors(parsed.rootNode);
  parsed.delete();
  return found;
}

/** Only nodes with errors are visited. A token that is missing in a hidden node has no separate node, and counts too. */
function countErrors(node: SyntaxTree['rootNode']): number {
  if (!node.hasError) return 0;
  const own = node.isError || node.isMissing ? 1 : 0;
  return Math.max(
    1,
    node.children.reduce((sum, child) => sum + countErrors(child), own),
  );
}
