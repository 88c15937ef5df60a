import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../core/index.js';
import { writable } from './atomic-write.js';

/**
 * Makes a run's folder this process's own. The file names the process and when it started: its number alone may have been
 * given to another one since, and a lock that a killed culprit left must not lock its folder for ever.
 */
export function lock(folder: string): void {
  const path = join(folder, 'lock');
  for (;;) {
    if (writable(folder, () => isTaken(path))) return;
    let [pid, start] = read(path);
    // There for a moment already, and not yet written.
    for (let tries = 0; pid === undefined && tries < 5; tries++, [pid, start] = read(path)) pause(20);
    if (pid !== undefined && isAlive(pid, start))
      throw new UserError(
        `${folder} is in use by another culprit (process ${pid}).`,
        'Wait for it, or stop it; a new run takes another folder with --run.',
      );
    rmSync(path, { force: true });
  }
}

function isTaken(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${startOf(process.pid) ?? ''}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const pause = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Whether a culprit works in this folder now. */
export function isLocked(folder: string): boolean {
  const [pid, start] = read(join(folder, 'lock'));
  return pid !== undefined && isAlive(pid, start);
}

function read(path: string): readonly number[] {
  try {
    return readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function isAlive(pid: number, start: number | undefined): boolean {
  if (start !== undefined) return startOf(pid) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When a process started, in ticks since the machine did: field 22 of its stat, proc(5). Nothing where there is no /proc,
 * and for a process that is dead though nobody has asked for it yet.
 */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
}
