import type { Capture } from './output.js';
import { bornAfter, environOf, exists, fileBehind, isGone, lastPid, processOf } from './processes.js';

/** By what the processes of a slot are known. */
export interface Household {
  /** Stands in the environment of every process of the slot, and of no other. */
  readonly mark: string;
  /** The session in which its commands start. */
  readonly session: number | undefined;
  readonly captures: readonly Capture[];
}

/** Whose a process is. Every id is looked at once for all slots together, however many of them run. */
export interface Census {
  add(household: Household): void;
  /** The processes of a household whose ids were given out after `since`, its shell not among them. */
  livingIn(household: Household, since: number | undefined): readonly number[];
}

/** Far more than one round of tests, far less than memory would notice. */
const most = 50_000;

export function openCensus(): Census {
  const households: Household[] = [];
  /** `undefined`: dead, or somebody else's; both stay so until ids are given out again from the start. */
  const known = new Map<number, Household | undefined>();
  let newest = 0;

  const isOf = (pid: number, session: number, environ: string) => (household: Household) =>
    session === household.session || environ.includes(household.mark) || holdsOne(pid, household.captures);

  const ownerOf = (pid: number): Household | undefined => {
    if (known.has(pid)) return known.get(pid);
    const process = exists(pid) ? processOf(pid) : undefined;
    if (isGone(process)) {
      known.set(pid, undefined);
      return undefined;
    }
    const bySession = households.find(household => household.session === process!.session);
    const environ = bySession ? '' : environOf(pid);
    const owner = bySession ?? households.find(isOf(pid, process!.session, environ));
    if (owner !== undefined || environ !== '') known.set(pid, owner);
    return owner;
  };

  return {
    add: household => void households.push(household),
    livingIn(household, since) {
      const now = lastPid();
      if (now < newest || known.size > most) known.clear();
      newest = now;
      const found: number[] = [];
      for (const pid of bornAfter(since, now))
        if (pid !== household.session && ownerOf(pid) === household && !isGone(processOf(pid))) found.push(pid);
      return found;
    },
  };
}

const holdsOne = (pid: number, captures: readonly Capture[]): boolean =>
  [1, 2].some(fd => {
    const file = fileBehind(pid, fd);
    return file !== undefined && captures.some(capture => capture.is(file));
  });
