/** Wraps a test whose failure shows only sometimes: a verdict is made from as many runs as it takes to be sure. */
import type { Test, Verdict } from '../core/index.js';
import { decide, type ErrorRates, type Hypotheses, type Seen } from '../core/sequential.js';
import { observationOf } from '../run/journal-file.js';

/** Run number i of an artifact. Its first recorded verdict is final, so everyone who reads the runs in order gets the same verdicts. */
export type Observe<Artifact> = (artifact: Artifact, i: number, signal: AbortSignal) => Promise<Verdict>;

export interface Observations<Artifact> {
  readonly identify: (artifact: Artifact) => string;
  /** Where runs are kept: the journal. */
  readonly memory: {
    recall(name: string): Verdict | undefined;
    record(name: string, verdict: Verdict): void;
  };
}

export const observing =
  <Artifact>(test: Test<Artifact>, { identify, memory }: Observations<Artifact>): Observe<Artifact> =>
  async (artifact, i, signal) => {
    const name = observationOf(identify(artifact), i);
    const known = memory.recall(name);
    if (known) return known;
    const verdict = await test(artifact, signal);
    // A run that was stopped says nothing.
    signal.throwIfAborted();
    memory.record(name, verdict);
    return memory.recall(name) ?? verdict;
  };

export interface Certainty {
  readonly hypotheses: Hypotheses;
  readonly errors: ErrorRates;
}

/** Reads the runs of an artifact in order, until they decide. */
export const sequentially =
  <Artifact>(observe: Observe<Artifact>, certainty: Certainty): Test<Artifact> =>
  async (artifact, signal) =>
    (await readUntilDecided(observe, certainty, artifact, signal)).verdict;

/** The verdict, and the number of runs it was made from. */
export async function readUntilDecided<Artifact>(
  observe: Observe<Artifact>,
  { hypotheses, errors }: Certainty,
  artifact: Artifact,
  signal: AbortSignal,
): Promise<{ readonly verdict: Verdict; readonly runs: number }> {
  const verdicts: Verdict[] = [];
  let seen: Seen = { fails: 0, runs: 0 };
  for (;;) {
    const decision = decide(hypotheses, errors, seen);
    if (decision) return { verdict: summarise(decision, verdicts, seen), runs: seen.runs };
    const verdict = await observe(artifact, seen.runs, signal);
    verdicts.push(verdict);
    seen = { fails: seen.fails + (verdict.outcome === 'fail' ? 1 : 0), runs: seen.runs + 1 };
  }
}

/** One verdict for many: that of a run with the decided outcome. */
function summarise(decision: 'fail' | 'pass', verdicts: readonly Verdict[], { fails, runs }: Seen): Verdict {
  const first = (outcome: Verdict['outcome']) => verdicts.find(verdict => verdict.outcome === outcome);
  const count = (outcome: Verdict['outcome']) => verdicts.filter(verdict => verdict.outcome === outcome).length;
  const reason = `fails in ${fails} of ${runs} runs`;
  if (decision === 'fail') return { ...first('fail')!, reason };
  const unresolved = first('unresolved');
  if (unresolved && count('unresolved') > count('pass')) return unresolved;
  return { ...(first('pass') ?? unresolved), outcome: 'pass', ...(fails > 0 ? { reason } : {}) };
}

export interface Window {
  /** The numbers of its runs. */
  readonly from: number;
  readonly count: number;
  /** How many of them run at the same time. */
  readonly workers: number;
}

/** How often the failure shows in a window of runs. */
export async function measure<Artifact>(
  observe: Observe<Artifact>,
  artifact: Artifact,
  { from, count, workers }: Window,
  signal: AbortSignal,
): Promise<Seen> {
  let [next, fails] = [from, 0];
  const worker = async () => {
    while (next < from + count) {
      const verdict = await observe(artifact, next++, signal);
      if (verdict.outcome === 'fail') fails++;
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, count) }, worker));
  return { fails, runs: count };
}
