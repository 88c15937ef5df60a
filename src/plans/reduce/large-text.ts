/** What passes over a large text have in common: sizes, strategies, and the passes that need no grammar. */
import { blocks } from '../../circumstances/blocks.js';
import { blankLines, lines } from '../../circumstances/text.js';
import { all, type Circumstance, type Configuration, deltasOf, type Strategy } from '../../core/index.js';
import { type Edit, gainOf } from '../../reductions/edits.js';
import { allFirst, sweep } from '../../strategies/index.js';
import type { Pass, Place } from '../pass.js';
import { briefPatience, hastyPatience } from '../schedule.js';
import { denseShare, worthBy } from '../searching-pass.js';

export type ListStrategy = Strategy<unknown, Configuration>;

/** Passes that try nearly every node of a text wait until it is this small. */
export const smallText = 20_000;

/** A rough search of a text larger than this only tries edits that remove at least one part in `roughness`. */
export const roughText = 4_000;
export const roughness = 256;
const endRoughness = 16;

export const alone = (text: string): Place => ({ whole: text.length, behind: 0 });

/**
 * How much an edit at the end of a text must remove. What is last uses the most of what is before it, so it is cut into the
 * smallest parts.
 */
export const leastNearEnd = (text: string, { whole, behind }: Place): ((start: number) => number) => {
  const least = whole / roughness;
  return start => Math.min(least, Math.max(1, (text.length - start + behind) / endRoughness));
};

const startOf = (edit: Edit): number => edit.spans[0]!.start;

export const isWorthIt = (leastAt: (start: number) => number) => (edit: Edit) => gainOf(edit) >= leastAt(startOf(edit));

export const halvesOnly = sweep({ prove: false, patience: 0, halves: true }) as unknown as ListStrategy;

/** For two deltas: both are removed, or else the second. */
export const bothAtOnce = sweep({ prove: false, patience: 2, wholeLanes: true }) as unknown as ListStrategy;

/** For deltas of which most can go together. If they can't, those that are left over are worth no more questions than others. */
export const allAtOnce = (
  { weights }: Pick<Circumstance<unknown>, 'weights'>,
  _thorough?: boolean,
  price?: number,
): ListStrategy =>
  sweep({
    prove: false,
    patience: briefPatience,
    wholeLanes: true,
    ...worthBy(weights, price),
  }) as unknown as ListStrategy;

/**
 * The same for deltas of which each is a small part of a large program. If they cannot all go, each stretch of them is asked about by itself: those that are
 * needed are mostly together, and from the end, a search would not get past them.
 */
export const allOrStretches = (
  { weights }: Pick<Circumstance<unknown>, 'weights'>,
  _thorough?: boolean,
  price?: number,
): ListStrategy => {
  const stretches = { lanes: 8, patience: stretchPatience, wholeLanes: true };
  return allFirst(sweep({ prove: false, ...stretches, ...worthBy(weights, price) })) as unknown as ListStrategy;
};
const stretchPatience = 8;

/** One by one, from the heaviest: the last one is asked about first. */
export const heaviestFirst = (
  { weights }: Pick<Circumstance<unknown>, 'weights'>,
  _thorough?: boolean,
  price?: number,
): ListStrategy =>
  sweep({
    prove: false,
    patience: hastyPatience / 2,
    expected: (weights?.length ?? 0) * denseShare,
    ...worthBy(weights, price),
  }) as unknown as ListStrategy;

/** For nested deltas: all are removed, or else as many of the last ones as possible. */
export const outermostOnly = sweep({ prove: false, patience: 6, wholeLanes: true }) as unknown as ListStrategy;

/** For passes that take turns. */
const turn = 10;
export const whileItHelps = sweep({ prove: false, patience: turn, halves: true }) as unknown as ListStrategy;

/** For the parts of an end: what is left of it decides how much of everything before it is needed. */
export const partsWhileTheyHelp = sweep({
  prove: false,
  patience: briefPatience,
  halves: true,
}) as unknown as ListStrategy;

/** For deltas of which few can be removed, the most useful last. */
export const oneByOne = ({ count }: { readonly count: number }): ListStrategy =>
  sweep({ prove: false, patience: turn, expected: count * denseShare }) as unknown as ListStrategy;

/** For deltas of which each removes much by itself, the most promising last: about half of them are needed. */
export const mostPromisingFirst = (
  { count, weights }: Circumstance<string>,
  _thorough?: boolean,
  price?: number,
): ListStrategy =>
  sweep({
    prove: false,
    patience: turn,
    expected: count / 2,
    ...worthBy(weights, price === undefined ? undefined : price * promising),
  }) as unknown as ListStrategy;
/** How much more a question about one of them must remove than one of another early pass. */
const promising = 12;

/**
 * The same without halves, because the first delta is needed by all others. About half of an end is needed. A success restores
 * no patience: a delta removes little as long as others use the same, and what the other passes remove makes it cheaper.
 */
export const fromTheEnd = ({ count }: { readonly count: number }): ListStrategy =>
  sweep({ prove: false, patience: turn, worth: () => 1, expected: count / 2 }) as unknown as ListStrategy;

/** A question of many that do not need each other must remove one part in this many, on average. */
const leastGain = 256;

/** For deltas that do not need each other. About a quarter of them is needed, so a question is about two or three. */
export const independent = ({ count, weights }: Circumstance<string>): ListStrategy => {
  const sizeOf = (some: Configuration): number => [...deltasOf(some)].reduce((sum, one) => sum + weights![one]!, 0);
  const price = sizeOf(all(count)) / leastGain;
  const worth = (gone: Configuration): number => sizeOf(gone) / price;
  return sweep({ prove: false, patience: turn, worth, expected: count / 4 }) as unknown as ListStrategy;
};

export const frontHalvesOnly = sweep({ prove: false, patience: 0, halves: 'front' }) as unknown as ListStrategy;

/** What large parts leave behind, before lines are counted as parts. */
export const blankLinesOfLarge: Pass<string> = {
  name: 'blank lines of a large text',
  early: true,
  over: (text, _, place = alone(text)) => (place.whole > roughText ? blankLines(text) : undefined),
};

/** A walk from the end of a large text gets nowhere if the cause is there: everything before it goes first, by halves. */
export const halvesOfLines: Pass<string> = {
  name: 'halves of lines',
  early: true,
  over: text => (text.length > smallText ? lines(text) : undefined),
  strategy: () => halvesOnly,
};

/** Half of the lines is half of a subprogram too. Blocks are whole, so most of them can be removed. */
export const blocksOfLarge: Pass<string> = {
  name: 'blocks',
  early: true,
  isPriced: true,
  over: text => (text.length > smallText ? blocks(text) : undefined),
};

/** The name of the pass over tokens. */
export const tokensName = 'tokens';

/** Tokens are asked one at a time, and the others remove neighbours together. */
export const skippingRefused = (pass: Pass<string>): Pass<string> => ({
  skipsRefused: pass.name === tokensName ? 'always' : 'after the first round',
  ...pass,
});
