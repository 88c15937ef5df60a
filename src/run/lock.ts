/** Locks a run folder, so that only one culprit uses it. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../core/index.js';
import { writable, writeFile } from './atomic-write.js';
import { startOf } from './process-start.js';

/**
 * Locks a run's folder for this process, with a lock of the operating system on the folder itself: the kernel releases it
 * when the process ends, however it ends, and it means the same in every pid namespace
 * (docs/decisions/0007-a-lock-that-the-kernel-holds.md). The file `lock` shows people who holds it.
 */

/** `held`: by the kernel. `marked`: there is no such lock here, and the file itself is the lock. */
type Kind = 'held' | 'marked';

interface Owner {
  readonly kind: Kind;
  readonly pid: number;
  /** In ticks since boot: process ids are reused. */
  readonly start?: number;
  /** The machine, its last boot, and the pid namespace: the number means this process only there. */
  readonly where: string;
}

/** Releases the folder. */
export type Release = () => void;

export function lock(folder: string): Release {
  return writable(folder, () => {
    for (let tries = 0; ; tries++) {
      const got = attempt(folder);
      if (got) return got;
      // Checking the lock (isLocked) holds it for a moment.
      if (tries >= 10) throw inUse(folder, ownerIn(folder));
      pause(20);
    }
  });
}

function attempt(folder: string): Release | undefined {
  const opened = openLocked(folder, 'exclusive');
  if (opened === 'taken') return undefined;
  const { file, isHeld } = opened;
  const release = () => {
    unlinkQuietly(join(folder, 'lock'));
    closeSync(file);
  };
  try {
    const before = ownerIn(folder);
    if (before && !(isHeld && (before.kind === 'held' || isDead(before))))
      throw isDead(before) ? left(folder, before) : inUse(folder, before);
    if (before) unlinkQuietly(join(folder, 'lock'));
    writeOwner(folder, isHeld ? 'held' : 'marked');
    return release;
  } catch (error) {
    closeSync(file);
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/** macOS and the BSDs lock a file as they open it; `O_EXLOCK` is not among Node's constants. */
const lockedOpening = ['darwin', 'freebsd', 'openbsd', 'netbsd'].includes(process.platform);
const [sharedFlag, exclusiveFlag] = [0x10, 0x20];

function openLocked(folder: string, how: 'exclusive' | 'shared') {
  const flag = how === 'exclusive' ? exclusiveFlag : sharedFlag;
  let file: number;
  try {
    file = openSync(folder, constants.O_RDONLY | (lockedOpening ? flag | constants.O_NONBLOCK : 0));
  } catch (error) {
    if (lockedOpening && (error as NodeJS.ErrnoException).code === 'EAGAIN') return 'taken';
    throw error;
  }
  const isHeld = lockedOpening || flock(file, how);
  if (isHeld !== false) return { file, isHeld: isHeld === true };
  closeSync(file);
  return 'taken';
}

/**
 * flock(2) belongs to the open file and not to the process that calls it: flock(1) locks a descriptor that it inherits, and
 * after it has ended, the lock lasts as long as we keep the file open. Node has no call for it. `undefined` if there is no
 * flock(1), or the file system has no locks.
 */
function flock(file: number, how: 'exclusive' | 'shared'): boolean | undefined {
  const { status } = spawnSync('flock', ['-n', how === 'exclusive' ? '-x' : '-s', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file],
  });
  return status === 0 ? true : status === 1 ? false : undefined;
}

export function demandUnlocked(folder: string): void {
  if (isLocked(folder)) throw inUse(folder, ownerIn(folder));
}

/** Whether a culprit is using this folder. */
export function isLocked(folder: string): boolean {
  const owner = ownerIn(folder);
  if (!owner) return false;
  try {
    const opened = openLocked(folder, 'shared');
    if (opened === 'taken') return true;
    closeSync(opened.file);
    return (owner.kind === 'marked' || !opened.isHeld) && !isDead(owner);
  } catch {
    return false;
  }
}

/** Without the kernel's help, a lock is never taken from its owner, not even from a dead one: two processes could do so at once. */
const left = (folder: string, { pid }: Owner): UserError =>
  new UserError(
    `${folder} is locked by a culprit that was killed (process ${pid}).`,
    `Remove its lock, and try again: rm ${join(folder, 'lock')}`,
  );

function inUse(folder: string, owner: Owner | undefined): UserError {
  const isElsewhere = owner !== undefined && owner.where !== here();
  const who = owner ? ` (process ${owner.pid}${isElsewhere ? ' on another machine or in another container' : ''})` : '';
  const stale =
    owner?.kind !== 'held'
      ? ` If no culprit is running there any more, remove the lock: rm ${join(folder, 'lock')}`
      : '';
  return new UserError(
    `${folder} is in use by another culprit${who}.`,
    `Wait for it, or stop it; a new run takes another folder with --run.${stale}`,
  );
}

function writeOwner(folder: string, kind: Kind): void {
  const start = startOf(process.pid);
  const owner: Owner = { kind, pid: process.pid, where: here(), ...(start === undefined ? {} : { start }) };
  writeFile(join(folder, 'lock'), `${JSON.stringify(owner)}\n`, { exclusive: true });
}

function ownerIn(folder: string): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' && typeof owner.where === 'string' ? (owner as Owner) : undefined;
  } catch {
    return undefined;
  }
}

/** Certain only for a process of this machine, since its last boot, and in this pid namespace. */
function isDead({ pid, start, where }: Owner): boolean {
  if (where !== here()) return false;
  if (start !== undefined) return startOf(pid) !== start;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

let known: string | undefined;
const here = (): string =>
  (known ??= [
    hostname(),
    quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    quietly(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' '));

function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already gone.
  }
}

const pause = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
