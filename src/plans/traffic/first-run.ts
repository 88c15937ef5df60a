/** The first run of `traffic`: runs the original recording twice, to see the failure and whether it is stable. */

import { excerpt } from '../../oracle/command/run-in-words.js';
import type { Seen } from '../../oracle/http/judge.js';
import type { Settled, Traffic } from '../../oracle/http/traffic.js';
import type { Har } from '../../sources/har/har.js';
import { repeatUntilFailure } from '../first-run.js';
import type { Context } from '../job.js';

/** The unreduced recording, twice: is there a failure, what does it look like, and does it reproduce? */
export async function firstTraffic(traffic: Traffic, har: Har, shown: string, context: Context): Promise<Settled> {
  const { say, folder, signal, options } = context;
  const known = folder.journal.noted<Settled>('first traffic');
  if (known) {
    traffic.settle(known);
    say(`resumed: ${traffic.rule}`);
    return known;
  }
  const {
    seen,
    verdict: _,
    ...settled
  } = await repeatUntilFailure(options.repeat ?? 1, () => traffic.firstRun(har, signal)).catch(error => {
    // A test that was stopped looks like one that timed out; it says nothing about the recording.
    signal.throwIfAborted();
    throw error;
  });
  const again = await traffic.test(har, signal);
  signal.throwIfAborted();
  if (again.outcome !== 'fail') folder.journal.note('unstable', true);
  folder.journal.note('first traffic', settled);
  for (const line of [`$ ${shown}`, ...lastLines(seen), inShort(seen)]) say(line);
  if (settled.signature) say(`the failure: ${settled.signature}`);
  say(traffic.rule);
  say(
    again.outcome === 'fail'
      ? 'reproduced 2/2'
      : `unstable: reproduced 1/2, the second run gave: ${again.reason ?? again.outcome}.`,
  );
  return settled;
}

/** A server prints a lot before it crashes: only the last lines matter, and among them the error itself. */
const lastLines = ({ stderr, stdout }: Seen): readonly string[] => {
  const lines = (stderr.trim() || stdout.trim()).split('\n').filter(line => line.trim() !== '');
  const error = lines.findLastIndex(line => /^\S*(Error|Exception|panic)\b/i.test(line));
  const from = error < 0 ? 0 : Math.max(0, Math.min(error - 3, lines.length - 8));
  const shown = lines.slice(from).join('\n');
  return excerpt({ stdout: Buffer.from(''), stderr: Buffer.from(shown) }).map(line => `  ${line}`);
};

const inShort = ({ ended, answers }: Seen): string => {
  const how = ended === undefined ? 'still running' : ended.signal ? ended.signal : `exit ${ended.exit}`;
  return answers.length > 1 ? `${how} after ${answers.length} responses` : how;
};
