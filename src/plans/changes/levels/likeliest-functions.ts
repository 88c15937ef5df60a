/** The functions that are likelier than the others to be to blame: in a large diff, they are worth a few questions before anything else. */
import { type Configuration, deltasOf, intersection, isEmpty, of, size } from '../../../core/index.js';
import { greatestOf } from '../../../core/lists.js';
import type { Level } from './levels.js';

/** With more suspects than this, a descent takes more questions than a few good guesses. */
const manySuspects = 100;
const mostFunctions = 6;
/** How much likelier than others a change must be for a guess: it is close to where the two runs part, or to what the failure names. */
const outstanding = 4;

/** What the questions about them are called. */
export const pass = 'the likeliest functions';

/** What is suspected in each of them, the likeliest first; none if there are few suspects. */
export function likeliestFunctions(
  { groupings }: Level,
  candidates: Configuration,
  likely: (delta: number) => number,
): readonly Configuration[] {
  const functions = size(candidates) > manySuspects ? (groupings?.at(1) ?? []) : [];
  return functions
    .map(members => intersection(candidates, of(members)))
    .filter(each => !isEmpty(each))
    .map(each => ({ each, weights: [...deltasOf(each)].map(likely) }))
    .map(({ each, weights }) => ({ each, most: greatestOf(weights), sum: weights.reduce((a, b) => a + b, 0) }))
    .filter(({ most }) => most >= outstanding)
    .sort((a, b) => b.most - a.most || b.sum - a.sum)
    .slice(0, mostFunctions)
    .map(({ each }) => each);
}
