/** Private folders for processes that the runner does not start, such as servers. */
import { randomBytes } from 'node:crypto';
import type { Artifact } from '../core/artifact.js';
import { openWorkspaces } from './command/workspace.js';
import { startGuarded } from './guarded.js';
import { type Start, startProcess } from './http/process.js';
import { markName } from './process/slot.js';
import { openWatchdog } from './process/watchdog.js';

/** A separate folder for a process that no runner starts: a server under test. */
export interface SlotFolder {
  readonly cwd: string;
  /** To be added to the process's environment. These variables identify it, so that it is killed however this process ends. */
  readonly env: Readonly<Record<string, string>>;
  leave(): void;
}

export interface SlotFolders {
  enter(): Promise<SlotFolder>;
  /** Starts a process in a folder that was entered. Everything that it starts ends with it. */
  readonly start: Start;
  close(): Promise<void>;
}

export interface SlotFoldersOptions {
  /** How many processes a test may have at a time. */
  readonly processes?: number;
}

/** As many folders as there are slots, each with the artifact restored whenever it is entered. */
export function openSlotFolders(
  count: number,
  artifact: Artifact,
  { processes }: SlotFoldersOptions = {},
): SlotFolders {
  const workspaces = openWorkspaces(count);
  const mark = `${randomBytes(6).toString('hex')}.`;
  const watchdog = openWatchdog({ mark, folders: [workspaces.root] });
  const free = Array.from({ length: count }, (_, slot) => slot);
  const waiting: ((slot: number) => void)[] = [];
  let isClosed = false;
  const guards = new Set<number>();
  const changed = (pid: number, isAlive: boolean): void => {
    if (isAlive) guards.add(pid);
    else guards.delete(pid);
    watchdog.watch([...guards]);
  };
  const limits = processes === undefined ? {} : { processes };
  const give = (slot: number): void => {
    const next = waiting.shift();
    if (next) next(slot);
    else free.push(slot);
  };
  return {
    start: (argv, { env, cwd }) =>
      process.platform === 'linux'
        ? startGuarded(argv, { env, cwd, mark: env[markName] ?? mark, changed, ...limits })
        : startProcess(argv, { env, cwd }),
    async enter() {
      const slot = free.shift() ?? (await new Promise<number>(resolve => waiting.push(resolve)));
      // A test that waits until after the end would create the folders again.
      if (isClosed) throw new Error('The folders were closed while a test waited for one.');
      workspaces.put(slot, artifact);
      const env = { [markName]: `${mark}${String(slot).padStart(4, '0')}`, TMPDIR: workspaces.tmp(slot) };
      return {
        cwd: workspaces.path(slot),
        env,
        leave() {
          if (!isClosed) workspaces.tidy(slot);
          give(slot);
        },
      };
    },
    async close() {
      isClosed = true;
      workspaces.close();
      await watchdog.close();
    },
  };
}
