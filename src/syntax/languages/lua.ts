/** The profile of Lua. */
import { beforeByLine, profile, withoutBrackets } from './generic.js';

export const lua = profile({
  name: 'lua',
  wasm: 'lua',
  extensions: ['lua'],
  names: true,
  comments: ['--'],
  constants: withoutBrackets,
  statementEnd: '\n',
  declare: (_, name, value) => `local ${name}=${value}\n`,
  before: beforeByLine,
});
