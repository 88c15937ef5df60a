/** The public part of `coverage`. */

export { type Coverage, sawNothing } from './coverage.js';
export { gcovEnvironment, readGcovCoverage, resetGcov } from './gcov.js';
export { watchReads } from './reads.js';
export {
  type Judged,
  type JudgedPart,
  suspectChanges as dubious,
  suspectPackages as dubiousPackages,
} from './suspects.js';
export { type Compared, type Named, suspicion } from './suspicion.js';
export { readV8Coverage, v8Environment } from './v8.js';
