/** A filter for passes: no edit adds a syntax error. */

import type { Syntax } from '../../syntax/syntax.js';
import { withoutNewErrors } from '../../syntax/well-formed.js';
import type { TextPass } from './pass.js';

/**
 * The pass without the edits that would add a syntax error. The parse tables see one token ahead; a parse sees all, and
 * while a text is small it costs a hundredth of a test. Deletions that break the syntax are left to the lexical passes.
 */
export function keepWellFormed(syntax: Syntax, pass: TextPass, largest = 8_000, most = 2_000): TextPass {
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
