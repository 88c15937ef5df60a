/** `culprit/fast-check`: makes the strings of a counterexample smaller by their structure, after fast-check's own shrinking. */
import type { Verdict } from '../core/index.js';
import { Counter } from '../engine/index.js';
import { textPasses } from '../plans/reduce/text-passes.js';
import { simplify } from '../plans/simplify.js';

/** What is used of a property of fast-check 3 and 4. */
export interface Property<Values extends readonly unknown[]> {
  // biome-ignore lint/suspicious/noExplicitAny: fast-check's own types change from version to version.
  run(values: Values, ...more: any[]): unknown;
}

/** What is used of the result of `fc.check`. */
export interface Details<Values extends readonly unknown[]> {
  readonly failed: boolean;
  readonly counterexample: Values | null;
  readonly seed?: number;
}

export interface CounterexampleOptions {
  /** What the strings are written in, as the ending of a file: `json`, `html`, `js`, `py` … (default: plain text). */
  readonly language?: string;
  readonly maxTests?: number;
  readonly signal?: AbortSignal;
}

export interface ReducedCounterexample<Values extends readonly unknown[]> {
  readonly counterexample: Values;
  /** How often the property was run. */
  readonly tests: number;
  /** The error on the reduced values. */
  readonly error: unknown;
}

/**
 * The counterexample of a failed `fc.check`, with its strings reduced. The property must fail with the same kind of error; a
 * precondition that does not hold (`fc.pre`) is unresolved.
 * docs/ci.md has an example.
 */
export async function reduceCounterexample<Values extends readonly unknown[]>(
  property: Property<Values>,
  { counterexample }: Details<Values>,
  { language = 'txt', maxTests, signal }: CounterexampleOptions = {},
): Promise<ReducedCounterexample<Values>> {
  if (!counterexample) throw new TypeError('There is no counterexample: the property did not fail.');
  const counter = new Counter();
  const first = errorOf(await property.run(counterexample));
  if (!first)
    throw new TypeError('The property does not fail on its counterexample: it depends on more than its values.');
  let values = counterexample;
  for (const [i, value] of counterexample.entries()) {
    if (typeof value !== 'string' || value === '') continue;
    const withText = (text: string) => values.map((each, j) => (i === j ? text : each)) as unknown as Values;
    const test = async (text: string): Promise<Verdict> => {
      const result = await property.run(withText(text));
      const found = errorOf(result);
      if (!found) return { outcome: result === null || result === undefined ? 'pass' : 'unresolved' };
      return { outcome: kindOf(found.error) === kindOf(first.error) ? 'fail' : 'unresolved' };
    };
    const passes = await textPasses(`value.${language}`, Buffer.from(value), {});
    const run = simplify(value, passes, test, {
      counter,
      identify: text => text,
      measure: text => text.length,
      ...(maxTests === undefined ? {} : { maxTests }),
      ...(signal ? { signal } : {}),
    });
    let step = await run.next();
    while (!step.done) step = await run.next();
    values = withText(step.value.artifact);
  }
  return {
    counterexample: values,
    tests: counter.counts.executed,
    error: errorOf(await property.run(values))?.error ?? first.error,
  };
}

/** `run` gives nothing if the property holds, and `{ error }` if it does not; anything else is a precondition. */
function errorOf(result: unknown): { readonly error: unknown } | undefined {
  return typeof result === 'object' && result !== null && 'error' in result ? { error: result.error } : undefined;
}

/** The kind of an error: its name and the first words of its message, without the values in it. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const [line = ''] = error.message.split('\n');
  const words = line.replace(/(["'`]).*?\1|\d+/g, '…').slice(0, 60);
  return `${error.name}: ${words}`;
}
