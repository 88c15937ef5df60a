export * from './artifact.js';
export * from './candidates.js';
export * from './groups.js';
export * from './knowledge.js';
export * from './options.js';
export * from './prevent.js';
export * from './response.js';
export * from './words.js';
