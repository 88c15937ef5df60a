/** Keeps the end of a large program, with what it uses: the first questions about a program after the preprocessor. */
import { type Circumstance, type Configuration, empty, has, minus } from '../../../core/index.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { LanguageProfile } from '../../../syntax/languages/profile.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { editing } from '../../edits.js';
import type { TextPass } from '../pass.js';
import { isWhole, leastShare, programOf } from './end-program.js';
import { slicesWithin } from './slices.js';

/** How deep functions that call each other are followed, in the questions that leave out the bodies of the others. */
const depths = [0, 1, 2, 4];

/**
 * What the end of a text uses, in layers: first without the bodies of functions, then with the bodies of those that it calls,
 * of those that these call, and so on; then with all members of its classes. The last delta is everything else. A layer is left out
 * together with everything after it.
 */
export async function layersOfUse(language: LanguageProfile, text: string): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  const rounds = program?.reach.rounds(program.end);
  if (!program || !rounds) return undefined;
  await pauseIfDue();
  const wide = program.reach.rounds(program.end, { isWide: true })!.at(-1)!;
  await pauseIfDue();
  const { before, end } = program;
  const all = [...depths.filter(depth => depth < rounds.length - 1).map(depth => rounds[depth]!), rounds.at(-1)!, wide];
  // From the largest: one that is hardly smaller than a later one is not worth a question.
  const layers: Configuration[] = [];
  let least = text.length;
  for (const layer of all.toReversed().map(reached => program.withBodies(reached, 'or declared'))) {
    const size = before.build(layer)!.length + end.length;
    if (size > least - text.length / leastShare) continue;
    least = size;
    layers.unshift(layer);
  }
  if (layers.length === 0) return undefined;
  const keptIn = (configuration: Configuration): Configuration | undefined =>
    layers[configuration.length === 0 ? 0 : configuration.at(-1)!];
  return {
    name: 'layer',
    count: layers.length,
    ...program.built(configuration => ({ before: keptIn(configuration) })),
    describe: delta => (delta === layers.length - 1 ? 'what the end does not use' : 'what functions call'),
  };
}

/**
 * The edits of the end of a text as deltas. What the end then no longer uses is left out too. The first delta is all that it still
 * uses: names find too much.
 */
export async function endWithUses(
  language: LanguageProfile,
  text: string,
  pass: TextPass,
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  if (!program?.isUsed) return undefined;
  const inner = editing('end', program.end, await pass.edits(program.end));
  if (inner.count < 2) return undefined;
  return {
    name: inner.name,
    count: inner.count + 1,
    ...program.built(configuration => {
      if (isWhole(configuration, inner.count + 1)) return {};
      const end = { inner, configuration: withoutFirst(configuration) };
      if (!has(configuration, 0)) return { before: empty, end };
      const reached = program.rounds(inner.build(end.configuration)!)?.at(-1);
      return reached && { before: program.withBodies(reached, 'or declared'), end };
    }),
    describe: delta =>
      delta === 0 ? 'what the end still uses' : `${inner.describe!(delta - 1)}, with what only it uses`,
  };
}

/**
 * The parts of the end as deltas, of any depth: what is kept is kept with what it uses, in the end and before it. So a candidate
 * with few parts is small, complete by name and soon tested, and the statement of a program that fails is found by halving.
 */
export async function slicesOfEnd(syntax: Syntax, text: string): Promise<Circumstance<string> | undefined> {
  const program = await programOf(syntax.language, text);
  if (!program?.isUsed) return undefined;
  const inner = await slicesWithin(syntax, program.end);
  if (!inner) return undefined;
  return {
    name: 'part',
    count: inner.count,
    ...program.built(configuration => {
      if (isWhole(configuration, inner.count)) return {};
      const reached = program.rounds(inner.build(configuration)!)?.at(-1);
      return reached && { before: program.withBodies(reached, 'or declared'), end: { inner, configuration } };
    }),
    describe: delta => `${inner.describe!(delta)} of the end, with what only they use`,
  };
}

/** The same deltas, counted from the second one. */
const withoutFirst = (configuration: Configuration): Configuration =>
  minus(configuration, [0, 1]).map(bound => bound - 1);
