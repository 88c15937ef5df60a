/** Which change needs which. */

/** The first can't be applied without the second. */
export type Arrow = readonly [from: number, to: number];

/** None of them can be applied without the others. */
export const tied = (first: number, others: readonly number[]): readonly Arrow[] =>
  others.flatMap((other): Arrow[] => [
    [first, other],
    [other, first],
  ]);
