/** The two ways to put a program under a schedule: a preload for Node, a shim for threads. */
import { join } from 'node:path';
import type { Schedule } from '../../circumstances/lateness.js';
import type { Recording } from '../../oracle/schedules/recording.js';
import { environmentForNode, type ProcessSetting } from '../../oracle/schedules/under-node.js';
import { buildShim, environmentForThreads, withLines } from '../../oracle/schedules/under-threads.js';

/** How a program is put under a schedule. */
export interface Backend {
  readonly name: 'node' | 'threads';
  environmentFor(schedule: Schedule, setting: ProcessSetting): Readonly<Record<string, string>>;
  /** Makes the recording readable for people, while the program is still where it ran. */
  read(recording: Recording, root: string): Recording;
  /** Why a program may not have been observed. */
  readonly unseen: string;
}

const node: Backend = {
  name: 'node',
  environmentFor: environmentForNode,
  read: recording => recording,
  unseen: 'The command started no Node process, or one that ignores NODE_OPTIONS. For native threads, add --threads.',
};

/** Node programs are the default; `--threads` is for programs with POSIX threads. `folder`: where the shim is built. */
export function backendNamed(name: Backend['name'], folder: string): Backend {
  if (name === 'node') return node;
  return {
    name,
    environmentFor: environmentForThreads(buildShim(join(folder, 'shim'))),
    read: withLines,
    unseen:
      'The shim saw no thread created with pthread_create: static binaries and Go programs create them without the C library. For Node programs, remove --threads.',
  };
}
