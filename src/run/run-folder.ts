/** The folder of a run: original, best result, journal. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import { explained, readArtifact } from '../sources/files.js';
import { makeFolder, mark, markFolder, syncAll, writable, writeFile } from './atomic-write.js';
import { type Header, Journal } from './journal.js';
import { demandUnlocked, lock, type Release } from './lock.js';
import { isTemporaryName, listingAt, removeListed } from './made.js';
import { isOwn, Publication, readLedger, removeEmpty } from './publication.js';
import { demandSameVersions } from './versions.js';

export { writable } from './atomic-write.js';

/** How long a new best may take to reach the disk: syncing a hundred of them per second would cost more than the tests. */
const syncEvery = 200;

interface Opened {
  /** As shown to people, relative to the folder in which the run was started. */
  readonly path: string;
  readonly full: string;
  readonly journal: Journal;
  readonly resumed: boolean;
  readonly release: Release;
  /** Folders that were not there before the run. */
  readonly made: readonly string[];
  readonly notices: readonly string[];
}

/**
 * A run's folder: journal.jsonl, original/, best/ (the smallest verified artifact, always complete), other-failures/,
 * report.html, summary.json. Only one culprit works in it at a time, and it contains no other files.
 */
export class RunFolder {
  readonly path: string;
  readonly journal: Journal;
  readonly resumed: boolean;
  /** What someone who resumes the run must know. */
  readonly notices: readonly string[];
  readonly #full: string;
  readonly #release: Release;
  readonly #made: readonly string[];
  readonly #original: Publication;
  readonly #best: Publication;
  #isOpen = true;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #syncing: NodeJS.Timeout | undefined;

  private constructor({ path, full, journal, resumed, release, made, notices }: Opened) {
    this.path = path;
    this.journal = journal;
    this.resumed = resumed;
    this.notices = notices;
    this.#full = full;
    this.#release = release;
    this.#made = made;
    this.#original = new Publication(join(full, 'original'), ledgerOf(full, 'original'));
    this.#best = new Publication(join(full, 'best'), ledgerOf(full, 'best'));
  }

  /** A new folder: the requested one, or the next free `.culprit/<name>-<n>`. */
  static create(asked: string | undefined, name: string, header: Header): RunFolder {
    const path = asked ?? nextFree(name);
    const made = writable(path, () => makeFolder(path));
    demandOwn(path);
    writable(path, () => markFolder(path));
    const release = lock(path);
    try {
      demandNoRun(path);
      rmSync(join(path, 'journal.jsonl'), { force: true });
      const journal = writable(path, () => Journal.create(join(path, 'journal.jsonl'), header));
      const opened = { path, full: resolve(path), journal, resumed: false, release, notices: [] };
      return new RunFolder({ ...opened, made: asked === undefined ? [path] : made });
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Takes a full path. A run is resumed in the folder that it was started in (the journal's `cwd`). */
  static reopen(path: string): RunFolder {
    demandFolder(path);
    const journalPath = join(path, 'journal.jsonl');
    if (!explained(journalPath, () => lstatSync(journalPath, { throwIfNoEntry: false })))
      throw new UserError(
        `There is no run at ${path}: it has no journal.jsonl.`,
        'Give the folder of a run, for example: culprit resume .culprit/bug-1.',
      );
    const release = lock(path);
    let journal: Journal | undefined;
    try {
      journal = Journal.reopen(journalPath);
      demandSameVersions(journal.header, path);
      const notices = [...(journal.damage === undefined ? [] : [journal.damage]), ...recover(path)];
      // It describes a run that ended, and this one continues.
      rmSync(join(path, 'summary.json'), { force: true });
      const short = relative(journal.header.cwd, path);
      const opened = { full: path, journal, resumed: true, release, made: [], notices };
      return new RunFolder({ ...opened, path: short.startsWith('..') ? path : short });
    } catch (error) {
      journal?.close();
      release();
      throw error;
    }
  }

  keepOriginal(artifact: Artifact): void {
    this.#original.publish(artifact.files, { ...this.#how, sync: artifact.files.size === 1 });
  }

  /** The original as it was at the start, if the run got far enough to store it. */
  keptOriginal(): Artifact | undefined {
    const recorded = readLedger(ledgerOf(this.#full, 'original'));
    if (!recorded || !existsSync(join(this.#full, 'original'))) return undefined;
    if (!isOwn(join(this.#full, 'original'), { ...recorded, path: join(this.#full, 'original') }))
      throw new UserError(
        `${this.path}/original is not what the run began with: it was changed, or a power cut damaged it.`,
        `Start the run again. If it found anything, that is in ${this.path}/best.`,
        1,
      );
    return keptIn(this.#full, 'original');
  }

  /** Complete on disk immediately; safe from a power cut within a fraction of a second. */
  keepBest(artifact: Artifact): void {
    const now = performance.now();
    const sync = now - this.#syncedAt >= syncEvery;
    this.#best.publish(artifact.files, { ...this.#how, sync });
    if (sync) this.#wasSynced(now);
    else this.#syncing ??= setTimeout(() => this.#sync(), syncEvery).unref();
  }

  #sync(): void {
    if (this.#syncing) syncAll(this.#best.path);
    this.#wasSynced(performance.now());
  }

  #wasSynced(now: number): void {
    this.#syncedAt = now;
    clearTimeout(this.#syncing);
    this.#syncing = undefined;
    this.journal.sync();
  }

  get #how() {
    return { via: this.#full, run: this.#full };
  }

  /** An input that fails in the same way for another cause, by its number. A resumed run finds the same one again. */
  keepCause(number: number, artifact: Artifact): string {
    const others = join(this.path, 'others');
    const folder = join(others, String(number));
    return writable(this.path, () => {
      makeFolder(others);
      new Publication(folder, ledgerOf(this.path, `cause-${number}`)).publish(artifact.files, this.#how);
      return folder;
    });
  }

  /** An input that failed in another way; one for each signature. */
  keepOther(name: string, artifact: Artifact, words: string): string {
    const others = join(this.path, 'other-failures');
    return writable(this.path, () => {
      makeFolder(others);
      // A killed process may have kept one of this name that is not in the journal.
      let folder = join(others, name);
      for (let n = 2; existsSync(folder) || existsSync(`${folder}.txt`); n++) folder = join(others, `${name}-${n}`);
      writeFileSync(`${folder}.txt`, `${words}\n`, { flag: 'wx' });
      new Publication(folder, ledgerOf(this.path, 'other')).publish(artifact.files, this.#how);
      return folder;
    });
  }

  write(name: string, text: string): void {
    writable(this.path, () => writeFile(join(this.path, name), text));
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#sync();
    this.journal.close();
    this.#release();
  }

  /** For a run without a result: removes what it wrote, and the folders that it created. */
  discard(): void {
    this.#original.remove();
    this.close();
    for (const name of ['journal.jsonl', 'salt', 'report.html', 'made/original.json'])
      rmSync(join(this.path, name), { force: true });
    removeEmpty(join(this.path, 'made'));
    unmark(this.path);
    for (const folder of [...this.#made].reverse()) removeEmpty(folder);
    if (!this.#made.includes(this.path) || existsSync(this.path)) return;
    if (dirname(this.path) === '.culprit') unmark('.culprit');
  }
}

const ledgerOf = (run: string, name: string): string => join(run, 'made', `${name}.json`);

/** Removes the mark from a folder that contains nothing else, and the folder too if it is `.culprit`. */
function unmark(folder: string): void {
  const path = join(folder, '.gitignore');
  try {
    if (readdirSync(folder).length === 1 && readFileSync(path, 'utf8') === mark) rmSync(path);
    if (folder === '.culprit') removeEmpty(folder);
  } catch {
    // It was never marked.
  }
}

const isMarked = (folder: string): boolean => {
  try {
    return readFileSync(join(folder, '.gitignore'), 'utf8') === mark;
  } catch {
    return false;
  }
};

/** A new run needs an empty folder, or one that contains only the beginnings of a culprit run. */
function demandOwn(path: string): void {
  const names = writable(path, () => readdirSync(path));
  if (names.length === 0) return;
  // "In use" is reported before "not empty": the other process may be using it right now.
  demandUnlocked(path);
  demandNoRun(path);
  const beginnings = /^(\.gitignore|lock|journal\.jsonl|made)$/;
  const others = names.filter(name => !isTemporaryName(name));
  const foreign = isMarked(path)
    ? others.find(name => !beginnings.test(name))
    : (others.find(name => name !== '.gitignore') ?? others[0]);
  if (foreign !== undefined)
    throw new UserError(
      `${path} can't be a run folder: it contains ${foreign}, which culprit did not write.`,
      'Choose a new or empty folder with --run.',
    );
}

function demandNoRun(path: string): void {
  const journal = join(path, 'journal.jsonl');
  if (!existsSync(journal)) return;
  if (!isMarked(path) || !isUnbegun(path))
    throw new UserError(
      `${path} contains another run.`,
      `Continue it with \`culprit resume ${path}\`, or choose another folder with --run.`,
    );
}

/** Killed before its first line was written: there was no run. */
function isUnbegun(path: string): boolean {
  const journal = join(path, 'journal.jsonl');
  return lstatSync(journal).isFile() && isMarked(path) && !readFileSync(journal).includes(10);
}

/** Repairs what a kill or a power cut left; returns what the user must know about it. */
function recover(path: string): readonly string[] {
  const notices: string[] = [];
  for (const name of ['original', 'best'] as const) {
    const folder = join(path, name);
    const [old] = readdirSync(path).filter(each => isTemporaryName(each) && each.endsWith(`-old-${name}`));
    // Killed between its two renames: see Publication.
    if (!existsSync(folder) && old !== undefined) renameSync(join(path, old), folder);
  }
  const best = join(path, 'best');
  const recorded = readLedger(ledgerOf(path, 'best'));
  if (existsSync(best) && !(recorded && isOwn(best, { ...recorded, path: best }))) {
    let aside = join(path, 'best.changed');
    for (let n = 2; existsSync(aside); n++) aside = join(path, `best.changed-${n}`);
    renameSync(best, aside);
    notices.push(`${best} is not what the run left there; it was moved to ${aside}, and is written again.`);
  }
  for (const name of readdirSync(path)) {
    const listing = isTemporaryName(name) ? listingAt(join(path, name)) : undefined;
    if (listing) removeListed(join(path, name), listing);
  }
  return notices;
}

/** A run is a folder, whatever else is in it. */
export function demandFolder(path: string): void {
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new UserError(`There is no run at ${path}.`, 'Runs are kept in .culprit/; `ls .culprit` shows them.');
  explained(path, () => readdirSync(path));
}

/** An artifact in a run's folder, if there is one. Read-only: the run may still be running. */
export function keptIn(run: string, name: 'original' | 'best'): Artifact | undefined {
  const names = existsSync(run) ? readdirSync(run) : [];
  const found =
    names.find(each => each === name) ?? names.find(each => isTemporaryName(each) && each.endsWith(`-old-${name}`));
  if (found === undefined) return undefined;
  const { artifact } = readArtifact([join(run, found)]);
  return { files: new Map([...artifact.files].map(([path, entry]) => [path.slice(found.length + 1), entry])) };
}

/** The newest run, for `resume` and `report` without a name. */
export function latestRun(folders: readonly { readonly path: string; readonly changed: number }[]): string {
  const [latest] = [...folders].sort((a, b) => b.changed - a.changed);
  if (!latest)
    throw new UserError(
      'There is no run here yet.',
      'Runs are kept in .culprit/ of the folder in which they were started.',
    );
  return latest.path;
}

/** Created at once, so that two culprits that start at the same moment do not choose the same one. */
function nextFree(name: string): string {
  const safe = name.replace(/[^\w.-]+/g, '_') || 'run';
  return writable('.culprit', () => {
    makeFolder('.culprit');
    markFolder('.culprit');
    for (let n = 1; ; n++) {
      const path = join('.culprit', `${safe}-${n}`);
      try {
        mkdirSync(path);
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  });
}
