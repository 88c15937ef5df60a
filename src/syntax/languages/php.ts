/** The profile of PHP. */
import { code, profile } from './generic.js';
import { phpForms } from './php-forms.js';
import { phpValues } from './php-values.js';
import { scriptProbing } from './script-probes.js';

export const php = profile({
  name: 'php',
  wasm: 'php',
  observation: phpValues,
  probing: scriptProbing(/^compound_statement$/, /^\{/),
  shorterForm: phpForms,
  assignInPlace: (name, value) => `${name}=${value}`,
  synonyms: [
    [String.raw`array\(\)`, '[]'],
    ['true', '1'],
  ],
  extensions: ['php', 'phtml'],
  ...code,
  declare: (_, name, value) => `${name}=${value};`,
});
