/** The first replay of `actions`: replays the original recording and decides what counts as the failure. */

import { actionsOf } from '../../circumstances/actions.js';
import type { FirstRun } from '../../oracle/browser/expected-failure.js';
import type { Replayer } from '../../oracle/browser/replay.js';
import type { PostCheck } from '../../oracle/post-check.js';
import type { Recording } from '../../sources/recording/recording.js';
import { repeatUntilFailure } from '../first-run.js';
import type { Context } from '../job.js';

const name = 'first replay';

/** What an earlier part of the run decided. */
export const settledIn = ({ folder }: Context): FirstRun | undefined => folder.journal.noted<FirstRun>(name);

/** Replays the original before anything else, decides what counts as the failure, and prints it. */
export async function firstRun(
  replayer: Replayer,
  original: Recording,
  { say, folder, signal, options }: Context,
  postCheck: PostCheck | undefined,
): Promise<FirstRun> {
  const stop = () => void replayer.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const first = await repeatUntilFailure(options.repeat ?? 1, () => replayer.firstRun(original, signal));
    signal.throwIfAborted();
    folder.journal.note(name, first);
    say(`replayed ${actionsOf(original).count} actions in ${first.seconds.toFixed(1)} s:`);
    const shown = first.text.split('\n').slice(0, 8);
    for (const line of postCheck?.first()?.lines ?? [...shown.map(each => `  ${each}`), first.rule]) say(line);
    say(first.stable ? 'reproduced 2/2' : 'unstable: reproduced 1/2.');
    for (const note of first.notes) say(note);
    return first;
  } catch (error) {
    // A browser that was closed during a replay reports many errors; none of them matters.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
