/** The public part of `oracle/signature`. */
export { nativeBacktrace } from './backtrace.js';
export { endOf, signalNamed, signalOf } from './end.js';
export { type Failure, readFailure, withStack } from './failure.js';
export { readOutput } from './output.js';
export { type NamedPlace, placesIn } from './places.js';
export { readSignature, type Signature, type SignatureContext, withBacktrace } from './read.js';
