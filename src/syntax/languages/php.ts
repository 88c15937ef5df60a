/** The profile of PHP. */
import { code, profile } from './generic.js';

export const php = profile({
  name: 'php',
  wasm: 'php',
  synonyms: [
    [String.raw`array\(\)`, '[]'],
    ['true', '1'],
  ],
  extensions: ['php', 'phtml'],
  ...code,
  declare: (_, name, value) => `${name}=${value};`,
});
