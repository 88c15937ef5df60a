/** The profile of PHP. */
import { code, profile } from './generic.js';
import { phpValues } from './php-values.js';

export const php = profile({
  name: 'php',
  wasm: 'php',
  observation: phpValues,
  synonyms: [
    [String.raw`array\(\)`, '[]'],
    ['true', '1'],
  ],
  extensions: ['php', 'phtml'],
  ...code,
  declare: (_, name, value) => `${name}=${value};`,
});
