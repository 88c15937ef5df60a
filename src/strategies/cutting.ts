/** How a search cuts the suspected changes into parts. */
import { type Configuration, cutByWeight, deltasOf, of } from '../core/index.js';

/** How a search cuts what it suspects into parts. */
export interface Cutting {
  /** n parts, the likeliest first; each has at least one delta while n is no more than `finest`. */
  cut(configuration: Configuration, n: number): readonly Configuration[];
  /** Into how many parts it is worth cutting. */
  finest(configuration: Configuration): number;
}

export interface CuttingOptions {
  /** Deltas that mostly belong together. They part only when nothing else is left to take apart. */
  readonly groups?: readonly (readonly number[])[];
  /** How likely each delta is to be the culprit, beside the others. */
  readonly likely?: (delta: number) => number;
}

/**
 * Parts of about the same weight, so that each answer halves what is likely and not what is many: with a good guess of the
 * culprit a search takes one or two questions, and with none as many as by halves.
 */
export function cutting({ groups = [], likely = () => 1 }: CuttingOptions = {}): Cutting {
  const groupOf = new Map(groups.flatMap((members, group) => members.map(delta => [delta, group] as const)));
  const unitsOf = (configuration: Configuration) => {
    const found = new Map<number, number[]>();
    const deltas = [...deltasOf(configuration)];
    for (const delta of deltas) {
      const group = groupOf.get(delta) ?? -1 - delta;
      const members = found.get(group);
      if (members) members.push(delta);
      else found.set(group, [delta]);
    }
    const isOnePlace = found.size < 2;
    const lists = isOnePlace ? deltas.map(delta => [delta]) : [...found.values()];
    // What stands close together was mostly written together: a place is as likely as the likeliest in it.
    const units = lists.map(members => ({ deltas: members, weight: Math.max(...members.map(likely)) }));
    return { units, isOnePlace };
  };
  return {
    cut(configuration, n) {
      const likeliestFirst = [...unitsOf(configuration).units].sort((a, b) => b.weight - a.weight);
      const parts = cutByWeight(likeliestFirst, unit => unit.weight, n);
      return parts.map(units => of(units.flatMap(unit => unit.deltas)));
    },
    finest: configuration => {
      const { units, isOnePlace } = unitsOf(configuration);
      // Halves of one place mostly need each other: that is for another search to find out, one by one.
      return isOnePlace ? Math.min(units.length, 2) : units.length;
    },
  };
}
