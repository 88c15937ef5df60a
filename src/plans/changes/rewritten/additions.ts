/**
 * What new added, taken out of it again. If neither old lines nor old functions fit into a rewritten file, or if what broke is in a function that
 * only new has, no small part of old can be put back. Then a condition, a side of one, or a statement that new added may be what matters.
 */
import { deltasOf } from '../../../core/index.js';
import { languageOf } from '../../../syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../syntax/syntax.js';
import { type Addition, additionsIn } from '../../../syntax/versions/additions.js';
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
import { asChanges, type Judged } from './rewritten.js';

/** If coverage does not tell them apart: a condition is to blame more often than a statement. */
const likelier: Readonly<Record<Addition['kind'], number>> = {
  condition: 1,
  operand: 0.6,
  statement: 0.4,
  call: 0.3,
};

/** How much less likely it is that code is to blame which old has too, in another function. */
const elsewhere = 0.5;

/** The same of a statement of the file: it runs in every test, and mostly declares something. */
const loaded = 0.3;

/** For people. */
export const addedCode = (count: number): string =>
  `Conditions and statements that only new has are now taken out of it, one by one (${count}).`;

export const additions: EditWords = { one: 'addition', pass: 'additions to take out' };

/** Code that new added. */
interface Added extends Omit<Addition, 'isForced'>, CodeEdit {
  /** The lines that must run, so that it changes anything. */
  readonly lines: Lines;
}

/**
 * What new added to these files, the likeliest first, as far as the test runs it. `paths`: new path and old path.
 */
export async function additionsTo(
  pair: Pair,
  paths: ReadonlyMap<string, string | undefined>,
  judged: Judged,
  { likelihood = () => 1, most = mostSingles }: EditsWanted = {},
): Promise<readonly CodeEdit[]> {
  const { changes, judge } = judged;
  const all = await foundInEach(paths, judged, (path, oldPaths) => additionsOf(pair, path, oldPaths));
  const found: readonly Omit<Added, 'likely'>[] = all.filter(each => likelihood(each) > 0);
  if (found.length === 0) return [];
  const { suspects, weights } = await judge(asChanges(found, 'addition', changes));
  const ranked = [...deltasOf(suspects)].map(at => {
    const { newness, kind, isElsewhere, isLoaded } = found[at]!;
    const isAlone = kind === 'call';
    const likely = (weights?.[at] ?? 1) * likelihood(found[at]!) + newness * likelier[kind];
    return { ...found[at]!, isAlone, likely: likely * (isElsewhere ? elsewhere : 1) * (isLoaded ? loaded : 1) };
  });
  return likeliest(pair, ranked, most);
}

/** Those of one file. */
async function additionsOf(pair: Pair, path: string, oldPaths: readonly string[] | undefined) {
  const now = textOf(pair.new.files.get(path));
  const old = oldPaths === undefined ? undefined : oldCodeOf(pair, oldPaths)?.text;
  const language = languageOf(path);
  if (now === undefined || !language || language.markup || (old === undefined && oldPaths !== undefined)) return [];
  const syntax = await syntaxOf(language);
  const tree = hostTree(now, syntax);
  if (!tree || !syntax.grammar) return [];
  const linesOf = lineRanges(now);
  const all = await additionsIn(old === undefined ? undefined : hostTree(old, syntax), tree);
  return all.map(each => ({
    ...each,
    path,
    lines: linesOf(...each.gone),
    own: linesOf(each.start, each.end),
    part: now.slice(...each.gone),
  }));
}
