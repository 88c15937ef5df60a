/** Searches with a test that lies at fixed rates: how many end exactly right, and how many runs they take. */
import { all, type Configuration, deltasOf, has, key, type Outcome, runInOrder, size } from '../../src/core/index.js';
import { decide, defaultConfidence, errorsFor, hypothesesFor, type Seen } from '../../src/core/sequential.js';
import { dd, sweep } from '../../src/strategies/index.js';

/** q: how often the failure shows if it is there. p: how often it shows if it is not. */
export interface Noise {
  readonly q: number;
  readonly p: number;
}

export const noises: readonly Noise[] = [
  { q: 0.9, p: 0 },
  { q: 0.7, p: 0 },
  { q: 0.5, p: 0 },
  { q: 0.2, p: 0 },
  { q: 0.98, p: 0.02 },
  { q: 0.95, p: 0.05 },
  { q: 0.9, p: 0.1 },
  { q: 0.7, p: 0.3 },
];

export const policies = ['once', 'any of 3', 'any of 10', 'majority of 5', 'sequential'] as const;
export type Policy = (typeof policies)[number];

const [deltas, needed, firstRuns] = [400, 8, 40];

/** Mulberry32: the same coins on every machine. */
export function coins(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Row {
  /** Searches that ended with exactly the right answer, of all. */
  readonly exact: number;
  /** Runs of the test in a search, on average; those that measured the rates are not among them. */
  readonly runs: number;
}

export function searches(strategy: 'sweep' | 'dd', policy: Policy, noise: Noise, seeds: number): Row {
  let [exact, runs] = [0, 0];
  for (let seed = 0; seed < seeds; seed++) {
    const end = search(strategy, policy, noise, coins(seed * 7919 + 13));
    if (end.isExact) exact++;
    runs += end.runs;
  }
  return { exact: exact / seeds, runs: runs / seeds };
}

function search(strategy: 'sweep' | 'dd', policy: Policy, { q, p }: Noise, next: () => number) {
  const causes = new Set<number>();
  while (causes.size < needed) causes.add(Math.floor(next() * deltas));
  const isThere = (configuration: Configuration) => [...causes].every(cause => has(configuration, cause));
  let runs = 0;
  const run = (rate: number): boolean => {
    runs++;
    return next() < rate;
  };
  const judge = judgeBy(policy, q, p, run);
  runs = 0;
  const known = new Map<string, Outcome>();
  const test = (configuration: Configuration): Outcome => {
    const name = key(configuration);
    const outcome = known.get(name) ?? (judge(isThere(configuration) ? q : p) ? 'fail' : 'pass');
    known.set(name, outcome);
    return outcome;
  };
  if (strategy === 'sweep') {
    const { result } = runInOrder(sweep(), all(deltas), test);
    return { runs, isExact: size(result) === needed && [...deltasOf(result)].every(delta => causes.has(delta)) };
  }
  const { failing, passing, difference } = runInOrder(dd(), all(deltas), test).result;
  return { runs, isExact: size(difference) === 1 && isThere(failing) && !isThere(passing) };
}

/** Whether a candidate is taken to fail. */
function judgeBy(policy: Policy, q: number, p: number, run: (rate: number) => boolean): (rate: number) => boolean {
  const fails = (times: number, rate: number) => {
    let count = 0;
    for (let i = 0; i < times; i++) if (run(rate)) count++;
    return count;
  };
  const any = (times: number) => (rate: number) => {
    for (let i = 0; i < times; i++) if (run(rate)) return true;
    return false;
  };
  switch (policy) {
    case 'once':
      return run;
    case 'any of 3':
      return any(3);
    case 'any of 10':
      return any(10);
    case 'majority of 5':
      return rate => fails(5, rate) >= 3;
    case 'sequential': {
      const measured = (rate: number): Seen => ({ fails: fails(firstRuns, rate), runs: firstRuns });
      const hypotheses = hypothesesFor({ original: measured(q), empty: measured(p) });
      const errors = errorsFor(defaultConfidence);
      return rate => {
        let seen: Seen = { fails: 0, runs: 0 };
        for (;;) {
          const decision = decide(hypotheses, errors, seen);
          if (decision) return decision === 'fail';
          seen = { fails: seen.fails + (run(rate) ? 1 : 0), runs: seen.runs + 1 };
        }
      };
    }
    default:
      return policy satisfies never;
  }
}
