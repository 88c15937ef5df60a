/** The profile of Kotlin. */
import { beforeByLine, code, profile } from './generic.js';

export const kotlin = profile({
  name: 'kotlin',
  wasm: 'kotlin',
  extensions: ['kt', 'kts'],
  aliases: ['kt'],
  layout: true,
  ...code,
  before: beforeByLine,
});
