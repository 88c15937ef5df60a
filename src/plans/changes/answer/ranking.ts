/** The likeliest changes of those that are left, if the search was stopped or its answer is too large to read; and a revert if there is one. */
import { deltasOf, has, size } from '../../../core/index.js';
import type { Outcomes } from '../search.js';
import { placeOfDelta } from './culprits.js';
import { placeOf } from './describe-culprits.js';

/** A revert of more changes than this is too large to read. */
const mostNamed = 64;
/** How many of the likeliest changes are named. */
const mostRanked = 8;

/** The search was stopped: the likeliest changes of those that are left, with the evidence against them. */
export function rankingOf(found: Outcomes): readonly string[] {
  const { left, ranked } = suspectsIn(found);
  return [
    ...(hasRevert(found) ? knownRevert(found.blamed) : []),
    `Not narrowed down yet: ${left} changes are left. The likeliest so far:`,
    ...rows(ranked),
  ];
}

/** An answer that was not narrowed down, and is too large to read, says little without it. */
export function rankingOfLarge(found: Outcomes): readonly string[] {
  const { ranked } = isTooLarge(found) ? suspectsIn(found) : { ranked: [] };
  return ranked.length === 0 ? [] : ['the likeliest of these changes:', ...rows(ranked)];
}

/** Neither the revert nor the cause is small or proven, and something is known about which changes are likelier. */
export const isTooLarge = ({ blamed, smaller, executed: { weights } }: Outcomes): boolean => {
  const { back, minimalRevert } = smaller ?? blamed;
  const isUnproven = minimalRevert.length === 0 && blamed.minimal.length === 0;
  return isUnproven && size(back) > mostNamed && weights !== undefined;
};

const rows = (ranked: ReturnType<typeof suspectsIn>['ranked']): readonly string[] =>
  ranked.map(({ score, where, reason }) => `  ${score}  ${where}: ${reason}`);

export function suspectsIn({ blamed, hierarchy, executed }: Outcomes) {
  const { suspects, weights } = executed;
  const left = [...deltasOf(blamed.failing)].filter(delta => delta < hierarchy.changes.count);
  const score = (delta: number) => (has(suspects, delta) ? 1 : 0.1) * (weights?.[delta] ?? 1);
  const ranked = [...left].sort((a, b) => score(b) - score(a) || a - b).slice(0, mostRanked);
  return {
    left: left.length,
    ranked: ranked.map(delta => ({
      score: score(delta).toFixed(1),
      where: whereIs(hierarchy, delta),
      reason: reasonOf(delta, executed),
    })),
  };
}

const whereIs = (hierarchy: Outcomes['hierarchy'], delta: number): string => {
  const place = placeOfDelta(hierarchy, delta);
  return place ? placeOf(place) : hierarchy.changes.describe(delta);
};

/**
 * The revert is found before the cause, and is worth knowing without it. All changes together are old, which says nothing, unless they are those of
 * a few functions.
 */
export const hasRevert = ({ blamed: { back }, hierarchy: { changes }, lineInOld }: Outcomes): boolean =>
  size(back) > 0 && size(back) < Math.min(lineInOld ? Number.POSITIVE_INFINITY : changes.count, mostNamed);

const knownRevert = ({ level, back }: Outcomes['blamed']): readonly string[] => [
  'New passes without these; whether fewer are enough is not known yet:',
  ...level.changes(back).map(({ label }) => `  ${label}`),
];

/** Why a change is suspected, and how much. */
export function reasonOf(delta: number, { suspects, weights }: Outcomes['executed']): string {
  if (!has(suspects, delta)) return 'the test does not run it';
  if (!weights) return 'nothing is known about it';
  return (weights[delta] ?? 1) >= closeBy
    ? 'the two runs part here, or print words of it, or the failure names a line close by, or the test calls it'
    : 'the test runs it';
}

/** From this weight on, a change is near a line that distinguishes the two runs. */
const closeBy = 5;
