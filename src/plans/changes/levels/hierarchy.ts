/** The changes as levels: upgrades, files, hunks, lines, tokens of long lines. */
import { acrossHunks, blocksOf } from '../../../circumstances/changes/blocks.js';
import { type Changes, changesBetween } from '../../../circumstances/changes/changes.js';
import { holds, linesOf } from '../../../circumstances/changes/lines-of-hunks.js';
import { movesIn } from '../../../circumstances/changes/moves.js';
import { type Dependencies, dependenciesIn } from '../../../circumstances/changes/needs/needs.js';
import type { Granularity } from '../../../circumstances/changes/parts.js';
import type { Packages } from '../../../circumstances/packages.js';
import type { Artifact } from '../../../core/artifact.js';
import type { Hunk } from '../../../core/diff.js';
import { type Configuration, deltasOf, equals, has, of } from '../../../core/index.js';
import { joinStatements } from '../../statements.js';
import { groupingsOf, type Level, levelOf, type OpenLevel } from './levels.js';
import { lackingIn } from './missing.js';
import { rejectSyntaxErrors } from './reject-syntax-errors.js';
import { hasLongLines, tokensIn } from './tokens.js';

/** The changes between two versions, ready to be searched level by level. */
export interface Hierarchy<Deltas extends Changes | Packages = Changes | Packages> {
  /** The changes as coverage and reports see them: hunks, files or upgrades. */
  readonly changes: Deltas;
  readonly levels: readonly [Level, ...OpenLevel[]];
  /** The finest level as one plain list, every candidate of which is a test. */
  list(): Deltas;
}

/** `granularity`: the finest level that is searched. */
export async function hierarchyOf(
  old: Artifact,
  now: Artifact,
  granularity: Exclude<Granularity, 'commit'>,
  signal?: AbortSignal,
): Promise<Hierarchy<Changes>> {
  const between = (finest: Granularity) => changesBetween(old.files, now.files, { granularity: finest });
  if (granularity === 'file') {
    const changes = await rejectSyntaxErrors(between('file'));
    return { changes, levels: [levelOf(changes, 'file', same)], list: () => between('file') };
  }
  const changes = await rejectSyntaxErrors(between('hunk'));
  const lacks = await lackingIn(changes);
  const hunks: Level = {
    ...levelOf(changes, 'hunk', same),
    groupings: groupingsOf(changes),
    dependencies: await dependenciesIn(changes, signal),
    syntaxErrorIn: changes.syntaxErrorIn,
    lacks,
  };
  const lines = async (chosen: Configuration, signal?: AbortSignal): Promise<Level> => {
    const split = [...deltasOf(chosen)].flatMap(delta => changes.changes[delta]!.parts);
    // Only what is blamed so far is split: the rest of a large diff stays as it is.
    const isSplit = (file: number, hunk: Hunk): boolean => split.some(part => part.file === file && holds(part, hunk));
    const single = changesBetween(old.files, now.files, { granularity: 'line', isSplit });
    const inHunk = linesOf(changes, single);
    const raw = Array.from({ length: changes.count }, (_, hunk) => [...deltasOf(inHunk(of([hunk])))]);
    const { changes: joined, byHunk, needs } = await joinStatements(single, raw);
    const finer = await rejectSyntaxErrors(joined);
    return {
      ...levelOf(finer, 'line', above => of([...deltasOf(above)].flatMap(hunk => byHunk[hunk]!))),
      groupings: [byHunk, ...blocksOf(finer, byHunk)],
      // Once lines are gone, a whole hunk may be able to go, or all of a block, or both ends of a move: the proof is over these, too.
      proven: [byHunk, acrossHunks(finer, byHunk), movesIn(finer, byHunk)],
      dependencies: await dependenciesIn(finer, signal, needs),
      syntaxErrorIn: finer.syntaxErrorIn,
      lacks,
      cuts: blamed => (hasLongLines(joined, blamed) ? cut => tokensIn({ lines: joined, isSplit }, cut) : undefined),
    };
  };
  return {
    changes,
    levels: granularity === 'line' ? [hunks, lines] : [hunks],
    list: () => between(granularity),
  };
}

/** An upgrade is not blamed for another one that it can't be installed without: a candidate without that one is no candidate. */
export const levelOfUpgrades = (packages: Packages): Level => ({
  name: 'upgrade',
  proves: 'upgrade',
  circumstance: {
    ...packages,
    build: chosen => (equals(packages.closed(chosen), chosen) ? packages.build(chosen) : undefined),
  },
  dependencies: needsOf(packages),
  inside: same,
  changes: chosen =>
    [...deltasOf(chosen)].map(delta => ({ kind: 'package', label: packages.describe(delta), parts: [] })),
});

function needsOf({ upgrades }: Packages): Dependencies {
  const certain = {
    withNeeded: (these: Configuration) => of([...deltasOf(these)].flatMap(delta => [delta, ...upgrades[delta]!.needs])),
    withNeeding: (these: Configuration) =>
      of([...upgrades.keys()].filter(delta => [delta, ...upgrades[delta]!.needs].some(each => has(these, each)))),
  };
  return { ...certain, certain, learning: () => undefined };
}

export const hierarchyOfUpgrades = (packages: Packages): Hierarchy<Packages> => ({
  changes: packages,
  levels: [levelOfUpgrades(packages)],

  list: () => packages,
});

const same = (configuration: Configuration): Configuration => configuration;
