/** Which deltas need which others, and which of them are one knot: hardly any can go without most of the rest. */
import {
  type Configuration,
  deltasOf,
  empty,
  has,
  intersection,
  isEmpty,
  minus,
  of,
  size,
  union,
} from '../core/index.js';

/** Which deltas can't be applied without which others. */
export interface Needs {
  /** What is certain, if the rest is a guess: nothing is asked without it. */
  readonly certain?: Needs;
  /** These and everything that they need. */
  withNeeded(these: Configuration): Configuration;
  /** These and everything that needs them. */
  withNeeding(these: Configuration): Configuration;
}

export const independent: Needs = { withNeeded: these => these, withNeeding: these => these };

/** Those of D that can't go without more than half of D, and what they need: that can't go without them either. */
export function knotIn(suspects: Configuration, { withNeeding, withNeeded }: Needs): Configuration {
  if (withNeeding === independent.withNeeding) return empty;
  let knot = empty;
  for (const delta of deltasOf(suspects)) {
    if (has(knot, delta)) continue;
    const one = of([delta]);
    const drags = size(intersection(suspects, withNeeding(one)));
    if (2 * drags > size(suspects)) knot = union(knot, intersection(suspects, withNeeded(one)));
  }
  return knot;
}

/** What is not in the knot, and what is. */
export const untied = (part: Configuration, knot: Configuration): readonly Configuration[] =>
  [minus(part, knot), intersection(part, knot)].filter(each => !isEmpty(each));

/** Parts of the knot come after all others: what their messages show ties more to it, rightly or not. */
export function looseFirst(parts: readonly Configuration[], knot: Configuration): readonly Configuration[] {
  if (isEmpty(knot)) return parts;
  const isLoose = (part: Configuration) => isEmpty(intersection(part, knot));
  return [...parts.filter(isLoose), ...parts.filter(part => !isLoose(part))];
}
