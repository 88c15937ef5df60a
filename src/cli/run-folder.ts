import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Artifact } from '../circumstances/artifact.js';
import { readArtifact } from '../circumstances/files.js';
import { UserError } from '../core/index.js';
import { type Header, Journal } from '../engine/journal.js';

/**
 * A run's folder: journal.jsonl, original/, best/ (the smallest verified artifact, always complete), other-failures/,
 * report.html, summary.json. One culprit at a time works in it.
 */
export class RunFolder {
  readonly path: string;
  readonly journal: Journal;
  readonly resumed: boolean;

  private constructor(path: string, journal: Journal, resumed: boolean) {
    this.path = path;
    this.journal = journal;
    this.resumed = resumed;
  }

  /** A new folder: the one that was asked for, or the next free `.culprit/<name>-<n>`. */
  static create(asked: string | undefined, name: string, header: Header): RunFolder {
    const path = asked ?? nextFree(name);
    if (existsSync(join(path, 'journal.jsonl')))
      throw new UserError(
        `${path} holds another run.`,
        `Go on with it by \`culprit resume ${path}\`, or name another folder with --run.`,
      );
    writable(path, () => mkdirSync(path, { recursive: true }));
    lock(path);
    return new RunFolder(
      path,
      writable(path, () => Journal.create(join(path, 'journal.jsonl'), header)),
      false,
    );
  }

  static reopen(path: string): RunFolder {
    if (!existsSync(path))
      throw new UserError(`There is no run at ${path}.`, 'Runs are kept in .culprit/; `ls .culprit` shows them.');
    lock(path);
    return new RunFolder(path, Journal.reopen(join(path, 'journal.jsonl')), true);
  }

  keepOriginal(artifact: Artifact): void {
    writeFolder(join(this.path, 'original'), artifact);
  }

  original(): Artifact {
    const folder = join(this.path, 'original');
    const files = new Map(
      [...readArtifact([folder]).artifact.files].map(([path, entry]) => [path.slice('original/'.length), entry]),
    );
    return { files };
  }

  keepBest(artifact: Artifact): void {
    writeFolder(join(this.path, 'best'), artifact);
  }

  /** An input that failed in another way; one for each signature. */
  keepOther(name: string, artifact: Artifact, words: string): string {
    const folder = join(this.path, 'other-failures', name);
    writeFolder(folder, artifact);
    writeFileSync(`${folder}.txt`, `${words}\n`);
    return folder;
  }

  write(name: string, text: string): void {
    const path = join(this.path, name);
    writeFileSync(`${path}.tmp`, text);
    renameSync(`${path}.tmp`, path);
  }

  close(): void {
    this.journal.close();
    rmSync(join(this.path, 'lock'), { force: true });
  }
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

function nextFree(name: string): string {
  const safe = name.replace(/[^\w.-]+/g, '_') || 'run';
  for (let n = 1; ; n++) {
    const path = join('.culprit', `${safe}-${n}`);
    if (!existsSync(path)) return path;
  }
}

/** Complete or not there at all: written beside, then put in place. */
export function writeFolder(path: string, artifact: Artifact): void {
  const fresh = `${path}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const [name, entry] of artifact.files) {
    const target = join(fresh, name);
    mkdirSync(entry.kind === 'folder' ? target : dirname(target), { recursive: true });
    if (entry.kind === 'file') writeFileSync(target, entry.bytes, { mode: entry.executable ? 0o755 : 0o644 });
    else if (entry.kind === 'link') symlinkSync(entry.target, target);
  }
  if (artifact.args) writeFileSync(join(fresh, 'arguments.json'), `${JSON.stringify(artifact.args)}\n`);
  const old = `${path}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(path)) renameSync(path, old);
  renameSync(fresh, path);
  rmSync(old, { recursive: true, force: true });
}

function lock(folder: string): void {
  const path = join(folder, 'lock');
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid > 0 && pid !== process.pid && isAlive(pid))
      throw new UserError(
        `${folder} is in use by another culprit (process ${pid}).`,
        'Wait for it, or stop it; or name another folder with --run.',
      );
  } catch (error) {
    if (error instanceof UserError) throw error;
  }
  writable(folder, () => writeFileSync(path, String(process.pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function writable<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `${resolve(path)} can't be written: ${(error as Error).message}.`,
      'Name another place with --run or --output, or make room there.',
    );
  }
}
