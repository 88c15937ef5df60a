/** The profile of Swift. */
import { beforeByLine, code, profile } from './generic.js';

export const swift = profile({
  name: 'swift',
  wasm: 'swift',
  extensions: ['swift'],
  layout: true,
  ...code,
  before: beforeByLine,
});
