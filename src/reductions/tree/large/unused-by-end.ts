/** Leaves out what the end of a large program does not use, in parts: if all of it is not superfluous, most of it is. */
import { type Circumstance, deltasOf } from '../../../core/index.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { LanguageProfile } from '../../../syntax/languages/profile.js';
import { groupBySize } from './declarations-with-users.js';
import { identified, isWhole, programOf } from './end-program.js';

/** If less than one part in this many is unused, it has to wait. */
const leastShare = 8;

/**
 * Neighbouring declarations that the end does not use, as deltas. What is kept is kept with what it uses. Names say nearly always what is needed, so one
 * operator or specialisation that they do not show is found by halving, and everything else goes.
 */
export async function unusedByEnd(language: LanguageProfile, text: string): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  const used = program?.reach.rounds(program.end)?.at(-1);
  if (!program || !used) return undefined;
  await pauseIfDue();
  const { all, end, reach } = program;
  /** Of a class that is not used, the members go with it. */
  const isPart = (i: number): boolean => {
    const { kind, within } = all[i]!;
    return (
      used.kept[i] === 0 && kind !== 'scope' && (within < 0 || all[within]!.kind === 'scope' || used.kept[within] === 1)
    );
  };
  const withMembers = (i: number): readonly number[] => {
    const found = [i];
    for (let member = i + 1; member < all.length && all[member]!.from < all[i]!.to; member++) found.push(member);
    return found;
  };
  const unused = [...all.keys()].filter(isPart);
  const size = unused.reduce((sum, i) => sum + program.sizeOf(i), 0);
  if (size * leastShare < text.length) return undefined;
  const groups = groupBySize(unused, program.sizeOf);
  return {
    name: 'unused',
    count: groups.length,
    weights: groups.map(group => group.reduce((sum, i) => sum + program.sizeOf(i), 0)),
    ...program.built(configuration => {
      if (isWhole(configuration, groups.length)) return {};
      const roots = [...deltasOf(configuration)].flatMap(group => groups[group]!.flatMap(withMembers));
      return { before: program.withBodies(reach.rounds(end, { roots })!.at(-1)!, 'or declared') };
    }),
    describe: delta => `${groups[delta]!.length} declarations that the end does not use`,
    identify: delta => identified(text, 'unused', groups[delta]!.map(program.textOf).join('\n')),
  };
}
