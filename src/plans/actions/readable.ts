/** Writes the reduced actions as a person would, if they then still fail. */
import type { Test } from '../../core/index.js';
import { type Counter, type Memory, recallOrTest } from '../../engine/index.js';
import { readableForms } from '../../sources/recording/readable.js';
import type { Recording } from '../../sources/recording/recording.js';

export interface Finding {
  readonly memory: Memory;
  readonly identify: (recording: Recording) => string;
  readonly counter: Counter;
  readonly signal: AbortSignal;
}

/** The first readable form that fails; a form that does not fail would be a Playwright test that passes. */
export async function readableForm(
  recording: Recording,
  test: Test<Recording>,
  { memory, identify, counter, signal }: Finding,
): Promise<Recording | undefined> {
  for (const form of readableForms(recording)) {
    if (signal.aborted) return undefined;
    const name = identify(form);
    const verdict = await recallOrTest(memory, name, () => {
      counter.started++;
      return test(form, signal);
    });
    counter.answered(name, verdict.outcome, false);
    if (verdict.outcome === 'fail') return form;
  }
  return undefined;
}
