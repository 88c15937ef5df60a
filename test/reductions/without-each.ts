import { all, type Circumstance, minus, of } from '../../src/core/index.js';

/** The artifact without each single delta, in their order. */
export const withoutEach = <T>(circumstance: Circumstance<T> | undefined): readonly (T | undefined)[] =>
  Array.from({ length: circumstance?.count ?? 0 }, (_, delta) =>
    circumstance!.build(minus(all(circumstance!.count), of([delta]))),
  );
