/** Reads versions and history from a git repository. */
import { spawnSync } from 'node:child_process';
import type { Entry } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { addAll } from '../../core/lists.js';
import { nameOf } from '../file-names.js';
import { inOrder, lazyFile, type Snapshot } from './snapshot.js';

/** A commit and its parents, the oldest commit of a history first. */
export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
}

/**
 * The contents of a repository, read from its object store alone: nothing here reads the work tree, and nothing writes to
 * the index, the stash or a ref. Entries are cached by object, so that the same file of two revisions is the same entry.
 */
export interface Repository {
  readonly root: string;
  /** The full id of a revision's commit; throws a UserError if there is none. */
  commit(revision: string): string;
  snapshot(revision: string): Snapshot;
  /** The commits that are reachable from `bad` and from none of `good`, parents before children. */
  history(bad: string, good: readonly string[]): readonly Commit[];
  /** Paths that differ from the last commit: they are not part of any revision. */
  uncommitted(): readonly string[];
  isShallow(): boolean;
  /** A commit as people know it: `1a2b3c4d Jane Doe 2024-05-01 Fix the frobnicator`. */
  describe(id: string): string;
  /** Paths of the submodules of a revision: what is in them is not in this repository. */
  submodules(revision: string): readonly string[];
  /** The user's folder inside the repository: empty at its top. */
  readonly folder: string;
}

export function openRepository(cwd: string): Repository {
  const top = git(cwd, ['rev-parse', '--show-toplevel', '--is-shallow-repository', '--show-prefix']);
  if (top.failed)
    throw new UserError(
      `${cwd} is not inside a git repository${top.missing ? ', and the command `git` is not installed' : ''}, so a revision can't be looked up in it.`,
      'Start culprit inside the repository, or give two folders instead of revisions.',
    );
  const [root = cwd, shallow, folder = ''] = top.text.split('\n');
  const entries = new Map<string, Entry>();
  const isShallow = () => shallow === 'true';
  const commit = (revision: string): string => {
    const found = git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
    if (!found.failed) return found.text.trim();
    throw new UserError(
      `There is no commit "${revision}" in the repository at ${root}, and no folder of that name either.`,
      isShallow()
        ? 'The repository is a shallow clone, which lacks most of its history. Fetch it first:\n  git fetch --unshallow --tags'
        : 'Look for the right name with `git tag` or `git log --oneline`; a new tag may need `git fetch --tags`.',
    );
  };
  return {
    root,
    folder: folder.replace(/\/$/, ''),
    commit,
    isShallow,
    describe(id) {
      const log = git(root, ['log', '-1', '--no-show-signature', '--date=short', '--format=%h %an %ad %s', id]);
      return log.text.trim() || id.slice(0, 8);
    },
    submodules: revision =>
      git(root, ['ls-tree', '-r', '-z', '--full-tree', commit(revision)])
        .text.split('\0')
        .filter(line => /^\d+ commit /.test(line))
        .map(line => line.slice(line.indexOf('\t') + 1)),
    snapshot: revision => inOrder(listed(root, commit(revision), entries)),
    history(bad, good) {
      const range = [commit(bad), ...good.map(id => `^${commit(id)}`)];
      const list = git(root, ['rev-list', '--topo-order', '--reverse', '--parents', ...range]);
      return list.text
        .split('\n')
        .filter(line => line !== '')
        .map(line => {
          const [id = '', ...parents] = line.split(' ');
          return { id, parents };
        });
    },
    uncommitted: () =>
      git(root, ['--no-optional-locks', 'status', '--porcelain', '-z', '--untracked-files=no'])
        .text.split('\0')
        .filter(line => line !== '')
        .map(line => line.slice(3)),
  };
}

/** How many files are fetched from the object store with one process. */
const atOnce = 512;

function* listed(root: string, commit: string, entries: Map<string, Entry>): Generator<[string, Entry]> {
  const tree = git(root, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const waiting: string[] = [];
  const contents = new Map<string, Uint8Array>();
  const read = (object: string): Uint8Array => {
    if (!contents.has(object)) {
      const others = waiting.splice(0).filter(other => other !== object && !contents.has(other));
      addAll(waiting, others.slice(atOnce));
      for (const [id, bytes] of blobs(root, [object, ...others.slice(0, atOnce)])) contents.set(id, bytes);
    }
    const bytes = contents.get(object)!;
    contents.delete(object);
    return bytes;
  };
  for (const line of tree.text.split('\0')) {
    const match = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (!match) continue;
    const [, mode = '', type, object = '', path = ''] = match;
    const key = `${mode} ${object}`;
    let entry = entries.get(key);
    if (!entry) {
      // A submodule is a commit of another repository: its contents are not here, only its folder is.
      if (type === 'commit') entry = { kind: 'folder' };
      else if (mode === '120000')
        entry = { kind: 'link', target: nameOf(Buffer.from(blobs(root, [object]).get(object)!)) };
      else {
        waiting.push(object);
        entry = lazyFile(() => read(object), mode === '100755');
      }
      entries.set(key, entry);
    }
    yield [path, entry];
  }
}

/** `<object> <type> <size>\n<bytes>\n` for each object asked for. */
function blobs(root: string, objects: readonly string[]): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const { bytes } = git(root, ['cat-file', '--batch'], `${objects.join('\n')}\n`);
  let position = 0;
  for (const object of objects) {
    const end = bytes.indexOf(10, position);
    const header = bytes.toString('latin1', position, end).split(' ');
    if (end < 0 || header[1] !== 'blob')
      throw new UserError(
        `The repository at ${root} lacks the object ${object}, so this version can't be put together.`,
        'Is the clone partial or damaged? `git fsck` checks it, and `git fetch --refetch` gets what is missing.',
      );
    const size = Number(header[2]);
    found.set(object, bytes.subarray(end + 1, end + 1 + size));
    position = end + size + 2;
  }
  return found;
}

function git(cwd: string, args: readonly string[], input?: string) {
  const run = spawnSync('git', [...args], {
    cwd,
    input,
    maxBuffer: 2 ** 31 - 1,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const bytes: Buffer = run.stdout ?? Buffer.alloc(0);
  return {
    bytes,
    failed: run.status !== 0,
    missing: run.error !== undefined,
    get text() {
      return nameOf(bytes);
    },
  };
}
