/** The profile of Java. */
import { code, profile } from './generic.js';

export const java = profile({
  name: 'java',
  wasm: 'java',
  extensions: ['java'],
  ...code,
  synonyms: [['boolean|Integer|Boolean|double|String|Object', 'int']],
});
