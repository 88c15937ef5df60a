/** Leaves out parts of a large program before its end, with what mentions them or with what only they used. */
import { type Circumstance, deltasOf } from '../../../core/index.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { LanguageProfile } from '../../../syntax/languages/profile.js';
import type { Reached } from '../../../syntax/reach/reach.js';
import { identified, isWhole, type Program, programOf } from './end-program.js';

/** How many groups the bodies of functions form at most. */
const mostGroups = 64;

/**
 * The bodies of functions as deltas, those that are called first before those that these call. A body that is left out is empty,
 * so that a program still links, and what only it used is left out with it.
 */
export async function bodiesWithUses(
  language: LanguageProfile,
  text: string,
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  const rounds = program?.isUsed ? program.rounds(program.end) : undefined;
  if (!program || !rounds) return undefined;
  await pauseIfDue();
  const { all, end } = program;
  const functions: number[] = [];
  for (const [depth, { bodies }] of rounds.entries())
    for (const [i, { body }] of all.entries())
      if (depth > 0 && body && bodies[i] === 1 && rounds[depth - 1]!.bodies[i] === 0) functions.push(i);
  const groups = groupBySize(functions, program.bodySize);
  if (groups.length < 2) return undefined;
  return {
    name: 'bodies',
    count: groups.length,
    weights: groups.map(group => group.reduce((sum, i) => sum + program.bodySize(i), 0)),
    ...program.built(configuration => {
      if (isWhole(configuration, groups.length)) return {};
      const emptied = new Uint8Array(all.length);
      for (const i of functions) emptied[i] = 1;
      for (const group of deltasOf(configuration)) for (const one of groups[group]!) emptied[one] = 0;
      return { before: program.withBodies(program.rounds(end, { emptied })!.at(-1)!, 'or empty') };
    }),
    describe: delta => `${groups[delta]!.length} bodies, with what only they use`,
  };
}

/**
 * Which declarations are deltas, if the end cannot be without some: `large parts` are neighbours, all of which it can be without;
 * `single` are all that it can be without.
 */
export type Parts = 'large parts' | 'single';

/** Declarations as deltas: without some of them, everything that mentions them is left out too, and the bodies of functions that do are empty. */
export async function declarationsWithUsers(
  language: LanguageProfile,
  text: string,
  parts: Parts,
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  const reached = program?.isUsed ? program.rounds(program.end)?.at(-1) : undefined;
  if (!program || !reached) return undefined;
  await pauseIfDue();
  const { end, reach } = program;
  const outer = removableIn(program, reached);
  const canBeWithout = (some: readonly number[]): boolean => reach.without(some, end) !== undefined;
  // A group without a chance would cost no test, but the patience of the search.
  const groups =
    parts === 'large parts'
      ? groupBySize(outer, program.sizeOf).filter(canBeWithout)
      : groupBySize(await eachThat(canBeWithout, outer), program.sizeOf);
  if (groups.length < 2) return undefined;
  const candidates = groups.flat();
  return {
    name: 'declarations',
    count: groups.length,
    weights: groups.map(group => group.reduce((sum, i) => sum + program.sizeOf(i), 0)),
    ...program.built(configuration => {
      if (isWhole(configuration, groups.length)) return {};
      const kept = new Set<number>();
      for (const group of deltasOf(configuration)) for (const one of groups[group]!) kept.add(one);
      const without = reach.without(
        candidates.filter(i => !kept.has(i)),
        end,
      );
      return without && { before: program.withBodies(program.rounds(end, without)!.at(-1)!, 'or empty') };
    }),
    describe: delta => `${groups[delta]!.length} declarations, with what mentions them`,
    identify: delta => identified(text, parts, groups[delta]!.map(program.textOf).join('\n')),
  };
}

/** Declarations that the end uses, and does not mention as the only ones with their names. What belongs to a class goes with it. */
export function removableIn({ all, end, reach, isOuter }: Program, { kept }: Reached): readonly number[] {
  const required = reach.required(end);
  return [...all.keys()].filter(
    i => kept[i] === 1 && required[i] === 0 && all[i]!.kind !== 'scope' && isOuter(i) && !reach.belongsToClass(i),
  );
}

/** Those that the end can be without: if it can be without some together, it can be without each of them. */
async function eachThat(
  canBeWithout: (some: readonly number[]) => boolean,
  some: readonly number[],
): Promise<readonly number[]> {
  await pauseIfDue();
  if (some.length === 0 || canBeWithout(some)) return some;
  if (some.length === 1) return [];
  const half = some.length >> 1;
  return [...(await eachThat(canBeWithout, some.slice(0, half))), ...(await eachThat(canBeWithout, some.slice(half)))];
}

/** Neighbours, in groups of about the same size. */
export function groupBySize(all: readonly number[], sizeOf: (one: number) => number): readonly (readonly number[])[] {
  const least = all.reduce((sum, one) => sum + sizeOf(one), 0) / mostGroups;
  const groups: number[][] = [];
  let size = least;
  for (const one of all) {
    if (size >= least) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(one);
    size += sizeOf(one);
  }
  return groups;
}
