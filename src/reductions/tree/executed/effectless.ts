/** Removes what a program computes for nobody. */
import type { Syntax } from '../../../syntax/syntax.js';
import type { TextPass } from '../pass.js';

/** Decided branches, statements without an effect, and variables that nothing reads, with what is stored in them. */
export const effectless = (syntax: Syntax): TextPass => ({
  name: 'code without effect',
  async edits(text) {
    const { withoutEffect } = syntax.language;
    return withoutEffect === undefined ? [] : withoutEffect(await syntax.tree(text));
  },
});
