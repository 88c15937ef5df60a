/** culprit as a library: `import { simplify, isolate, ddmin } from 'culprit'`. */

export { between, elements } from './circumstances/sequence.js';
export { characters, lines, pieces, tokens } from './circumstances/text.js';
export * from './core/index.js';
export {
  Counter,
  type Counts,
  type Ended,
  type Event,
  type Exploration,
  type ExploreOptions,
  explore,
  type Memory,
  memoryOf,
  type Size,
} from './engine/index.js';
export { type CausesOptions, causes, type FoundCauses } from './library/causes.js';
export { type CommandTest, type CommandTestOptions, commandTest } from './library/command.js';
export { type Isolated, isolate } from './library/isolate.js';
export { Search } from './library/search.js';
export { type LibraryOptions, type Simplification, type SimplifyTextOptions, simplify } from './library/simplify.js';
export type { UserTest } from './library/verdicts.js';
export { type Edit, editing, type Span } from './reductions/edits.js';
export * from './strategies/index.js';
