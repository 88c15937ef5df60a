export { isTransplantable, stateDifferences, type Transplant } from './circumstance.js';
export { type Compared, compareStates, type Difference } from './differences.js';
export type { Change, Frame, Node, Path, Root, State, Value } from './graph.js';
