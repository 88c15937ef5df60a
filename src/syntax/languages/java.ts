/** The profile of Java. */
import { code, profile } from './generic.js';
import { ifItReturns } from './idle-bodies.js';

export const java = profile({
  name: 'java',
  wasm: 'java',
  extensions: ['java'],
  ...code,
  idleBody: ifItReturns('type', '{throw null;}'),
  synonyms: [['boolean|Integer|Boolean|double|String|Object', 'int']],
});
