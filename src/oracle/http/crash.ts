/** Reads the signature of a server's crash. */
import { readSignature } from '../signature/index.js';
import { type NameCrash, withoutNumbers } from './judge.js';

/** A server also logs errors that it handled, so its crash is read as for any other command. */
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
  return [end + withoutNumbers(line), ...(where.length > 0 ? [`at ${where.join(' ← ')}`] : [])].join(' ');
};
