export { commitsOf } from './blame.js';
export { type Change, type Changes, type ChangesOptions, changesBetween } from './changes.js';
export { diffSnapshots, type FileChange } from './diff.js';
export { type Commit, openRepository, type Repository } from './git.js';
export { describePart, type Granularity, type Part } from './parts.js';
export { patchBetween } from './patch.js';
export { folderSnapshot, type Snapshot } from './snapshot.js';
export { treeOf } from './tree.js';
export { requireDifference, resolveVersion, resolveVersions, splitVersions, type Version } from './versions.js';
