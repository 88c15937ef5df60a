export * from './environment.js';
export * from './format.js';
export * from './identity.js';
export * from './parse.js';
export * from './secrets.js';
export * from './start.js';
export * from './values.js';
