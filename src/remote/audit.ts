/** Tests some of the workers' answers again, here or on another worker, and bans a worker whose answers are wrong. */
import type { LocalRunner, Trial } from '../oracle/command/remote-runner.js';
import { type Shared, WrongAnswers } from './shared.js';

const probation = 3;
const defaultEvery = 50;
/** This many runs here must agree before a worker is reported for wrong answers. */
const proof = 5;

/**
 * How likely it is that a worker's nth answer is tested again: the first ones always, then fewer and fewer. A worker that
 * begins to give wrong answers at any time is very likely caught before they are most of its answers, for a number of tests
 * that grows only with the logarithm of the answers. It is a matter of chance, so that no worker can predict it.
 */
export const auditChance = (nth: number, every = defaultEvery): number =>
  nth <= probation ? 1 : every === Infinity ? 0 : Math.max(1 / every, probation / nth);

export interface Answered {
  readonly worker: string;
  readonly name: string;
  readonly trial: Trial;
  readonly own: LocalRunner;
  /** The verdict that follows from the answer. */
  readonly meaning: string;
}

export interface AuditOptions {
  ban(worker: string): void;
  /** The same trial on another worker; `undefined` if none of them answers. */
  elsewhere(answered: Answered): Promise<Answered | undefined>;
}

export function openAudits(shared: Shared, { ban, elsewhere }: AuditOptions) {
  const counts = new Map<string, number>();
  /** The length of the journal at a worker's first answer. */
  const since = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  /** Audits wait here for a slot of this machine, one after the other. */
  let turn: Promise<unknown> = Promise.resolve();

  const here = ({ trial, own }: Answered): Promise<string> => {
    const run = () => shared.here(async () => own.meaning(await own.here(trial, shared.host.signal)));
    const ran = turn.then(run);
    turn = ran.catch(() => {});
    return ran;
  };

  const check = async (answered: Answered): Promise<void> => {
    if (shared.banned.has(answered.worker) || shared.host.signal.aborted) return;
    // This machine is the better judge. If it is busy, another worker is: many workers must not wait for one machine.
    const other = shared.busy < Math.max(1, shared.options.jobs) ? undefined : await elsewhere(answered);
    if (!other) return judge(answered);
    if (other.meaning === answered.meaning) return;
    await judge(answered);
    await judge(other);
  };

  const judge = async (answered: Answered): Promise<void> => {
    const { worker, name, meaning } = answered;
    // A failure that shows only sometimes proves nothing against a worker: all runs here must contradict its answer.
    const first = await here(answered);
    if (first === meaning) return;
    for (let more = 1; more < proof; more++) if ((await here(answered)) !== first) return;
    if (shared.banned.has(worker)) return;
    const from = since.get(worker);
    const again = from === undefined ? '' : ' All tests since it joined are run again.';
    shared.host.say(`${name} gave a wrong answer and is banned.${again}`);
    ban(worker);
    if (from !== undefined) shared.wrong(new WrongAnswers(name, from));
  };

  return {
    note(answered: Answered): void {
      const { worker } = answered;
      const n = (counts.get(worker) ?? 0) + 1;
      counts.set(worker, n);
      if (n === 1) since.set(worker, shared.host.position());
      if (Math.random() >= auditChance(n, shared.options.auditEvery)) return;
      const audit: Promise<void> = check(answered)
        .catch(() => {})
        .finally(() => pending.delete(audit));
      pending.add(audit);
    },
    async done(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
