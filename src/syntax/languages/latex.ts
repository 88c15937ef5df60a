/** The profile of LaTeX. */
import { profile } from './generic.js';

export const latex = profile({
  name: 'latex',
  wasm: 'latex',
  extensions: ['tex', 'sty', 'cls'],
  aliases: ['tex'],
  layout: true,
});
