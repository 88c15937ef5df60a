import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import { readArtifact } from '../sources/files.js';
import { makeFolder, writable, writeFile, writeFolder } from './atomic-write.js';
import { type Header, Journal } from './journal.js';
import { lock } from './lock.js';

export { writable, writeFolder } from './atomic-write.js';

/**
 * A run's folder: journal.jsonl, original/, best/ (the smallest verified artifact, always complete), other-failures/,
 * report.html, summary.json. One culprit at a time works in it.
 */
export class RunFolder {
  readonly path: string;
  readonly journal: Journal;
  readonly resumed: boolean;
  #isOpen = true;

  private constructor(path: string, journal: Journal, resumed: boolean) {
    this.path = path;
    this.journal = journal;
    this.resumed = resumed;
  }

  /** A new folder: the one that was asked for, or the next free `.culprit/<name>-<n>`. */
  static create(asked: string | undefined, name: string, header: Header): RunFolder {
    const path = asked ?? nextFree(name);
    const refuse = () => {
      const size = statSync(join(path, 'journal.jsonl'), { throwIfNoEntry: false })?.size;
      // Killed before its first line was written: there was no run.
      if (size === 0) rmSync(join(path, 'journal.jsonl'));
      else if (size !== undefined)
        throw new UserError(
          `${path} holds another run.`,
          `Go on with it by \`culprit resume ${path}\`, or name another folder with --run.`,
        );
    };
    writable(path, () => makeFolder(path));
    // In use is said before in the way: the other one may be at it this very moment.
    lock(path);
    try {
      refuse();
      return new RunFolder(
        path,
        writable(path, () => Journal.create(join(path, 'journal.jsonl'), header)),
        false,
      );
    } catch (error) {
      rmSync(join(path, 'lock'), { force: true });
      throw error;
    }
  }

  /** Takes a full path. Whoever goes on with the run does so in the folder that it was started in (the journal's `cwd`). */
  static reopen(path: string): RunFolder {
    if (!existsSync(path))
      throw new UserError(`There is no run at ${path}.`, 'Runs are kept in .culprit/; `ls .culprit` shows them.');
    if (!lstatSync(join(path, 'journal.jsonl'), { throwIfNoEntry: false }))
      throw new UserError(
        `There is no run at ${path}: it holds no journal.jsonl.`,
        'Give the folder of a run, for example: culprit resume .culprit/bug-1.',
      );
    lock(path);
    try {
      const journal = Journal.reopen(join(path, 'journal.jsonl'));
      // Killed between its two renames: see writeFolder.
      for (const folder of [join(path, 'original'), join(path, 'best')])
        if (!existsSync(folder) && existsSync(`${folder}.old`)) renameSync(`${folder}.old`, folder);
      // It told of a leg that ended; the run goes on.
      rmSync(join(path, 'summary.json'), { force: true });
      const short = relative(journal.header.cwd, path);
      return new RunFolder(short.startsWith('..') ? path : short, journal, true);
    } catch (error) {
      rmSync(join(path, 'lock'), { force: true });
      throw error;
    }
  }

  keepOriginal(artifact: Artifact): void {
    writable(this.path, () => writeFolder(join(this.path, 'original'), artifact));
  }

  /** The original as it was at the start. */
  original(): Artifact {
    const kept = this.keptOriginal();
    if (kept) return kept;
    throw new UserError(
      `There is no original in ${this.path}: the run was stopped before it began.`,
      'Start it again.',
      1,
    );
  }

  /** The same, if the run came so far as to keep it. */
  keptOriginal(): Artifact | undefined {
    return keptIn(this.path, 'original');
  }

  keepBest(artifact: Artifact): void {
    writable(this.path, () => writeFolder(join(this.path, 'best'), artifact));
  }

  /** An input that failed in another way; one for each signature. */
  keepOther(name: string, artifact: Artifact, words: string): string {
    const folder = join(this.path, 'other-failures', name);
    writable(this.path, () => {
      writeFolder(folder, artifact);
      writeFileSync(`${folder}.txt`, `${words}\n`);
    });
    return folder;
  }

  write(name: string, text: string): void {
    writable(this.path, () => writeFile(join(this.path, name), text));
  }

  /** A file on its way to its place: in this folder, which is cleared when the run goes on, and not among the user's files. */
  place(path: string, bytes: Uint8Array, executable: boolean): void {
    writable(path, () => writeFile(path, bytes, { executable, by: join(this.path, 'output.tmp') }));
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.journal.close();
    rmSync(join(this.path, 'lock'), { force: true });
  }

  /** For a run that came to nothing: takes away what it wrote, and the folders that are empty then. */
  discard(): void {
    this.close();
    for (const name of ['journal.jsonl', 'salt', 'original', 'original.new', 'report.html'])
      rmSync(join(this.path, name), { recursive: true, force: true });
    try {
      if (readdirSync(this.path).length === 0) rmdirSync(this.path);
      if (readdirSync('.culprit').length === 0) rmdirSync('.culprit');
    } catch {
      // Somebody else's folder, or none: it stays.
    }
  }
}

/** An artifact in a run's folder, where there is one. Only looks: the run may be going on. */
export function keptIn(run: string, name: 'original' | 'best'): Artifact | undefined {
  const found = [name, `${name}.old`].find(each => existsSync(join(run, each)));
  if (found === undefined) return undefined;
  const { artifact } = readArtifact([join(run, found)]);
  return { files: new Map([...artifact.files].map(([path, entry]) => [path.slice(found.length + 1), entry])) };
}

/** The newest run that is there, for `resume` and `report` without a name. */
export function latestRun(folders: readonly { readonly path: string; readonly changed: number }[]): string {
  const [latest] = [...folders].sort((a, b) => b.changed - a.changed);
  if (!latest)
    throw new UserError(
      'There is no run here yet.',
      'Runs are kept in .culprit/ of the folder that they were started in.',
    );
  return latest.path;
}

/** Made at once, so that two culprits that start in the same moment do not take the same. */
function nextFree(name: string): string {
  const safe = name.replace(/[^\w.-]+/g, '_') || 'run';
  return writable('.culprit', () => {
    makeFolder('.culprit');
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
