/** The two versions that `changes` compares. */
import { existsSync } from 'node:fs';
import { join, normalize, relative, resolve } from 'node:path';
import { upgradesOf } from '../../circumstances/packages.js';
import type { Artifact } from '../../core/artifact.js';
import { all, UserError } from '../../core/index.js';
import { isShellLine } from '../../core/shell.js';
import { identify } from '../../sources/files.js';
import { openProject } from '../../sources/packages/project.js';
import type { Repository } from '../../sources/versions/git.js';
import { requireDifference, resolveVersions, type Version } from '../../sources/versions/versions.js';
import { type Hierarchy, hierarchyOf, hierarchyOfUpgrades } from './levels/hierarchy.js';

export type Finest = 'commit' | 'file' | 'hunk' | 'line';

/** Two versions: the old one should pass, the new one should fail. */
export interface Pair {
  readonly old: Artifact;
  readonly new: Artifact;
  /** As people would write them. */
  readonly titles: readonly [string, string];
  /** Where the user can see them, if they are in folders. */
  readonly places: readonly [string | undefined, string | undefined];
  /** The lockfiles as they are, if the changes are upgrades. */
  readonly lockfiles?: readonly [string, string];
  readonly git?: { readonly repository: Repository; readonly commits: readonly [string, string] };
  hierarchy(granularity: Exclude<Finest, 'commit'>, signal?: AbortSignal): Promise<Hierarchy>;
}

/** Reads both versions; problems are reported before anything is run. */
export async function openPair(given: readonly string[], cache: string): Promise<Pair> {
  const [old, now] = await resolveVersions(given, { cwd: process.cwd(), cache });
  const titles = [old.title, now.title] as const;
  const places = [placeOf(old), placeOf(now)] as const;
  if (old.kind === 'lockfile' && now.kind === 'lockfile') {
    const [from, to] = [await openProject(old.lockfile, cache), await openProject(now.lockfile, cache)];
    const packages = upgradesOf(from, to);
    requireDifference(packages.count, old, now);
    const [first, last] = [packages.build([])!, packages.build(all(packages.count))!];
    const lockfiles = [from.lockfile.text, to.lockfile.text] as const;
    return { old: first, new: last, titles, places, lockfiles, hierarchy: async () => hierarchyOfUpgrades(packages) };
  }
  if (old.kind === 'lockfile' || now.kind === 'lockfile') throw new Error('resolveVersions lets no such pair through');
  const pair = pairOf({ files: old.files }, { files: now.files }, titles, places);
  requireDifference(identify(pair.old) === identify(pair.new) ? 0 : 1, old, now);
  return old.kind === 'git' && now.kind === 'git'
    ? { ...pair, git: { repository: now.repository, commits: [old.commit, now.commit] } }
    : pair;
}

export const pairOf = (
  old: Artifact,
  now: Artifact,
  titles: readonly [string, string],
  places: Pair['places'] = [undefined, undefined],
): Pair => ({
  old,
  new: now,
  titles,
  places,
  hierarchy: (granularity, signal) => hierarchyOf(old, now, granularity, signal),
});

function placeOf(version: Version): string | undefined {
  if (version.kind === 'lockfile') return version.folder;
  return version.kind === 'folder' ? version.title : undefined;
}

/** Words that name a version, or something in it, mean the candidate: the user's own folder would always be the same. */
export function wordsFor({ places }: Pair, command: readonly string[]): readonly string[] {
  if (isShellLine(command)) return command;
  return command.map(word => {
    for (const place of places) {
      if (place === undefined || word === '') continue;
      const [full, folder] = [resolve(word), resolve(place)];
      if (full === folder) return '{}';
      if (full.startsWith(`${folder}/`) && existsSync(full)) return `./${relative(folder, full)}`;
    }
    return word;
  });
}

/** Words of the command that name something in a version stay as they are: they refer to the version's own files. */
export function insideOf({ old, new: now, git }: Pair): (word: string) => boolean {
  return word => {
    // In a subfolder of a repository, words are relative to it.
    const path = normalize(join(git?.repository.folder ?? '', word));
    return path !== '' && (old.files.has(path) || now.files.has(path));
  };
}

/** Words that name a file which only one of the versions has: the test itself may be what differs. */
export function onlyInOne({ old, new: now }: Pair, command: readonly string[]): readonly string[] {
  const words = command.flatMap(word => word.split(/\s+/)).map(word => word.replace(/^(\.\/)+/, ''));
  return words.filter(word => old.files.has(word) !== now.files.has(word));
}

/** A run continues with the versions that it began with, or not at all. */
export function demandSame(pair: Pair, noted: unknown): void {
  const known = noted as { readonly old: string; readonly new: string } | undefined;
  const now = identities(pair);
  if (known === undefined || (known.old === now.old && known.new === now.new)) return;
  const which = known.old === now.old ? pair.titles[1] : pair.titles[0];
  throw new UserError(
    `${which} has changed since the run began, so earlier results are no longer valid.`,
    'Start a new run, or restore the versions as they were.',
    1,
  );
}

export const identities = ({ old, new: now }: Pair) => ({ old: identify(old), new: identify(now) });
