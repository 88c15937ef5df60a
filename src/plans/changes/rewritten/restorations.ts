/**
 * What new lost, put back into it: statements, branches, guards, items and the old form of what has changed, each in the place that its neighbours show. In
 * rewritten code, an old hunk or an old function brings too much with it, but one old statement often fits.
 */
import { deltasOf } from '../../../core/index.js';
import { languageOf } from '../../../syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../syntax/syntax.js';
import type { Range } from '../../../syntax/versions/put-back.js';
import { type Restoration, restorationsIn } from '../../../syntax/versions/restorations.js';
import type { Pair } from '../pair.js';
import {
  type CodeEdit,
  type EditsWanted,
  type EditWords,
  type Lines,
  likeliest,
  lineRanges,
  mostSingles,
} from './code-edits.js';
import { oldCodeOf, textOf } from './old-functions.js';
import { foundInEach } from './origins.js';
import { asChanges, type Judged, type LinesOfOld } from './rewritten.js';
import { raritiesOf } from './systematic.js';

/** If coverage does not tell them apart. What is lost in the place of something else is mostly a change, and a large one. */
const likelier: Readonly<Record<Restoration['kind'], number>> = {
  guard: 1,
  branch: 1,
  lost: 0.8,
  changed: 1.2,
  expression: 0.8,
  literal: 1.2,
  operand: 1.2,
  call: 0.3,
  instead: 0.4,
};

/** How much less likely it is that a part of old fits if it uses a name that new has nowhere. */
const foreign = 0.3;

/** How much less likely it is to matter that a statement of the file was lost: it runs in every test, and mostly declares something. */
const loaded = 0.3;

/** How much less likely a change is that was made everywhere. */
const everywhere = 0.3;

/** For people. */
export const lostCode = (count: number): string =>
  `Code that only old has is now put back into new, one part after the other (${count}).`;

export const restorations: EditWords = { one: 'restoration', pass: 'lost code to put back' };

/** Code that new lost. */
interface Lost extends Restoration, CodeEdit {
  readonly lines: Lines;
  /** Where it is in old. */
  readonly old: LinesOfOld;
  /** What is in its place in new. */
  readonly now: string;
}

/** What new lost in these files, the likeliest first, as far as the test runs it in old. The rest as for what new added. */
export async function restorationsTo(
  pair: Pair,
  paths: ReadonlyMap<string, string | undefined>,
  judged: Judged,
  { likelihood = () => 1, most = mostSingles }: EditsWanted = {},
): Promise<readonly CodeEdit[]> {
  const { changes, judge } = judged;
  const all = await foundInEach(paths, judged, async (path, oldPaths) =>
    oldPaths === undefined ? [] : restorationsOf(pair, path, oldPaths),
  );
  const found: readonly Omit<Lost, 'likely'>[] = all.filter(each => likelihood(each) > 0);
  if (found.length === 0) return [];
  const { suspects, weights } = await judge(asChanges(found, 'restoration', changes));
  const rarityOf = new Map<number, number>();
  // A sign inside a text is not the sign that a formatter puts behind each statement.
  for (const kinds of [['changed', 'expression', 'call', 'operand'], ['literal']]) {
    const changed = [...found.keys()].filter(at => kinds.includes(found[at]!.kind));
    const rarities = raritiesOf(changed.map(at => found[at]!));
    for (const [i, at] of changed.entries()) rarityOf.set(at, rarities[i]!);
  }
  const ranked = [...deltasOf(suspects)].map(at => {
    const { lostness, lostWithIt, kind, isForeign, isLoaded } = found[at]!;
    const rarity = rarityOf.get(at) ?? 1 / lostWithIt;
    const says = rarityOf.get(at) ?? lostness;
    const weight = (weights?.[at] ?? 1) * likelihood(found[at]!);
    const likely = weight * (everywhere + (1 - everywhere) * rarity) + says * likelier[kind] * Math.min(1, weight);
    return {
      ...found[at]!,
      isAlone: kind === 'call' || kind === 'expression',
      likely: likely * (isForeign ? foreign : 1) * (isLoaded && kind !== 'changed' ? loaded : 1),
    };
  });
  return likeliest(pair, ranked, most);
}

/** Those of one file. */
async function restorationsOf(pair: Pair, path: string, oldPaths: readonly string[]) {
  const [code, now] = [oldCodeOf(pair, oldPaths), textOf(pair.new.files.get(path))];
  const language = languageOf(path);
  if (code === undefined || now === undefined || !language || language.markup) return [];
  const { text: old, placeOf } = code;
  const syntax = await syntaxOf(language);
  const [before, after] = [hostTree(old, syntax), hostTree(now, syntax)];
  if (!before || !after || !syntax.grammar) return [];
  const newLines = lineRanges(now);
  const placeIn = ([start, end]: Range): LinesOfOld => {
    const [first, last] = [placeOf(start), placeOf(Math.max(start, end - 1))];
    return { path: first.path, lines: [first.line, last.path === first.path ? last.line : first.line] };
  };
  return (await restorationsIn(before, after)).map(each => {
    const [from, to] = newLines(each.start, each.end);
    const own: Lines = each.start === each.end ? [from, from + 1] : [from, to];
    const was = placeIn(each.from);
    const replaced = now.slice(each.start, each.end);
    return { ...each, path, own, lines: own, old: was, part: old.slice(...each.from), now: replaced };
  });
}
