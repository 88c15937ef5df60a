/** An invented test for `culprit explain`, described as in the papers. */
import { type Configuration, has, isClosed, isEmpty, type Outcome, type Parents, UserError } from '../../core/index.js';

/** An invented test, in the terms of the papers. Deltas are numbered as in the paper in question. */
export interface Model {
  readonly labels: readonly string[];
  /** The failure occurs if all of these are present. */
  readonly fails: readonly string[];
  /** It also occurs if all of one of these sets are present: several causes. */
  readonly or?: readonly (readonly string[])[];
  /** The outcome if only some of them are present: unresolved in the paper's second table, pass in most others. */
  readonly partly?: 'pass' | 'unresolved';
  /** `[a, b]`: a without b is unresolved. */
  readonly needs?: readonly (readonly [string, string])[];
  /** All or none of each group, else unresolved. */
  readonly together?: readonly (readonly string[])[];
  /** Without all of these, anything but the empty configuration is unresolved. */
  readonly required?: readonly string[];
  /** Leaving out exactly these is unresolved. */
  readonly unresolvedWithout?: readonly (readonly string[])[];
  /** For a tree: a configuration without a delta's parent is infeasible, and costs no test. */
  readonly parents?: Parents;
}

export function testOf(model: Model): (configuration: Configuration) => Outcome {
  const index = (label: string): number => {
    const at = model.labels.indexOf(label);
    if (at < 0) {
      const range = `${model.labels[0]} … ${model.labels.at(-1)}`;
      throw new UserError(`There is no delta ${label}: the deltas are ${range}.`, 'Use --deltas <n> for more of them.');
    }
    return at;
  };
  const fails = model.fails.map(index);
  const or = (model.or ?? []).map(cause => cause.map(index));
  const needs = (model.needs ?? []).map(([a, b]) => [index(a), index(b)] as const);
  const together = (model.together ?? []).map(group => group.map(index));
  const required = (model.required ?? []).map(index);
  const without = (model.unresolvedWithout ?? []).map(group => group.map(index));
  return configuration => {
    const there = (delta: number) => has(configuration, delta);
    if (isEmpty(configuration)) return fails.length === 0 ? 'fail' : 'pass';
    if (model.parents && !isClosed(model.parents, configuration)) return 'unresolved';
    if (needs.some(([a, b]) => there(a) && !there(b))) return 'unresolved';
    if (together.some(group => group.some(there) && !group.every(there))) return 'unresolved';
    if (!required.every(there)) return 'unresolved';
    const missing = model.labels.flatMap((_, delta) => (there(delta) ? [] : [delta]));
    if (without.some(group => group.length === missing.length && group.every(delta => missing.includes(delta))))
      return 'unresolved';
    if (fails.every(there) || or.some(cause => cause.every(there))) return 'fail';
    return model.partly === 'unresolved' && fails.some(there) ? 'unresolved' : 'pass';
  };
}

export const numbered = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => String(from + i));
