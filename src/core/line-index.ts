/** Which line of a text an offset is in. */

export interface LineIndex {
  /** Where each line begins. */
  readonly starts: readonly number[];
  /** The line of an offset, from 0. */
  lineAt(offset: number): number;
}

export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    starts,
    lineAt(offset) {
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle]! <= offset) low = middle;
        else high = middle;
      }
      return low;
    },
  };
}
