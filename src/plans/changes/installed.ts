/** The packages that the tests of a revision find. */
import type { Entry } from '../../core/artifact.js';
import { installedPackages } from '../../sources/packages/installed.js';
import { sameEntry } from '../../sources/versions/snapshot.js';
import type { Context } from '../job.js';
import type { Pair } from './pair.js';

/** Files that say which versions are installed. */
const locks =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|composer\.lock)$/;

/** Those of the user's checkout. With --build, it is the build that installs them, in each test's own folder. */
export function packagesOf(
  { git, old, new: now }: Pair,
  isBuilt: boolean,
  { say }: Context,
): ReadonlyMap<string, Entry> {
  if (git === undefined || isBuilt) return new Map();
  const sources = [...new Set([...old.files.keys(), ...now.files.keys()])];
  const isIn = (path: string) => sources.some(source => source === path || source.startsWith(`${path}/`));
  const links = installedPackages(git.repository.root, sources, isIn);
  if (links.size === 0) return links;
  const isSame = (path: string): boolean => {
    const [before, after] = [old.files.get(path), now.files.get(path)];
    return before !== undefined && after !== undefined && sameEntry(before, after);
  };
  const lock = sources.find(path => locks.test(path) && !isSame(path));
  const hint = lock === undefined ? '' : ` ${lock} differs: to install what each version needs, use --build 'npm ci'.`;
  say(`Tests use the packages that are installed in your checkout.${hint}`);
  return links;
}
