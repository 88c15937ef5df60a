/** Temporary folders, and the removal of those that a killed run left behind. */
import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf } from '../../run/process-start.js';

/**
 * Names of temporary folders identify their owner, so that the next run can remove what a killed one left:
 * culprit-<pid>-<start>-<place><random>. A pid alone is not enough: it may belong to another process by now, and it means
 * nothing in another container or on another machine that shares the folder. `start` and `place` distinguish these. The
 * names are short: a tool with a limit on paths would fail in a different way than it does for the user.
 */
const pattern = /^culprit-(\d+)-([0-9a-z]+)-([0-9a-f]{4})[0-9a-f]{6}$/;

export const uniqueName = (): string =>
  `culprit-${process.pid}-${(startOf(process.pid) ?? 0).toString(36)}-${place()}${randomBytes(3).toString('hex')}`;

let parent: string | undefined;

/** A folder in memory if one is writable. The system's temporary folder otherwise, and for anything that would fill half of the memory. */
export function scratchParent(bytes = 0): string {
  parent ??= isRoomyMemory('/dev/shm') ? '/dev/shm' : tmpdir();
  return bytes > 0 && parent === '/dev/shm' && bytes * 2 > freeIn(parent) ? tmpdir() : parent;
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Removes the folders of runs that are no longer alive; returns how many. */
export function sweepAbandoned(): number {
  let swept = 0;
  for (const folder of new Set(['/dev/shm', tmpdir()]))
    for (const name of namesIn(folder)) {
      if (isAbandoned(name) && removeOwn(join(folder, name))) swept++;
    }
  return swept;
}

/** Whether this is a name made by a culprit process that is no longer alive. */
export function isAbandoned(name: string): boolean {
  const [, pid, start, where] = pattern.exec(name) ?? [];
  return pid !== undefined && where === place() && !isAlive(Number(pid), Number.parseInt(start!, 36));
}

function removeOwn(path: string): boolean {
  try {
    if (process.getuid && lstatSync(path).uid !== process.getuid()) return false;
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number, start: number): boolean {
  if (process.platform === 'linux') return startOf(pid) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

let here: string | undefined;

function place(): string {
  if (here === undefined) {
    let namespace = '';
    try {
      namespace = readlinkSync('/proc/self/ns/pid');
    } catch {}
    here = createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 4);
  }
  return here;
}

const roomy = 256 * 1024 * 1024;
const tmpfsMagic = 0x01021994;

/** Programs must be startable there too: containers often mount /dev/shm with `noexec`. */
function isRoomyMemory(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { type, bavail, bsize } = statfsSync(folder);
    if (type !== tmpfsMagic || bavail * bsize < roomy) return false;
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map(line => line.split(' '));
    const mount = mounts.findLast(fields => fields[1] === folder);
    return mount !== undefined && !mount[3]!.split(',').includes('noexec');
  } catch {
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
