/** The public part of `coverage`. */

export { type Coverage, isBlank } from './coverage.js';
export { gcovEnvironment, readGcovCoverage, resetGcov } from './gcov.js';
export { watchReads } from './reads.js';
export {
  type Judged,
  type JudgedPart,
  suspectChanges,
  suspectPackages,
} from './suspects.js';
export { type Compared, type Named, suspicion } from './suspicion.js';
export { type Idle, mayBeExecuted, type Unexecuted, watchUnexecuted } from './unexecuted.js';
export { readV8Coverage, v8Environment } from './v8.js';
