/** The profile of Rust. */
import { code, profile, withConstants } from './generic.js';

export const rust = profile({
  name: 'rust',
  wasm: 'rust',
  extensions: ['rs'],
  aliases: ['rs'],
  ...code,
  constants: withConstants([[/^primitive_type$/, 'u8']]),
  lastIsValue: true,
  declare: (_, name, value) => `let mut ${name}=${value};`,
});
