/** Writes the result, and overwrites only what culprit wrote itself. */
import { readFileSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../core/index.js';
import { beside, makeFolder, syncFolder, writable, writeFile, writeFresh } from './atomic-write.js';
import {
  type Content,
  digestAt,
  digestOf,
  isFile,
  isSame,
  type Listing,
  listingAt,
  removeListed,
  temporaryName,
} from './made.js';

/** What a ledger remembers about one path: the digests of what culprit wrote there last, and the run that did. */
export interface Recorded {
  readonly path: string;
  readonly run: string;
  readonly digests: readonly string[];
}

export function readLedger(ledger: string): Recorded | undefined {
  try {
    const { path, run, digests } = JSON.parse(readFileSync(ledger, 'utf8')) as Partial<Recorded>;
    return typeof path === 'string' && typeof run === 'string' && Array.isArray(digests)
      ? { path, run, digests: digests.map(String) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path holds what culprit wrote there, byte for byte. */
export function isOwn(path: string, recorded: Recorded | undefined): boolean {
  if (recorded?.path !== resolve(path)) return false;
  const digest = digestAt(path);
  return digest !== undefined && recorded.digests.includes(digest);
}

export interface Publishing {
  /** The folder for temporary files: that of the run. */
  readonly via: string;
  /** The run that writes, by its full path. */
  readonly run: string;
  readonly sync?: boolean;
}

/**
 * A file or folder at one path that is replaced repeatedly, and is complete at every moment. It is replaced only as long as
 * it is what this run left there: as soon as anyone else writes to it, it is theirs.
 */
export class Publication {
  readonly path: string;
  readonly #ledger: string;
  #there: Listing | undefined;
  #digest: string | undefined;

  /** What is there now may be replaced: the caller has checked that. */
  constructor(path: string, ledger: string) {
    this.path = path;
    this.#ledger = ledger;
    this.#there = listingAt(path);
  }

  publish(content: Content, how: Publishing): void {
    writable(this.path, () => {
      const there = listingAt(this.path);
      if (!isSame(there, this.#there)) throw this.#isTheirs();
      this.#record(digestOf(content), how.run);
      if (isFile(content)) this.#file(this.path, content, how);
      else {
        const [only] = content;
        if (content.size === 1 && only?.[1].kind === 'file' && holdsOnly(there, only[0]))
          this.#file(join(this.path, only[0]), only[1], how);
        else this.#folder(content, how);
      }
      this.#there = listingAt(this.path);
    });
  }

  /** Removes what was published, if it has not changed. */
  remove(): void {
    if (this.#there && this.#digest !== undefined) removeListed(this.path, this.#there);
  }

  #file(path: string, { bytes, executable }: Extract<Content, { kind: 'file' }>, { via, sync }: Publishing): void {
    writeFile(path, bytes, {
      via,
      executable: executable === true,
      exclusive: this.#there === undefined,
      sync: sync === true,
    });
  }

  /** A process that is killed between its two renames leaves the old one under its temporary name, in the run's folder. */
  #folder(files: Exclude<Content, { kind: 'file' }>, { via, sync = false }: Publishing): void {
    beside(this.path, via, folder => {
      const fresh = join(folder, temporaryName());
      const old = join(folder, `${temporaryName()}-old-${basename(this.path).replace(/\W/g, '_')}`);
      try {
        writeFresh(fresh, files, sync);
        if (this.#there) {
          renameSync(this.path, old);
          // Another process may write to it at the same moment.
          if (!isSame(listingAt(old), this.#there)) {
            renameSync(old, this.path);
            throw this.#isTheirs();
          }
        }
        renameSync(fresh, this.path);
      } catch (error) {
        const left = listingAt(fresh);
        if (left) removeListed(fresh, left);
        throw error;
      }
      if (this.#there) removeListed(old, this.#there);
    });
    if (sync) syncFolder(dirname(this.path));
  }

  /** Recorded before anything is written, so that after a kill at any moment the path has one of the two. */
  #record(digest: string, run: string): void {
    const before = this.#digest ?? readLedger(this.#ledger)?.digests.at(-1);
    this.#digest = digest;
    const recorded: Recorded = {
      path: resolve(this.path),
      run,
      digests: before === undefined || before === digest ? [digest] : [before, digest],
    };
    try {
      makeFolder(dirname(this.#ledger));
      writeFile(this.#ledger, `${JSON.stringify(recorded)}\n`);
    } catch {
      // Without it, the next run will not recognise this result as culprit's own, and leaves it alone.
    }
  }

  #isTheirs(): UserError {
    return new UserError(
      `${this.path} was changed by someone else during the run. culprit did not overwrite it.`,
      'Move it away.',
      1,
    );
  }
}

/** Whether a folder holds a file of this name, at its top level, and nothing else. */
const holdsOnly = (there: Listing | undefined, name: string): boolean =>
  there?.size === 2 && there.get('') === 'folder' && (there.get(name) ?? 'folder') !== 'folder' && !name.includes('/');

/** Removes a folder if nothing is in it. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It contains something, or is gone.
  }
}
