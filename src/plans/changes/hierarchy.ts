/** The changes as levels: upgrades, files, hunks, lines. */
import { blocksOf } from '../../circumstances/changes/blocks.js';
import { type Changes, changesBetween } from '../../circumstances/changes/changes.js';
import { dependenciesIn } from '../../circumstances/changes/needs.js';
import type { Granularity } from '../../circumstances/changes/parts.js';
import type { Packages } from '../../circumstances/packages.js';
import type { Artifact } from '../../core/artifact.js';
import { type Configuration, deltasOf, of } from '../../core/index.js';
import { groupingsOf, type Level, levelOf, linesOf } from './levels.js';
import { lackingIn } from './missing.js';
import { rejectSyntaxErrors } from './reject-syntax-errors.js';

/** The changes between two versions, ready to be searched level by level. */
export interface Hierarchy<Deltas extends Changes | Packages = Changes | Packages> {
  /** The changes as coverage and reports see them: hunks, files or upgrades. */
  readonly changes: Deltas;
  readonly levels: readonly [Level, ...((signal?: AbortSignal) => Promise<Level>)[]];
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
    lacks,
  };
  const lines = async (signal?: AbortSignal): Promise<Level> => {
    const finer = await rejectSyntaxErrors(between('line'));
    const inside = linesOf(changes, finer);
    // Once lines are gone, a whole hunk may be able to go: the proof is over both.
    const byHunk = Array.from({ length: changes.count }, (_, hunk) => [...deltasOf(inside(of([hunk])))]);
    return {
      ...levelOf(finer, 'line', inside),
      groupings: [byHunk, ...blocksOf(finer, byHunk)],
      proven: byHunk,
      dependencies: await dependenciesIn(finer, signal),
      lacks,
    };
  };
  return {
    changes,
    levels: granularity === 'line' ? [hunks, lines] : [hunks],
    list: () => between(granularity),
  };
}

export const levelOfUpgrades = (packages: Packages): Level => ({
  name: 'upgrade',
  proves: 'upgrade',
  circumstance: packages,
  inside: same,
  changes: chosen =>
    [...deltasOf(chosen)].map(delta => ({ kind: 'package', label: packages.describe(delta), parts: [] })),
});

export const hierarchyOfUpgrades = (packages: Packages): Hierarchy<Packages> => ({
  changes: packages,
  levels: [levelOfUpgrades(packages)],

  list: () => packages,
});

const same = (configuration: Configuration): Configuration => configuration;
