/** Finds the commit that each change came with, from `git blame`. */
import { spawnSync } from 'node:child_process';
import type { Repository } from '../../sources/versions/git.js';
import type { Part } from './parts.js';

/**
 * Which commit between two revisions a part came with, for granularity `commit`. What came is asked of `git blame`; of what
 * only went, `git blame --reverse` tells the last commit that still had it, and a child of that one took it away.
 * The last commit of a part that several had a hand in stands for all of it: any subset of commits then applies.
 */
export function commitsOf(repository: Repository, old: string, now: string): (part: Part) => string | undefined {
  const range = `${repository.commit(old)}..${repository.commit(now)}`;
  const history = repository.history(now, [old]);
  const place = new Map(history.map(({ id }, i) => [id, i]));
  const known = new Map<string, readonly string[]>();
  const blamed = (path: string, reverse: boolean): readonly string[] => {
    const key = `${reverse} ${path}`;
    const lines = known.get(key) ?? blame(repository.root, range, path, reverse);
    known.set(key, lines);
    return lines;
  };
  const youngest = (ids: readonly string[]): string | undefined =>
    ids.filter(id => place.has(id)).sort((a, b) => place.get(b)! - place.get(a)!)[0];
  const lastTouch = (path: string): string | undefined => {
    const list = git(repository.root, ['rev-list', '--topo-order', range, '--', path]).split('\n');
    return youngest(list);
  };
  return part => {
    const { oldPath, newPath, oldStart, oldCount, newStart, newCount } = part;
    if (newPath !== undefined && newCount > 0)
      return youngest(blamed(newPath, false).slice(newStart, newStart + newCount));
    if (oldPath !== undefined && oldCount > 0) {
      const had = new Set(blamed(oldPath, true).slice(oldStart, oldStart + oldCount));
      const took = history.filter(({ parents }) => parents.some(parent => had.has(parent))).map(({ id }) => id);
      const touched = new Set(git(repository.root, ['rev-list', range, '--', oldPath]).split('\n'));
      return youngest(took.filter(id => touched.has(id))) ?? youngest(took);
    }
    return lastTouch((newPath ?? oldPath)!);
  };
}

/** The commit of every line, by place. */
const blame = (root: string, range: string, path: string, reverse: boolean): readonly string[] =>
  git(root, ['blame', '-s', '-l', ...(reverse ? ['--reverse'] : []), range, '--', path])
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.replace(/^\^/, '').slice(0, 40).trim());

const git = (cwd: string, args: readonly string[]): string =>
  spawnSync('git', [...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).stdout;
