/** Leaves out single declarations of a large program with everything that mentions them, the most promising ones first. */
import { type Circumstance, deltasOf, minus, all as whole } from '../../../core/index.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { LanguageProfile } from '../../../syntax/languages/profile.js';
import { removableIn } from './declarations-with-users.js';
import { identified, isWhole, type Program, programOf } from './end-program.js';

/** How many of the declarations that promise most by themselves are looked at together, and how many of these are offered. */
const mostWeighed = 128;
const mostOffered = 32;

/** What removes less than one part in this many is asked about in groups. */
const leastGain = 128;

/** Two remove nearly the same if this much of what either of them removes is removed by both. */
const likeness = 3 / 4;

/** A failure needs this many declarations, of which most are near the end. */
const fewNeeded = 16;

/** What is left out: how much of the text, and how much of what is near the end. Both are shares of 1. */
interface Loss {
  readonly gain: number;
  readonly near: number;
}

/**
 * Declarations as deltas, the most promising last. Streams, locales or smart pointers are far from the end, and much mentions them: without
 * `class ios_base`, a fifth of a library is gone. What is as large and near the end is probably needed. Of two that remove nearly the same, the more
 * promising one is enough.
 */
export async function promisingDeclarations(
  language: LanguageProfile,
  text: string,
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  if (!program?.isUsed) return undefined;
  const { end, reach } = program;
  const promising = (await mostPromising(program)).toReversed();
  const inOrder = promising.map(({ i }) => i);
  if (inOrder.length === 0) return undefined;
  return {
    name: 'declaration',
    count: inOrder.length,
    weights: promising.map(({ gain }) => Math.round(gain * text.length)),
    ...program.built(configuration => {
      if (isWhole(configuration, inOrder.length)) return {};
      const removed = [...deltasOf(minus(whole(inOrder.length), configuration))].map(delta => inOrder[delta]!);
      const without = reach.without(removed, end);
      return without && { before: program.withBodies(program.rounds(end, without)!.at(-1)!, 'or empty') };
    }),
    describe: delta => `${program.textOf(inOrder[delta]!).slice(0, shownCharacters)}…, with what mentions it`,
    identify: delta => identified(text, 'single', program.textOf(inOrder[delta]!)),
  };
}

const shownCharacters = 40;

async function mostPromising(program: Program): Promise<readonly Weighed[]> {
  const { end, reach } = program;
  const used = program.rounds(end)!.at(-1)!;
  const lossOf = lossesOf(program, used.kept);
  await pauseIfDue();
  // What mentions a declaration is known at once, and what only that used after a search.
  const weighed: Pick<Weighed, 'i' | 'worth'>[] = [];
  for (const i of removableIn(program, used)) {
    const without = reach.without([i], end);
    if (!without) continue;
    weighed.push({ i, worth: worthOf(lossOf(without.removed.map(each => 1 - each))) });
    await pauseIfDue();
  }
  const found: Weighed[] = [];
  for (const { i } of weighed.sort(byWorth).slice(0, mostWeighed)) {
    const { kept } = program.rounds(end, reach.without([i], end))!.at(-1)!;
    const loss = lossOf(kept);
    if (loss.gain * leastGain >= 1) found.push({ i, gain: loss.gain, worth: worthOf(loss), kept });
    await pauseIfDue();
  }
  const chosen: Weighed[] = [];
  for (const each of found.sort(byWorth)) {
    const isLike = (other: Weighed): boolean => {
      const both = lossOf(each.kept.map((kept, i) => kept | other.kept[i]!)).gain;
      return both > likeness * (each.gain + other.gain - both);
    };
    if (!chosen.some(isLike)) chosen.push(each);
    if (chosen.length === mostOffered) break;
    await pauseIfDue();
  }
  return chosen;
}

interface Weighed {
  readonly i: number;
  readonly gain: number;
  readonly worth: number;
  /** What is left without it. */
  readonly kept: Uint8Array;
}

const byWorth = (a: Pick<Weighed, 'i' | 'worth'>, b: Pick<Weighed, 'i' | 'worth'>): number =>
  b.worth - a.worth || b.i - a.i;

const worthOf = ({ gain, near }: Loss): number => gain * (1 - near) ** fewNeeded;

/** What is not kept of what the end uses. With each declaration between it and the end, it matters half as much. */
function lossesOf(program: Program, used: Uint8Array): (kept: Uint8Array) => Loss {
  const distances = program.distances(program.end)!;
  const nearness = Float64Array.from(distances, (distance, i) => (distance < 0 || used[i] === 0 ? 0 : 2 ** -distance));
  const total = nearness.reduce((sum, each) => sum + each, 0);
  const size = program.sizeBefore({ kept: used, bodies: used });
  return kept => {
    const left = used.map((each, i) => each & kept[i]!);
    let lost = 0;
    for (const [i, each] of nearness.entries()) if (left[i] === 0) lost += each;
    return { gain: 1 - program.sizeBefore({ kept: left, bodies: left }) / size, near: lost / total };
  };
}
