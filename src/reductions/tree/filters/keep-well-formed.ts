/** A filter for passes: no edit adds a syntax error. */

import type { Syntax } from '../../../syntax/syntax.js';
import { withoutNewErrors } from '../../../syntax/well-formed.js';
import type { TextPass } from '../pass.js';

/** How many times larger the files of a folder may be together. */
const manyFiles = 8;

/**
 * The pass without the edits that would add a syntax error. The parse tables see one token ahead; a parse sees all, and
 * while a text is small it costs a hundredth of a test. In a large folder, that is a minute for the edits of all files, and a
 * search asks for few of them. Deletions that break the syntax are left to the lexical passes.
 */
export function keepWellFormed(syntax: Syntax, pass: TextPass, largest = 8_000, most = 2_000): TextPass {
  return {
    name: pass.name,
    async edits(text, whole = text.length) {
      const edits = await pass.edits(text, whole);
      const { grammar } = syntax;
      const isLarge = text.length > largest || edits.length > most || whole > largest * manyFiles;
      if (grammar === undefined || isLarge || syntax.language.markup) return edits;
      return withoutNewErrors(grammar, text, edits);
    },
  };
}
