/** Compares the JSON of two runs that must have come to the same. */

/**
 * Reads a line of `--json` and leaves out what no two runs share: the time that it took and the tests that were abandoned.
 * `fields` names what else may differ, such as folders of their own.
 */
export const stableWithout =
  (...fields: readonly string[]) =>
  (line: string): Readonly<Record<string, unknown>> => {
    const left = ['seconds', 'speculative', ...fields];
    return Object.fromEntries(Object.entries(JSON.parse(line)).filter(([name]) => !left.includes(name)));
  };
