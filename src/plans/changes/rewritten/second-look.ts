/**
 * A second look at a revert that is large. In a rewritten file, old lines hardly ever fit between new ones, so the revert is most of the file. Old
 * functions often do fit: they are put in the place of the new ones, and what matters is searched inside them. If that is not enough, what new
 * added is taken out of it.
 */
import type { Artifact } from '../../../core/artifact.js';
import { all, empty, minus, size, type Test } from '../../../core/index.js';
import { type Ended, type Event, orStopped, stopped } from '../../../engine/index.js';
import { revertPatch } from '../answer/culprits.js';
import { askerFor, type BlameOptions, Stopped } from '../levels/asker.js';
import type { Blamed, Suspicion } from '../levels/blame.js';
import type { Hierarchy } from '../levels/hierarchy.js';
import type { Level, OpenLevel } from '../levels/levels.js';
import { type Finest, type Pair, pairOf } from '../pair.js';
import type { NewWithEdits } from './code-edits.js';
import { newWithAnyEdit, newWithLostCode, newWithoutAdditions, newWithSmallEdit } from './edits-near-revert.js';
import { everySingle, type LineInOld, noting, withOldFunctions } from './function-search.js';
import { functionsIn, type Judge } from './rewritten.js';

/** A revert of at most this many lines is small enough to read. */
const fewLines = 40;
/** One of at most this many lines is hardly ever made smaller. */
const fewest = 3;

/** A revert: changes between new with some replacements, and new. */
export interface SmallerRevert extends Pick<Blamed, 'level' | 'back' | 'minimalRevert'> {
  readonly hierarchy: Hierarchy;
  readonly lineInOld: LineInOld;
}

/** What was found so far, and how. */
export interface Answered {
  readonly pair: Pair;
  readonly hierarchy: Hierarchy;
  readonly blamed: Blamed;
  readonly suspicion: Suspicion;
  readonly judge: Judge;
}

/** The same, and the smallest revert by now. */
export interface Reverting extends Answered {
  readonly revert: Pick<Blamed, 'level' | 'back'>;
}

/** What the second look came to. */
export interface SecondLook {
  readonly ended: Ended;
  /** A smaller revert than the one that is known, if there is one. It passes, also if the search was stopped. */
  readonly smaller?: SmallerRevert;
}

const nothing: SecondLook = { ended: 'done' };

/** A smaller revert than the one that is known, if there is one. */
export async function* lookAgain(
  known: Answered,
  finest: Exclude<Finest, 'commit'>,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, SecondLook> {
  const { pair, blamed } = known;
  let [lines, look] = [linesOf(pair, blamed), nothing];
  for (const { search, isWorthIt } of searches) {
    const revert = look.smaller ?? blamed;
    if (!isWorthIt(lines, revert.minimalRevert.length > 0)) continue;
    const found = yield* search({ ...known, revert }, lines, test, options);
    if (typeof found === 'string') return { ...look, ended: found };
    if (!found) continue;
    const hierarchy = await found.pair.hierarchy(finest, options.signal);
    const { ended, ...inside } = yield* insideReplacements(hierarchy, test, options);
    const left = linesOf(pair, inside);
    look = left < lines ? { ended, smaller: { ...inside, hierarchy, lineInOld: found.lineInOld } } : { ...look, ended };
    if (ended !== 'done') return look;
    lines = Math.min(lines, left);
  }
  return look;
}

/** So many lines are no answer, even if each of them is needed. */
const tooMany = 200;

const isUnreadable = (lines: number, isProven: boolean): boolean => lines > (isProven ? tooMany : fewLines);

/** Of a proven revert each line is needed, so a function would be no smaller; but a part of the code may be. */
const searches = [
  { search: newWithOldFunctions, isWorthIt: (lines: number, isProven: boolean) => lines > fewLines && !isProven },
  { search: newWithoutAdditions, isWorthIt: (lines: number) => lines > fewLines },
  { search: newWithLostCode, isWorthIt: isUnreadable },
  { search: newWithAnyEdit, isWorthIt: isUnreadable },
  {
    search: newWithSmallEdit,
    isWorthIt: (lines: number, isProven: boolean) => lines > fewest && (lines <= fewLines || isProven),
  },
];

/** New as it passes with some replacements, and new; or why the search was stopped. */
export type Replaced = AsyncGenerator<Event, NewWithEdits | Exclude<Ended, 'done'> | undefined>;

async function* newWithOldFunctions(
  { pair, hierarchy: { changes }, blamed, suspicion, judge }: Answered,
  lines: number,
  test: Test<Artifact>,
  options: BlameOptions,
): Replaced {
  if (!('files' in changes)) return undefined;
  const functions = await functionsIn(pair, pathsIn(blamed), { changes, suspicion, judge });
  if (functions.length === 0) return undefined;
  yield note(
    `The revert has ${lines} lines and is not proven: functions and values of new are now tried as they are in old (${functions.length}).`,
  );
  const found = yield* withOldFunctions(pair.new, functions, { test, options, effort: everySingle });
  if (typeof found !== 'object') return found;
  return { pair: pairOf(found.artifact, pair.new, pair.titles), lineInOld: found.lineInOld };
}

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });

/**
 * The fewest changes that must be reverted: hunks first, then lines, then the tokens of long lines. All of them reverted pass. If the search is
 * stopped, the fewest that are known.
 */
async function* insideReplacements(
  { levels }: Hierarchy,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Pick<Blamed, 'level' | 'back' | 'minimalRevert' | 'ended'>> {
  const lessons = { missing: new Set<string>() };
  const [first, ...finer] = levels;
  const opening: OpenLevel[] = [...finer];
  let level: Level = first;
  let back = all(level.circumstance.count);
  try {
    for (let i = 0; ; i++) {
      const everything = all(level.circumstance.count);
      const asker = askerFor({ level, lessons }, test, options, () => undefined);
      back = yield* noting(asker.back(back, empty, `${level.name}s to take back`), passing => {
        const fewer = minus(everything, passing);
        if (size(fewer) < size(back)) back = fewer;
      });
      const settled = level.settles?.(back);
      const cut = level.cuts?.(back);
      if (cut) opening.push(cut);
      const next = settled === undefined ? opening[i] : undefined;
      if (!next) {
        const proven = [level.proves, settled].filter(each => each !== undefined);
        return { ended: 'done', level, back, minimalRevert: asker.isProven('revert') ? proven : [] };
      }
      const opened = await orStopped(next(back, options.signal), options.signal);
      if (opened === stopped) throw new Stopped('interrupted');
      [level, back] = [opened, opened.inside(back)];
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { ended: error.ended, level, back, minimalRevert: [] };
  }
}

/** The reverted files: new path and old paths. */
const pathsIn = ({ level, back }: Blamed): ReadonlyMap<string, readonly string[]> =>
  new Map(
    level
      .changes(back)
      .flatMap(({ parts }) => parts)
      .flatMap(({ oldPath, newPath }) =>
        oldPath === undefined || newPath === undefined ? [] : [[newPath, [oldPath]]],
      ),
  );

/** How many lines a revert removes and brings back. A minified file is one line, of which many places may differ. */
function linesOf(pair: Pair, { level, back }: Pick<Blamed, 'level' | 'back'>): number {
  const patch = Buffer.from(revertPatch(pair, { level, back })).toString('latin1');
  const lines = patch.split('\n').filter(line => /^[-+](?!-- |\+\+ )/.test(line)).length;
  return level.isCutFromFew ? Math.max(lines, size(back)) : lines;
}
