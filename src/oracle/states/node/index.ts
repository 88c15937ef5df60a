/** Node programs, watched through the inspector from a worker thread that a preload starts inside them. */
import { fileURLToPath } from 'node:url';
import { environmentForNode } from '../../schedules/under-node.js';
import type { Debuggee } from '../debuggee.js';

const agent = fileURLToPath(new URL('./agent.cjs', import.meta.url));

const environment = (folder: string) => ({
  CULPRIT_STATES: folder,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(agent)}`.trim(),
});

/** No event is late: the default order of `culprit schedules`. */
const defaultOrder = { kind: 'late', late: [] } as const;

export const node: Debuggee = {
  name: 'node',
  steps: 30_000,
  limits: 'Private fields, variables that only closures see, promises, sockets and other handles are not seen.',
  needs: 'The command must run Node, and pass NODE_OPTIONS on.',
  environment,
  // The agent is loaded first, so that its own thread and files are not part of the schedule.
  inOrder: (folder, order) => ({
    ...environment(folder),
    ...environmentForNode(defaultOrder, { folder, slow: 100, isRecording: false, ...order }, environment(folder)),
  }),
};
