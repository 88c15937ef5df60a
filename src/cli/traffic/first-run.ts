import type { Har, Seen, Settled, Traffic } from '../../circumstances/traffic/index.js';
import type { JobContext } from '../job.js';

/** The unreduced recording, twice: is there a failure, what does it look like, and does it come again? */
export async function firstTraffic(traffic: Traffic, har: Har, shown: string, context: JobContext): Promise<void> {
  const { terminal, folder, options, signal } = context;
  const known = folder.journal.noted('first traffic') as Settled | undefined;
  if (known) {
    traffic.settle(known);
    terminal.say(`resumed: ${traffic.rule}`);
    return;
  }
  const { seen, verdict: _, ...settled } = await traffic.firstRun(har, signal);
  const again = await traffic.test(har, signal);
  signal.throwIfAborted();
  folder.journal.note('first traffic', settled);
  if (options.quiet) return;
  for (const line of [`$ ${shown}`, ...lastLines(seen), inShort(seen)]) terminal.say(line);
  if (settled.signature) terminal.say(`the failure: ${settled.signature}`);
  terminal.say(traffic.rule);
  terminal.say(
    again.outcome === 'fail'
      ? 'twice the same'
      : `unstable: run again, it is ${again.reason ?? again.outcome}. Use --repeat <n>: each test is then run n times.`,
  );
}

const lastLines = ({ stderr, stdout }: Seen): readonly string[] =>
  (stderr.trim() || stdout.trim())
    .split('\n')
    .filter(line => line.trim() !== '')
    .slice(0, 8)
    .map(line => `  ${line.slice(0, 160)}`);

const inShort = ({ ended, answers }: Seen): string => {
  const how =
    ended === undefined ? 'it went on running' : ended.signal ? `died by ${ended.signal}` : `exited with ${ended.exit}`;
  return answers.length > 1 ? `${how}, after ${answers.length} answers` : how;
};
