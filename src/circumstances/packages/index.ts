export { type Lockfile, parseLockfile, readLockfile } from './lockfile.js';
export { type Packages, type Project, upgradesOf } from './packages.js';
export { openProject } from './project.js';
export { type Step, type Upgrade, upgradesBetween } from './upgrades.js';
