/** Leaves out what a declaration consists of, with what only it used. What mentions it stays as it is. */
import { type Circumstance, deltasOf, minus, all as whole } from '../../../core/index.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { LanguageProfile } from '../../../syntax/languages/profile.js';
import { identified, isWhole, type Program, programOf } from './end-program.js';

/**
 * Declarations as deltas, the largest last. A class loses its members and what it inherits from; a function, a specialisation and a
 * member are removed. What is written in a template is checked only if it is used, so most of them can be without each other, and one question is
 * about several.
 */
export async function declarationsAlone(
  language: LanguageProfile,
  text: string,
  which: 'outer' | 'members',
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  if (!program?.isUsed) return undefined;
  const { end } = program;
  const units = which === 'outer' ? outerUnits(program) : memberUnits(program);
  await pauseIfDue();
  if (units.length < 2) return undefined;
  const sizes = units.map(program.sizeOf);
  const inOrder = [...units.keys()].sort((a, b) => sizes[a]! - sizes[b]! || a - b);
  return {
    name: which,
    count: units.length,
    weights: inOrder.map(at => sizes[at]!),
    ...program.built(configuration => {
      if (isWhole(configuration, units.length)) return {};
      const removed = new Uint8Array(program.all.length);
      const hollow = new Uint8Array(program.all.length);
      for (const delta of deltasOf(minus(whole(units.length), configuration))) {
        const unit = units[inOrder[delta]!]!;
        (isHollowed(program, unit) ? hollow : removed)[unit] = 1;
      }
      const reached = program.rounds(end, { removed, hollow })!.at(-1)!;
      return { before: program.withBodies(reached, 'or empty', hollow) };
    }),
    describe: delta => `${sizes[inOrder[delta]!]} characters of a declaration, with what only it uses`,
    identify: delta => identified(text, which, program.textOf(units[inOrder[delta]!]!)),
  };
}

/** A class is mentioned by its name, and a specialisation is not. */
const isHollowed = ({ all, reach }: Program, i: number): boolean =>
  all[i]!.contents !== undefined && !reach.belongsToClass(i);

function outerUnits(program: Program): readonly number[] {
  const { all, end, reach } = program;
  const required = reach.required(end);
  const { kept } = program.rounds(end)!.at(-1)!;
  const isUnit = (i: number): boolean => {
    const { kind, contents } = all[i]!;
    if (isHollowed(program, i)) return contents!.to - contents!.from > 2;
    return required[i] === 0 && (kind === 'function' || kind === 'special' || reach.belongsToClass(i));
  };
  return [...all.keys()].filter(i => kept[i] === 1 && all[i]!.kind !== 'scope' && program.isOuter(i) && isUnit(i));
}

function memberUnits(program: Program): readonly number[] {
  const { all, end } = program;
  const { kept } = program.rounds(end)!.at(-1)!;
  return [...all.keys()].filter(i => {
    const { kind, within } = all[i]!;
    return kept[i] === 1 && kind !== 'scope' && kind !== 'field' && !program.isOuter(i) && program.isOuter(within);
  });
}
