/** Tests a sample of the workers' answers again on this machine, and bans a worker whose answers are wrong. */
import type { LocalRunner, Trial } from '../oracle/command/remote-runner.js';
import { type Shared, WrongAnswers } from './shared.js';

/** The first answers of each worker are all tested again, and later ones at random, so that no worker can predict which. */
const probation = 3;
const defaultEvery = 50;
/** This many runs here must agree before a worker is reported for wrong answers. */
const proof = 5;

export interface Answered {
  readonly worker: string;
  readonly name: string;
  readonly trial: Trial;
  readonly own: LocalRunner;
  /** The verdict that follows from the answer. */
  readonly meaning: string;
}

export function openAudits(shared: Shared, ban: (worker: string) => void) {
  const { auditEvery = defaultEvery } = shared.options;
  const counts = new Map<string, number>();
  /** The length of the journal at a worker's first answer. */
  const since = new Map<string, number>();
  let pending: Promise<void> = Promise.resolve();

  const check = async ({ worker, name, trial, own, meaning }: Answered): Promise<void> => {
    const { signal, say } = shared.host;
    if (shared.banned.has(worker) || signal.aborted) return;
    const again = () => shared.here(async () => own.meaning(await own.here(trial, signal)));
    // A failure that shows only sometimes proves nothing against a worker: all runs here must contradict its answer.
    const first = await again();
    if (first === meaning) return;
    for (let more = 1; more < proof; more++) if ((await again()) !== first) return;
    say(`${name} gave a wrong answer and is banned. All tests since it joined are run again.`);
    ban(worker);
    shared.wrong(new WrongAnswers(name, since.get(worker) ?? 0));
  };

  return {
    note(answered: Answered): void {
      const { worker } = answered;
      const n = (counts.get(worker) ?? 0) + 1;
      counts.set(worker, n);
      if (n === 1) since.set(worker, shared.host.position());
      if (n > probation && Math.random() * auditEvery >= 1) return;
      pending = pending.then(() => check(answered)).catch(() => {});
    },
    done: () => pending,
  };
}
