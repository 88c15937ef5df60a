/** The public part of `coverage`. */

export { type Exactness, hasCompiler, isCompiled } from './compilers.js';
export { type Coverage, type CoverageName, isBlank } from './coverage.js';
export { gcovEnvironment, readGcovCoverage, resetGcov } from './gcov.js';
export { onlyInOne, tellingWords } from './printed-words.js';
export { isCompiledSource, watchReached } from './reached.js';
export { watchReads } from './reads.js';
export { runtimes, runtimesFor } from './runtimes/index.js';
export { isPage, scriptsIn } from './runtimes/loaded-texts.js';
export type { Idle, Unexecuted } from './runtimes/runtime.js';
export { notRunBy, type ScriptsRun, watchScripts } from './scripts.js';
export {
  type Judged,
  type JudgedPart,
  suspectChanges,
  suspectPackages,
} from './suspects.js';
export { type Compared, type Named, suspicion } from './suspicion.js';
export { mayBeExecuted, mayBeLoaded, mayHoldCode, watchUnexecuted } from './unexecuted.js';
export { readV8Coverage, v8Environment } from './v8.js';
export {
  type Printed,
  type ReportedCalls,
  type ReportedValues,
  watchCalls,
  watchPrinted,
  watchValues,
} from './values/index.js';
export { type Watchers, watchLines } from './watch.js';
