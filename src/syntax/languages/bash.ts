/** Bash and other shells. */
import { beforeByLine, hash, profile, withoutBrackets } from './generic.js';

export const bash = profile({
  name: 'bash',
  wasm: 'bash',
  synonyms: [[String.raw`function +(\w+)(?: *\(\))?`, '$1()']],
  extensions: ['sh', 'bash', 'zsh', 'ksh'],
  aliases: ['sh', 'shell', 'zsh'],
  layout: true,
  ...hash,
  constants: withoutBrackets,
  before: beforeByLine,
});
