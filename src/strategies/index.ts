export * from './add.js';
export * from './dd.js';
export * from './ddlin.js';
export * from './ddmin.js';
export * from './hdd.js';
export * from './hitting-set.js';
export * from './marco.js';
export * from './sweep.js';
