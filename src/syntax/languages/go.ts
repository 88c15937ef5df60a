/** The profile of Go. */
import { beforeByLine, code, profile } from './generic.js';
import { unusedInGo } from './go-unused.js';
import { ifItReturns } from './idle-bodies.js';

export const go = profile({
  name: 'go',
  wasm: 'go',
  extensions: ['go'],
  aliases: ['golang'],
  layout: true,
  ...code,
  idleBody: ifItReturns('result', '{panic(0)}'),
  statementEnd: '\n',
  synonyms: [[String.raw`interface\s*\{\s*\}`, 'any']],
  declare: (_, name, value) => `${name}:=${value}\n`,
  before: beforeByLine,
  refusedIfUnused: unusedInGo,
});
