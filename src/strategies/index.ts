/** The public part of `strategies`. */
export * from './add.js';
export * from './all-first.js';
export * from './dd.js';
export * from './ddlin.js';
export * from './ddmin.js';
export * from './descend.js';
export * from './each.js';
export * from './exchange.js';
export * from './first.js';
export * from './guess.js';
export * from './hdd.js';
export * from './hitting-set.js';
export { independent, type Needs } from './knot.js';
export * from './marco.js';
export * from './shortest.js';
export * from './sweep.js';
