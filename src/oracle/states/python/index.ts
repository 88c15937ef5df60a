/** Python programs, watched through sys.settrace by a module that Python imports when it starts. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Debuggee } from '../debuggee.js';

const folderOfAgent = dirname(fileURLToPath(new URL('./sitecustomize.py', import.meta.url)));

export const python: Debuggee = {
  name: 'python',
  steps: 200_000,
  limits: 'Objects with __slots__ of C types, generators, open files and threads are not seen.',
  needs: 'The command must run Python with its environment, not with -I, -E or -S.',
  environment: folder => ({
    CULPRIT_STATES: folder,
    PYTHONPATH: [folderOfAgent, process.env.PYTHONPATH].filter(Boolean).join(':'),
    PYTHONHASHSEED: process.env.PYTHONHASHSEED ?? '0',
    PYTHONDONTWRITEBYTECODE: '1',
  }),
};
