/** `--serve`: serves a recording to a program under test. */
import { fillCommand } from '../../core/shell.js';
import { fired, limited } from './limit.js';
import { serveRecording } from './serve.js';
import type { Look, Looking } from './traffic.js';
import { inPlace } from './under-test.js';

/** Answers from the recording what a program asks that is started for it. */
export const serving =
  (looking: Looking): Look =>
  async (har, signal) => {
    const { command, missing = '404' } = looking.settings;
    const recording = await serveRecording(har, missing);
    try {
      const argv = fillCommand(command, '{}', recording.url);
      return await inPlace(looking, argv, { CULPRIT_URL: recording.url }, async child => {
        const began = performance.now();
        const ended = await limited([signal], looking.limits().end, soon => Promise.race([child.exited, fired(soon)]));
        // For answers that we sent ourselves, no status counts as a failure of the program: only how it ends and what it
        // prints.
        const output = child.output();
        const printed = { what: 'output', status: 0, body: output.stdout };
        if (!ended) return { answers: [printed], ...output, problem: 'timeout' };
        if (ended.error !== undefined)
          return { answers: [], ...output, ended, problem: `the command does not start: ${ended.error}` };
        return { answers: [printed], ended, ...output, took: { end: performance.now() - began } };
      });
    } finally {
      await recording.close();
    }
  };
