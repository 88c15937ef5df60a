/** C and C++ programs with debug information, watched through gdb. */
import { fileURLToPath } from 'node:url';
import type { Debuggee } from '../debuggee.js';

const agent = fileURLToPath(new URL('./agent.py', import.meta.url));

export const gdb: Debuggee = {
  name: 'gdb',
  steps: 6_000,
  limits: 'A pointer is followed to one object; unions, bit fields and memory behind void pointers are not seen.',
  needs: 'The program needs debug information: compile it with -g -O0.',
  environment: folder => ({ CULPRIT_STATES: folder, DEBUGINFOD_URLS: '' }),
  command: argv => ['gdb', '-nx', '-q', '-batch', '-x', agent, '--args', ...argv],
};
