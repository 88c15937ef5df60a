/** Ruby programs, from an agent that RUBYOPT loads. */
import { join } from 'node:path';
import { placeAgent, readIdle, readLines } from './reported-lines.js';
import type { Runtime } from './runtime.js';

const agent = new URL('./ruby/agent.rb', import.meta.url);

export const ruby: Runtime = {
  name: 'ruby',
  files: /\.(?:rb|rake)$/,
  interpreter: /\bruby[\d.]*\b/,
  environment(folder, around) {
    placeAgent(folder, 'agent.rb', agent);
    const options = [`-r${join(folder, 'agent.rb')}`, around.RUBYOPT].filter(Boolean).join(' ');
    return { CULPRIT_COVERAGE: folder, RUBYOPT: options };
  },
  read: run => readLines('ruby', run),
  idle: run => readIdle('ruby', run),
};
