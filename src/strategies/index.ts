export * from './add.js';
export * from './dd.js';
export * from './ddlin.js';
export * from './ddmin.js';
export * from './descend.js';
export * from './hdd.js';
export * from './sweep.js';
