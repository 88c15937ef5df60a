/** Resolves what a user calls a version: a folder, a revision, a package or a lockfile. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { UserError } from '../../core/index.js';
import { readNamed } from '../read-named.js';
import { openRepository, type Repository } from './git.js';
import { npmSnapshot } from './npm.js';
import { folderSnapshot, type Snapshot } from './snapshot.js';

/** One end of a comparison. */
export type Version = {
  /** As people would write it: `v1.2`, `npm:marked@0.6.2`, a folder's path. */
  readonly title: string;
} & (
  | { readonly kind: 'folder' | 'npm'; readonly files: Snapshot }
  | { readonly kind: 'git'; readonly files: Snapshot; readonly commit: string; readonly repository: Repository }
  /** A lockfile; its project is the folder that contains it. */
  | { readonly kind: 'lockfile'; readonly lockfile: string; readonly folder: string }
);

export interface VersionOptions {
  readonly cwd: string;
  /** A folder of ours, in which fetched packages are kept between runs. */
  readonly cache: string;
  readonly signal?: AbortSignal;
}

/** `old new`, or `old..new` for two revisions. */
export function splitVersions(given: readonly string[]): readonly [string, string] {
  const [first, second, ...more] = given;
  const range =
    first !== undefined && second === undefined && !existsSync(first) ? /^(.+?)\.\.\.?(.+)$/.exec(first) : null;
  if (range) return [range[1]!, range[2]!];
  if (first === undefined || second === undefined || more.length > 0)
    throw new UserError(
      `Two versions are needed, an old one that works and a new one that does not; ${given.length === 1 ? `only "${first}" was given` : `${given.length} were given`}.`,
      'Give two folders, two git revisions (or old..new), two npm:<package>@<version>, or two package-lock.json files.',
    );
  return [first, second];
}

/** Both ends. They must be of the same kind: a lockfile is only compared with another lockfile. */
export async function resolveVersions(
  given: readonly string[],
  options: VersionOptions,
): Promise<readonly [Version, Version]> {
  const [first, second] = splitVersions(given);
  let repository: Repository | undefined;
  const open = () => (repository ??= openRepository(options.cwd));
  const old = await resolveVersion(first, options, open);
  const now = await resolveVersion(second, options, open);
  if ((old.kind === 'lockfile') !== (now.kind === 'lockfile'))
    throw new UserError(
      `"${first}" and "${second}" can't be compared: one is a lockfile and the other is not.`,
      'Give two package-lock.json files to find the upgrade, or two versions of the sources to find the change.',
    );
  return [old, now];
}

export async function resolveVersion(
  spec: string,
  options: VersionOptions,
  open: () => Repository = () => openRepository(options.cwd),
): Promise<Version> {
  if (spec.startsWith('npm:'))
    return { kind: 'npm', title: spec, files: await npmSnapshot(spec.slice(4), options.cache, options.signal) };
  const path = resolve(options.cwd, spec);
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return { kind: 'folder', title: spec, files: folderSnapshot(path) };
    if (isLockfile(path)) return { kind: 'lockfile', title: spec, lockfile: path, folder: dirname(path) };
    throw new UserError(
      `${spec} is a file, but not a package-lock.json, so it is not a version.`,
      'To compare two inputs of a program, use `culprit isolate`. A version is a folder, a revision, npm:<package>@<version> or a lockfile.',
    );
  }
  if (looksLikePath(spec))
    throw new UserError(
      `There is no folder ${spec}.`,
      `Looked for ${path}. A version may also be a git revision or npm:<package>@<version>.`,
    );
  const repository = opened(spec, open);
  const commit = repository.commit(spec);
  return { kind: 'git', title: spec, files: repository.snapshot(commit), commit, repository };
}

/** What is not a folder must be a revision; without a repository, the message mentions both. */
function opened(spec: string, open: () => Repository): Repository {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`There is no folder ${spec}, and ${error.message}`, error.advice, error.exitCode);
  }
}

const looksLikePath = (spec: string): boolean => /^(\.{0,2}[/\\]|[a-z]:[/\\]|~)/i.test(spec) || spec.endsWith('/');

function isLockfile(path: string): boolean {
  if (/^(package-lock|npm-shrinkwrap)\.json$/.test(basename(path))) return true;
  try {
    return JSON.parse(readNamed(path).toString()).lockfileVersion !== undefined;
  } catch {
    return false;
  }
}

/** There must be something to blame. */
export function requireDifference(count: number, old: Version, now: Version): void {
  if (count === 0)
    throw new UserError(
      `${old.title} and ${now.title} do not differ. There is nothing to find.`,
      'Compare other versions; changes that are not committed are not part of a revision.',
      1,
    );
}
