/** What a pass searches in an artifact, and how, for a given effort. */
import { all, type Circumstance, type Configuration, minus, of, type Strategy, union } from '../core/index.js';
import { sweep } from '../strategies/index.js';
import type { Pass } from './pass.js';
import { nothingRefused, type Refused, refusedIn } from './refused.js';
import { briefPatience, type Effort, patience as fullPatience, type Hints, hastyPatience } from './schedule.js';

/**
 * A question must remove at least one part in this many of the artifact, on average, in a brief search and in an early one. Early
 * passes first remove what costs the fewest questions, each for as long as its questions are worth the most.
 */
const worthwhile = 400;
const worthwhileEarly = 512;
const worthwhilePriced = 256;

/** The share of needed deltas in a dense pass: it asks for single deltas at once, and each refusal is a part of the proof. */
export const denseShare = 0.8;

export interface Offer<Artifact> {
  readonly pass: Pass<Artifact>;
  readonly artifact: Artifact;
  readonly effort: Effort;
  readonly isMeasured: boolean;
  /** What earlier passes refused (default: nothing). */
  readonly refused?: Refused;
}

/** The circumstance that a pass offers, or nothing. */
export async function offeredBy<Artifact>({
  pass,
  artifact,
  effort,
  isMeasured,
  refused = nothingRefused,
}: Offer<Artifact>): Promise<Circumstance<Artifact> | undefined> {
  const offered = await pass.over(artifact, effort === 'rough');
  if (!offered) return undefined;
  const isThorough = effort === 'thorough';
  // A proof is about making the artifact smaller: no other change would be accepted.
  const useful = isThorough && isMeasured ? shrinking(offered) : offered;
  // A proof tests everything again. Before it, and in passes that prove nothing, only what changed is worth a test.
  const isKnown = isThorough && pass.proves !== undefined ? undefined : refusedIn(refused, useful, isThorough);
  const circumstance = isKnown ? onlySome(useful, delta => !isKnown(delta)) : useful;
  return circumstance.count > 0 ? circumstance : undefined;
}

/** What a pass leaves out of this round. */
export const skippedBy = ({ skipsRefused }: Hints, round: number, refused: Refused): Refused =>
  skipsRefused === 'always' || (skipsRefused !== undefined && round > 1) ? refused : nothingRefused;

export function strategyFor<Artifact>(
  pass: Pass<Artifact>,
  circumstance: Circumstance<Artifact>,
  effort: Effort,
  size: number | undefined,
): Strategy<unknown, Configuration> {
  const thorough = effort === 'thorough';
  const isPriced = effort === 'brief' || ((pass.early || pass.isPriced === true) && !thorough);
  const parts = !pass.early ? worthwhile : pass.isPriced ? worthwhilePriced : worthwhileEarly;
  const price = isPriced && size !== undefined ? size / parts : undefined;
  const most = effort === 'hasty' ? hastyPatience : effort === 'brief' || pass.early ? briefPatience : fullPatience;
  return (
    pass.strategy?.(circumstance, thorough, price) ??
    defaultStrategy(circumstance, pass, { thorough, patience: most, ...(price === undefined ? {} : { price }) })
  );
}

/** The circumstance without deltas whose removal saves nothing: one name for another of the same length. */
function shrinking<Artifact>(circumstance: Circumstance<Artifact>): Circumstance<Artifact> {
  const { weights } = circumstance;
  return weights ? onlySome(circumstance, delta => (weights[delta] ?? 1) > 0) : circumstance;
}

/** The circumstance with some of its deltas; the others are always applied. */
function onlySome<Artifact>(
  circumstance: Circumstance<Artifact>,
  isWanted: (delta: number) => boolean,
): Circumstance<Artifact> {
  const { weights, count, trace, edited, identify } = circumstance;
  const kept: number[] = [];
  for (let delta = 0; delta < count; delta++) if (isWanted(delta)) kept.push(delta);
  if (kept.length === count) return circumstance;
  const others = minus(all(count), of(kept));
  const wholeOf = (configuration: Configuration) =>
    union(others, of(members(configuration).map(delta => kept[delta]!)));
  return {
    ...circumstance,
    count: kept.length,
    ...(weights ? { weights: kept.map(delta => weights[delta]!) } : {}),
    build: configuration => circumstance.build(wholeOf(configuration)),
    ...(trace ? { trace: configuration => trace(wholeOf(configuration)) } : {}),
    ...(edited ? { edited: { ...edited, changes: delta => edited.changes(kept[delta]!) } } : {}),
    ...(identify ? { identify: delta => identify(kept[delta]!) } : {}),
    describe: delta => circumstance.describe?.(kept[delta]!) ?? `${circumstance.name} ${kept[delta]}`,
  };
}

function members(configuration: Configuration): number[] {
  const found: number[] = [];
  for (let i = 0; i < configuration.length; i += 2)
    for (let delta = configuration[i]!; delta < configuration[i + 1]!; delta++) found.push(delta);
  return found;
}

function defaultStrategy<Artifact>(
  { weights, count }: Circumstance<Artifact>,
  { early = false, isHalved = false, dense }: Pass<Artifact>,
  { thorough, patience, price }: { readonly thorough: boolean; readonly patience: number; readonly price?: number },
): Strategy<unknown, Configuration> {
  const worth = worthBy(weights, price);
  const expected = dense ? { expected: count * denseShare } : {};
  const halves = early && !isHalved;
  const strategy = thorough ? sweep(expected) : sweep({ prove: false, patience, halves, ...worth, ...expected });
  return strategy as unknown as Strategy<unknown, Configuration>;
}

/** How many questions a success is worth at this price. */
export const worthBy = (
  weights: ArrayLike<number> | undefined,
  price: number | undefined,
): { readonly worth?: (gone: Configuration) => number } =>
  price === undefined || !weights ? {} : { worth: gone => sum(weights, gone) / price };

function sum(weights: ArrayLike<number>, configuration: Configuration): number {
  let total = 0;
  for (let i = 0; i < configuration.length; i += 2)
    for (let delta = configuration[i]!; delta < configuration[i + 1]!; delta++) total += weights[delta]!;
  return total;
}
