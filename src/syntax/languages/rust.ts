/** The profile of Rust. */
import { code, profile, withConstants } from './generic.js';
import { ifItReturns } from './idle-bodies.js';

export const rust = profile({
  name: 'rust',
  wasm: 'rust',
  synonyms: [['[iu](?:16|32|64|128|size)', 'u8']],
  extensions: ['rs'],
  aliases: ['rs'],
  ...code,
  constants: withConstants([[/^primitive_type$/, 'u8']]),
  lastIsValue: true,
  idleBody: ifItReturns('return_type', '{todo!()}'),
  declare: (_, name, value) => `let mut ${name}=${value};`,
});
