/** Perl programs, from an agent that PERL5OPT loads as a debugger. */
import { placeAgent, readIdle, readLines } from './reported-lines.js';
import type { Runtime } from './runtime.js';

const agent = new URL('./perl/Devel/Culprit.pm', import.meta.url);

export const perl: Runtime = {
  name: 'perl',
  files: /\.(?:pl|pm|t)$/i,
  interpreter: /\bperl[\d.]*\b/,
  environment(folder, around) {
    placeAgent(folder, 'Devel/Culprit.pm', agent);
    const options = [`-I${folder}`, '-d:Culprit', around.PERL5OPT].filter(Boolean).join(' ');
    return { CULPRIT_COVERAGE: folder, PERL5OPT: options };
  },
  read: run => readLines('perl', run),
  idle: run => readIdle('perl', run),
};
