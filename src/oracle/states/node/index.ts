/** Node programs, watched through the inspector from a worker thread that a preload starts inside them. */
import { fileURLToPath } from 'node:url';
import type { Debuggee } from '../debuggee.js';

const agent = fileURLToPath(new URL('./agent.cjs', import.meta.url));

export const node: Debuggee = {
  name: 'node',
  steps: 30_000,
  limits: 'Private fields, variables that only closures see, promises, sockets and other handles are not seen.',
  needs: 'The command must run Node, and pass NODE_OPTIONS on.',
  environment: folder => ({
    CULPRIT_STATES: folder,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(agent)}`.trim(),
  }),
};
