export * from './body.js';
export * from './exchanges.js';
export * from './fields.js';
export * from './har.js';
export {
  type Answered,
  judge,
  type NameCrash,
  type Seen,
  signatureOf,
  type TrafficFailure,
  withoutNumbers,
} from './judge.js';
export { type Ended, type Running, type Start, startProcess } from './process.js';
export * from './serve.js';
export * from './show.js';
export * from './traffic.js';
export { ranOutOfTime } from './words.js';
