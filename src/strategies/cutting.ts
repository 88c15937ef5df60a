/** How a search cuts the suspected changes into parts: by file, then by function, then by place, the likeliest first. */
import { type Configuration, cutByWeight, deltasOf, of, size } from '../core/index.js';
import { greatestOf } from '../core/lists.js';

export interface Cutting {
  /** Two parts, the likeliest first; one if there is only one delta. */
  cut(configuration: Configuration): readonly Configuration[];
  /** Whether it spans more than one group of the finest grouping: halves of one place usually need each other. */
  isDivisible(configuration: Configuration): boolean;
}

/** Which deltas belong together: each delta is in at most one group. */
export type Grouping = readonly (readonly number[])[];

export interface CuttingOptions {
  /** The coarsest first. A group is split only if there is no other group left to separate. */
  readonly groupings?: readonly Grouping[];
  /** How likely each delta is to be the culprit, relative to the others. */
  readonly likely?: (delta: number) => number;
}

/** A place with more deltas than this is more than one thing. */
const largestPlace = 8;

interface Unit {
  readonly deltas: readonly number[];
  readonly weight: number;
}

/**
 * Parts of about the same weight, so that each answer halves the probability and not the count. With a good guess of the
 * culprit, a search takes one or two questions; without one, as many as plain halving.
 */
export function cutting({ groupings = [], likely = () => 1 }: CuttingOptions = {}): Cutting {
  const groupOf = groupings.map(
    groups => new Map(groups.flatMap((members, group) => members.map(delta => [delta, group] as const))),
  );
  const unitsAt = (deltas: readonly number[], level: number): readonly (readonly number[])[] => {
    const found = new Map<number, number[]>();
    for (const delta of deltas) {
      const group = groupOf[level]?.get(delta) ?? -1 - delta;
      const members = found.get(group);
      if (members) members.push(delta);
      else found.set(group, [delta]);
    }
    return [...found.values()];
  };
  /** The coarsest grouping that has at least two units. */
  const unitsOf = (configuration: Configuration): readonly Unit[] => {
    const deltas = [...deltasOf(configuration)];
    for (let level = 0; level <= groupings.length; level++) {
      const units = unitsAt(deltas, level);
      if (units.length > 1 || level === groupings.length)
        // Changes that are close together were usually made together, so a place is as likely as its likeliest change.
        return units.map(members => ({ deltas: members, weight: greatestOf(members.map(likely)) }));
    }
    return [];
  };
  return {
    cut(configuration) {
      const likeliestFirst = [...unitsOf(configuration)].sort((a, b) => b.weight - a.weight);
      const parts = cutByWeight(likeliestFirst, unit => unit.weight, Math.min(2, likeliestFirst.length));
      return parts.map(units => of(units.flatMap(unit => unit.deltas)));
    },
    isDivisible: configuration =>
      groupings.length === 0 ||
      size(configuration) > largestPlace ||
      unitsAt([...deltasOf(configuration)], groupings.length - 1).length > 1,
  };
}
