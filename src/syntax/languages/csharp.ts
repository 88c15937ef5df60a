/** The profile of C#. */
import { code, profile } from './generic.js';

export const csharp = profile({
  name: 'csharp',
  wasm: 'c_sharp',
  synonyms: [['bool|string|object|double|decimal', 'int']],
  extensions: ['cs'],
  aliases: ['c#', 'c_sharp', 'cs'],
  ...code,
});
