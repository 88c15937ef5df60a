/** The profile of Rust. */
import { code, profile, withConstants } from './generic.js';

export const rust = profile({
  name: 'rust',
  wasm: 'rust',
  synonyms: [['[iu](?:16|32|64|128|size)', 'u8']],
  extensions: ['rs'],
  aliases: ['rs'],
  ...code,
  constants: withConstants([[/^primitive_type$/, 'u8']]),
  lastIsValue: true,
  declare: (_, name, value) => `let mut ${name}=${value};`,
});
