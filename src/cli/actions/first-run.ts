import { actionsOf, type FirstRun, type Recording, type Replayer } from '../../circumstances/actions/index.js';
import type { Afterwards } from '../afterwards.js';
import { untilItFails } from '../first-run.js';
import type { JobContext } from '../job.js';

const name = 'first replay';

/** What an earlier leg of the run settled. */
export const settledIn = ({ folder }: JobContext): FirstRun | undefined =>
  folder.journal.noted(name) as FirstRun | undefined;

/** Replays the original before anything else, settles what counts, and says it. */
export async function firstRun(
  replayer: Replayer,
  original: Recording,
  { terminal, folder, options, signal }: JobContext,
  afterwards: Afterwards | undefined,
): Promise<FirstRun> {
  const stop = () => void replayer.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const first = await untilItFails(options.repeat ?? 1, () => replayer.firstRun(original, signal));
    signal.throwIfAborted();
    folder.journal.note(name, first);
    if (options.quiet) return first;
    terminal.say(`replayed ${actionsOf(original).count} actions in ${first.seconds.toFixed(1)} s:`);
    const shown = first.text.split('\n').slice(0, 8);
    for (const line of afterwards?.first()?.lines ?? [...shown.map(each => `  ${each}`), first.rule])
      terminal.say(line);
    terminal.say(
      first.stable
        ? 'twice the same'
        : 'unstable: replayed again, it did not come. Use --repeat <n>: each test is then run n times.',
    );
    for (const note of first.notes) terminal.say(note);
    return first;
  } catch (error) {
    // A browser that was closed under the replay complains of many things; none of them matters.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
