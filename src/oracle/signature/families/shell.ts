/** What a shell prints if a signal ended the program that it ran. */
import type { Family } from '../found.js';

const deaths: Readonly<Record<string, string>> = {
  'Segmentation fault': 'SIGSEGV',
  Aborted: 'SIGABRT',
  'Bus error': 'SIGBUS',
  'Illegal instruction': 'SIGILL',
  'Floating point exception': 'SIGFPE',
  'Trace/breakpoint trap': 'SIGTRAP',
  Killed: 'SIGKILL',
};
const report = new RegExp(
  `^(?:.*?: (?:line )?\\d+: +|make.*: \\*\\*\\* .*\\] )?(?:\\d+ )?(${Object.keys(deaths).join('|')})(?: +\\(core dumped\\)(?: .*)?| {2,}.*)?$`,
);

/** A shell or make reports how its child died, but exits with a code of its own. */
export const shell: Family = ({ lines }) => {
  const line = lines.findLast(line => report.test(line));
  const name = line && report.exec(line)![1]!;
  return name
    ? { kind: 'signal', line: deaths[name]!, frames: [], depth: 0, words: `${name} (${deaths[name]})` }
    : undefined;
};
