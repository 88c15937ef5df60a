import type { Schedule } from '../../circumstances/lateness.js';
import { type Told, tellNode } from '../../oracle/schedules/under-node.js';

/** How a program is put under a schedule. */
export interface Way {
  readonly name: 'node' | 'threads';
  tell(schedule: Schedule, told: Told): Readonly<Record<string, string>>;
  /** Why a program may not have been seen. */
  readonly unseen: string;
}

const node: Way = {
  name: 'node',
  tell: tellNode,
  unseen: 'The command started no Node process, or one that takes no NODE_OPTIONS. For native threads, add --threads.',
};

/** Node programs are the default; `--threads` is for programs with POSIX threads. `folder`: where the shim may be built. */
export function wayNamed(name: 'node' | 'threads', _folder: string): Way {
  if (name === 'node') return node;
  throw new Error('not yet');
}
