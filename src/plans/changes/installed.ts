/** The packages that the tests of a revision find. */
import type { Entry } from '../../core/artifact.js';
import { installedPackages } from '../../sources/packages/installed.js';
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
  const [lock] = sources.filter(path => locks.test(path) && textAt(old.files, path) !== textAt(now.files, path));
  const hint = lock === undefined ? '' : ` ${lock} differs: to install what each version needs, use --build 'npm ci'.`;
  say(`Tests use the packages that are installed in your checkout.${hint}`);
  return links;
}

const textAt = (files: ReadonlyMap<string, Entry>, path: string): string | undefined => {
  const entry = files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1') : undefined;
};
