/** The public part of `core`. */
export * from './circumstance.js';
export * from './configuration.js';
export * from './lookahead.js';
export * from './outcome.js';
export * from './partition.js';
export * from './strategy.js';
export * from './transcript.js';
export * from './tree.js';
export * from './user-error.js';
