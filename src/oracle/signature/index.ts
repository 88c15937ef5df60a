/** The public part of `oracle/signature`. */
export { nativeBacktrace } from './backtrace.js';
export { endOf, signalNamed, signalOf } from './end.js';
export { readSignature, type Signature, type SignatureContext, withBacktrace } from './read.js';
