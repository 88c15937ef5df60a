/** Chooses which files of a folder are its input: what .gitignore, --exclude and --include say, and what is only linked. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { decide, type Pattern, patternOf, patternsIn } from './ignore.js';

export interface Selection {
  /** Patterns of what is excluded, in the syntax of .gitignore. */
  readonly exclude?: readonly string[];
  /** Patterns of what is included, even if something else excludes it. */
  readonly include?: readonly string[];
  /** Whether .gitignore files count (they do by default). */
  readonly gitignore?: boolean;
}

/** `link`: installed packages. Tests need them, but they should not be reduced. */
export type Choice = 'in' | 'out' | 'link';

export interface Chooser {
  choose(path: string, isFolder: boolean): Choice;
  /** Whether an excluded folder may contain something that is included. */
  mayHoldIncluded(path: string): boolean;
}

const packages = 'node_modules';

/** `root`: the full path of the folder. `matched` is called with each pattern of --exclude that leaves something out. */
export function chooserFor(
  root: string,
  { exclude = [], include = [], gitignore = true }: Selection,
  matched: (glob: string) => void = () => {},
): Chooser {
  const excluded = exclude.map(glob => ({ glob, pattern: patternOf(glob, root) }));
  const included = include.flatMap(glob => patternOf(glob, root) ?? []);
  const repository = repositoryOf(root);
  const patterns = new Map<string, readonly Pattern[]>();
  const patternsFor = (folder: string): readonly Pattern[] => {
    let found = patterns.get(folder);
    if (!found) {
      const outer = folder === root ? patternsAbove(root, repository) : patternsFor(dirname(folder));
      patterns.set(folder, (found = [...outer, ...patternsIn(folder)]));
    }
    return found;
  };
  let tracked: ReadonlySet<string> | undefined;
  const isTracked = (path: string): boolean => {
    if (repository === undefined) return false;
    tracked ??= trackedIn(root);
    return tracked.has(path);
  };
  const isUnder = (which: readonly Pattern[], path: string, isFolder: boolean): boolean => {
    for (let at = path, folder = isFolder; at.length > root.length; at = dirname(at), folder = true)
      if (decide(which, at, folder) === 'out') return true;
    return false;
  };
  const isExcluded = (path: string, isFolder: boolean): boolean => {
    const found = excluded.find(({ pattern }) => pattern && isUnder([pattern], path, isFolder));
    if (found) matched(found.glob);
    return found !== undefined;
  };
  const isIgnored = (path: string, isFolder: boolean): boolean => {
    const parent = dirname(path);
    if (parent !== root && isIgnored(parent, true) && !isTracked(path)) return true;
    return decide(patternsFor(parent), path, isFolder) === 'out' && !isTracked(path);
  };
  return {
    choose(path, isFolder) {
      if (isUnder(included, path, isFolder)) return 'in';
      if (isExcluded(path, isFolder)) return 'out';
      if (basename(path) === packages) return 'link';
      return gitignore && isIgnored(path, isFolder) ? 'out' : 'in';
    },
    mayHoldIncluded: path =>
      included.length > 0 && (basename(path) !== packages || include.some(glob => glob.includes(packages))),
  };
}

/** The `node_modules` that programs next to the input find: in its own folder, or in the nearest parent folder. */
export function packagesAbove(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, packages);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

/** The folder that holds `.git`, if there is one above. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The patterns of the parent folders, unless they exclude the folder itself: the user asked for it by name. */
function patternsAbove(root: string, repository: string | undefined): readonly Pattern[] {
  if (repository === undefined) return [];
  const above: string[] = [];
  for (let at = root; at !== repository; at = dirname(at)) above.unshift(dirname(at));
  const exclude = patternsIn(repository, '.git/info/exclude');
  const patterns = [...exclude, ...above.flatMap(folder => patternsIn(folder))];
  for (let at = root; at !== repository; at = dirname(at)) if (decide(patterns, at, true) === 'out') return [];
  return patterns;
}

/** What git tracks, and the folders around it: a file that was added by force does not count as ignored. */
function trackedIn(root: string): ReadonlySet<string> {
  const { stdout, status } = spawnSync('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 1 << 30, encoding: 'utf8' });
  const tracked = new Set<string>();
  for (const name of status === 0 ? stdout.split('\0') : [])
    for (let at = name; at !== '' && at !== '.' && !tracked.has(join(root, at)); at = dirname(at))
      tracked.add(join(root, at));
  return tracked;
}
