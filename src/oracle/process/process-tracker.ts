/** Keeps track of which processes belong to which slot. */
import type { Capture } from './output.js';
import { bornAfter, environOf, exists, fileBehind, isGone, lastPid, processOf } from './processes.js';

/** How the processes of a slot are recognised. */
export interface ProcessOwner {
  /** In the environment of every process of the slot, and of no other process. */
  readonly mark: string;
  /** The session in which its commands start. */
  readonly session: number | undefined;
  readonly captures: readonly Capture[];
  /** The command that its shell is waiting for. */
  command(): number | undefined;
}

/** Which slot owns a process. Every id is checked once for all slots together, however many of them run. */
export interface ProcessTracker {
  add(owner: ProcessOwner): void;
  /** The last assigned process id, possibly a little out of date: then a few more processes than necessary are checked. */
  latest(): number;
  /**
   * The processes of an owner whose ids were assigned after `since`. Leaves out its shell, and the command that began after
   * `since` if the shell has seen it end.
   */
  livingIn(owner: ProcessOwner, since: number | undefined, hasEnded: boolean): readonly number[];
}

/** Far more than one round of tests needs, but still little memory. */
const most = 50_000;
/** Milliseconds in which few ids are assigned. */
const moment = 1;

export function openProcessTracker(): ProcessTracker {
  const owners: ProcessOwner[] = [];
  /** `undefined`: dead, or not ours. Neither changes until ids wrap around. */
  const known = new Map<number, ProcessOwner | undefined>();
  let newest = 0;
  let read = Number.NEGATIVE_INFINITY;

  const look = (): number => {
    const now = lastPid();
    read = performance.now();
    if (now < newest || known.size > most) known.clear();
    newest = now;
    return now;
  };

  const isOf = (pid: number, session: number, environ: string) => (owner: ProcessOwner) =>
    session === owner.session || environ.includes(owner.mark) || holdsOne(pid, owner.captures);

  const ownerOf = (pid: number): ProcessOwner | undefined => {
    if (known.has(pid)) return known.get(pid);
    const isThere = exists(pid);
    // Usually it is the command of another slot, and checking the shells is cheaper than checking the process.
    const employer = isThere ? owners.find(owner => owner.command() === pid) : undefined;
    if (employer) {
      known.set(pid, employer);
      return employer;
    }
    const process = isThere ? processOf(pid) : undefined;
    if (isGone(process)) {
      known.set(pid, undefined);
      return undefined;
    }
    const bySession = owners.find(owner => owner.session === process!.session);
    const environ = bySession ? '' : environOf(pid);
    const owner = bySession ?? owners.find(isOf(pid, process!.session, environ));
    if (owner !== undefined || environ !== '') known.set(pid, owner);
    return owner;
  };

  return {
    add: owner => void owners.push(owner),
    latest() {
      if (performance.now() - read > moment) look();
      return newest;
    },
    livingIn(owner, since, hasEnded) {
      const now = look();
      // One id: the command's own.
      if (hasEnded && since !== undefined && now - since === 1) return [];
      const found: number[] = [];
      for (const pid of bornAfter(since, now))
        if (pid !== owner.session && ownerOf(pid) === owner && exists(pid) && !isGone(processOf(pid))) found.push(pid);
      return found;
    },
  };
}

const holdsOne = (pid: number, captures: readonly Capture[]): boolean =>
  [1, 2].some(fd => {
    const file = fileBehind(pid, fd);
    return file !== undefined && captures.some(capture => capture.is(file));
  });
