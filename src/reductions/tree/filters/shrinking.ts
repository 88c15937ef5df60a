/** Only edits that make the text shorter. */
import { gainOf } from '../../../syntax/edit.js';
import type { TextPass } from '../pass.js';

/**
 * A sign that is replaced by a blank, so that its neighbours do not merge, is a different text of the same length. It gains
 * nothing, and everything that was refused before would have to be tested again in it.
 */
export const shrinking = (pass: TextPass): TextPass => ({
  ...pass,
  edits: async (text, whole) => (await pass.edits(text, whole)).filter(edit => gainOf(edit) > 0),
});
