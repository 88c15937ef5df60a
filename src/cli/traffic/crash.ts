import type { NameCrash } from '../../circumstances/traffic/index.js';
import { readSignature } from '../../oracle/signature/index.js';

/** A server logs errors that it handled, too: what it died of is read as it is for every other command. */
export const nameCrash: NameCrash = ({ exit, signal }, { stdout, stderr }) => {
  const run = {
    ...(exit === undefined ? {} : { exit }),
    ...(signal === undefined ? {} : { signal }),
    timedOut: false,
    seconds: 0,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
    truncated: false,
  };
  const signature = readSignature(run, { volatile: [] });
  const { how = '', where = [] } = signature ?? {};
  const [, end = '', line = ''] = /^((?:exit \d+|SIG\w+)?)(.*)$/s.exec(how) ?? [];
  // Sessions, ports and ids are new in every run, and often grown together with a word: sid4711.
  const steady = line.replace(/0x[\da-f]+|\d+/gi, '0');
  return [end + steady, ...(where.length > 0 ? [`at ${where.join(' ← ')}`] : [])].join(' ');
};
