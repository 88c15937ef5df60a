/** The public part of `engine`. */
export { orStopped, pauseIfDue, stopped } from '../core/pause.js';
export * from './counter.js';
export * from './events.js';
export * from './explore.js';
export * from './flight.js';
export * from './forecast.js';
export * from './join-tests.js';
export * from './lanes.js';
export * from './memory.js';
export * from './pool.js';
