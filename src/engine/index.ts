/** The public part of `engine`. */
export * from './counter.js';
export * from './events.js';
export * from './explore.js';
export * from './forecast.js';
export * from './memory.js';
export * from './pause.js';
export * from './pool.js';
