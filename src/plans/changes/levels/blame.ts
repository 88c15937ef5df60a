/**
 * Which changes between two versions are to blame: an old one that passes, and a new one that fails. `descend` goes from the
 * suspected files down to hunks; then its findings are proven. A cause is a set of changes that makes old fail, and none of
 * them can be left out. The revert is a set of changes to undo so that new passes, and all of them are needed. If the suspects
 * alone do not fail, the search finds what they need; if new still fails without them, it finds the next cause. Hunks first,
 * then lines, inside the causes and the revert, and the tokens of lines that are too long to read.
 */
import type { Artifact } from '../../../core/artifact.js';
import {
  all,
  type Circumstance,
  type Configuration,
  empty,
  has,
  minus,
  size,
  type Test,
  union,
} from '../../../core/index.js';
import { addAll } from '../../../core/lists.js';
import { type Ended, type Event, orStopped, stopped } from '../../../engine/index.js';
import { type Proof, proofOf } from '../../proof.js';
import type { Lessons } from './asker.js';
import type { Level, OpenLevel } from './levels.js';
import { mostInVain, type Patience } from './patience.js';
import { type BlameOptions, type Cause, type Found, mostAskedAbout, Stopped, searchLevel } from './search-level.js';

export type { BlameOptions, Cause };

export interface Blamed {
  readonly ended: Ended;
  /** The level that the numbers below are of: the finest that was reached. */
  readonly level: Level;
  /** Each is enough to make old fail, in the order in which they were found. */
  readonly causes: readonly Cause[];
  /** Reverted, they make new pass; the old version itself if nothing smaller is known. */
  readonly back: Configuration;
  /** The smallest failing configuration if the search was stopped before a cause was found. */
  readonly failing: Configuration;
  /** What was proven: no single one of these can be left out of a cause, nor of the revert. */
  readonly minimal: readonly string[];
  /** The same for the revert alone: it can be minimal although nothing is known about the cause. */
  readonly minimalRevert: readonly string[];
  readonly proofs: readonly Proof<Artifact>[];
  /** The changes that were set aside mattered after all. */
  readonly widened: boolean;
}

/** What coverage says about the changes of the first level. */
export interface Suspicion {
  /** Those that may matter. */
  readonly suspects: Configuration;
  /** How likely each change is the culprit, relative to the others; all equal if coverage says nothing. */
  readonly weights?: readonly number[];
  /** Files of new that the test does not run any more, although it runs what they were in old. */
  readonly left?: readonly string[];
}

/** How likely each change of the first level is to blame. */
export const likelihoodIn =
  ({ suspects, weights }: Suspicion) =>
  (delta: number): number =>
    has(suspects, delta) ? (weights?.[delta] ?? 1) : unlikely;

/** `levels`: the coarsest first; the others are opened when the search reaches them. */
export async function* blame(
  levels: readonly [Level, ...OpenLevel[]],
  suspicion: Suspicion,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Blamed> {
  const { suspects } = suspicion;
  const likely = likelihoodIn(suspicion);
  const minimal: string[] = [];
  const minimalRevert: string[] = [];
  const proofs: Proof<Artifact>[] = [];
  const [coarsest, ...finer] = levels;
  const opening: OpenLevel[] = [async () => coarsest, ...finer];
  const lessons: Lessons = { missing: new Set() };
  const patience: Patience = { spent: 0, most: mostInVain };
  let reached = coarsest;
  let failing = all(reached.circumstance.count);
  let found: Found = { causes: [], back: failing, widened: false };
  const now = (ended: Ended): Blamed => ({ ...found, ended, level: reached, failing, minimal, minimalRevert, proofs });
  try {
    for (let i = 0; i < opening.length; i++) {
      const open = opening[i]!;
      // Reading the lines of many changes takes a while.
      const level = await orStopped(open(chosenIn(found), options.signal), options.signal);
      if (level === stopped) throw new Stopped('interrupted');
      const search = searchLevel({ level, lessons, patience, likely: i === 0 ? likely : () => 1 }, test, options, {
        failing: smaller => {
          if (i === 0 && size(smaller) < size(failing)) failing = smaller;
        },
        causes: causes => {
          if (i === 0) found = { ...found, causes };
        },
        found: known => {
          if (i === 0) found = known;
        },
      });
      found = i === 0 ? yield* search.first(suspects) : yield* search.finer(lowered(found, level));
      reached = level;
      const settled = level.settles?.(found.causes.map(({ changes }) => changes).reduce(union, empty));
      // If changes could not be distinguished at this level, the next one has even more of them; but a small revert has few lines.
      const isProven = () => search.isProven('cause') && search.isProven('revert');
      const isEntangled = !isProven() && size(found.back) > mostAskedAbout;
      const cut = isEntangled ? undefined : level.cuts?.(chosenIn(found));
      if (cut) opening.push(cut);
      const isLast = i === opening.length - 1 || settled !== undefined || isEntangled;
      // Smallest at the finest level only: there it costs least.
      if (isLast) found = yield* search.smallest(found);
      else found = { ...found, causes: yield* search.withNeeded(found.causes, found.back) };
      const proven = [level.proves, isLast ? settled : undefined].filter(each => each !== undefined);
      if (isLast && search.isProven('revert'))
        addAll(
          minimalRevert,
          [level.proves, level.settles?.(found.back)].filter(each => each !== undefined),
        );
      if (isProven())
        for (const proves of proven) {
          minimal.push(proves);
          addAll(
            proofs,
            provenAt(search.testable(), proves, isLast ? found : { ...found, back: undefined }, options.identify),
          );
        }
      // What was proven of hunks says nothing about the lines that are left of them.
      else minimal.length = proofs.length = 0;
      if (isLast) break;
    }
    return now('done');
  } catch (error) {
    if (error instanceof Stopped) return now(error.ended);
    throw error;
  }
}

/** What is worth splitting. What is there only so that the rest builds or runs says nothing, however large it is. */
const chosenIn = ({ causes, back }: Found): Configuration =>
  causes
    .filter(({ changes }) => size(changes) <= mostAskedAbout)
    .map(({ changes, needed = empty }) => minus(changes, needed))
    .reduce(union, back);

/** Each cause makes old fail, and the revert makes new pass: none of their changes can be left out. */
function provenAt(
  circumstance: Circumstance<Artifact>,
  proves: string,
  { causes, back }: Pick<Found, 'causes'> & { readonly back: Configuration | undefined },
  identify: (artifact: Artifact) => string,
): readonly Proof<Artifact>[] {
  const common = { circumstance, proves, identify };
  const reverted = back && minus(all(circumstance.count), back);
  return [
    ...causes.flatMap(({ changes }, i) => proofOf({ ...common, set: changes, of: `old with cause ${i + 1}` })),
    ...(reverted
      ? proofOf({ ...common, set: reverted, deltas: back, of: 'new without the culprits', outcome: 'pass' })
      : []),
  ];
}

const lowered = ({ causes, back, widened }: Found, level: Level): Found => ({
  causes: causes.map(({ changes, suspects }) => ({ changes: level.inside(changes), suspects: level.inside(suspects) })),
  back: level.inside(back),
  widened,
});

/** Changes that the test does not run, in the same place as a change that it does run. */
const unlikely = 0.1;
