/** `--serve`: serves a recording to a program under test. */
import { fillCommand } from '../../core/shell.js';
import { whenAborted, withTimeout } from './limit.js';
import { serveRecording } from './serve.js';
import type { Look, TrafficContext } from './traffic.js';
import { runUnderTest } from './under-test.js';

/** Starts a program for each recording, and answers its requests from the recording. */
export const serveTo =
  (context: TrafficContext): Look =>
  async (har, signal) => {
    const { command, missing = '404' } = context.settings;
    const recording = await serveRecording(har, missing);
    try {
      const argv = fillCommand(command, '{}', recording.url);
      return await runUnderTest(context, argv, { CULPRIT_URL: recording.url }, async child => {
        const began = performance.now();
        const ended = await withTimeout([signal], context.limits().end, soon =>
          Promise.race([child.exited, whenAborted(soon)]),
        );
        // We sent the responses ourselves, so their status says nothing about the program. Only its exit and its output
        // count.
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
