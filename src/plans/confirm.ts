/** Tests a result again, without the cache, before anything is called proven; goes back if it does not hold. */
import { all, type Test, type Verdict } from '../core/index.js';
import type { Counter, Ended, Event, Memory } from '../engine/index.js';

/** How often every job tests its result again. */
export const confirmations = 3;

/** What identifies test i of those that confirm a result. */
export const confirmationOf = (content: string, i: number): string => `again ${i}: ${content}`;

/** How a search confirms its result. */
export interface Confirming {
  /** How often the result is tested again, without the cache, before anything is called proven (default: never). */
  readonly confirm?: number;
  /** Called if the result did not fail again. It must then also inform the user. */
  readonly doubted?: (how: 'went back' | 'unstable') => void;
}

export interface ConfirmOptions<Artifact> extends Pick<Confirming, 'doubted'> {
  /** How often a result must fail again. */
  readonly times: number;
  /** The number of this round, for the events. */
  readonly round?: number;
  readonly identify: (artifact: Artifact) => string;
  readonly measure?: (artifact: Artifact) => number;
  readonly memory?: Memory;
  readonly counter: Counter;
  readonly signal?: AbortSignal;
  readonly maxTests?: number;
  readonly outOfTime?: () => boolean;
}

export interface Confirmed<Artifact> {
  readonly ended: Ended;
  /** The newest artifact that holds; the newest of all if none does, or if there was no time to check. */
  readonly artifact: Artifact;
  /** `held`: as it was. `went back`: to an older one. `unstable`: none of them fails every time. */
  readonly how: 'held' | 'went back' | 'unstable' | 'stopped';
}

/**
 * A verdict that was close to a limit (time, memory, a race) may have been luck, and a search selects for lucky verdicts.
 * So the result is tested again, `times` times. If one of these tests does not fail, the search goes back to the newest
 * older artifact that holds: in growing steps, then by halving. Each test has its own name in the memory, so a resumed run
 * repeats none.
 */
export async function* confirm<Artifact>(
  history: readonly Artifact[],
  test: Test<Artifact>,
  options: ConfirmOptions<Artifact>,
): AsyncGenerator<Event, Confirmed<Artifact>> {
  const newest = history.length - 1;
  const at = (index: number) => history[index]!;
  const known = new Map<number, boolean>();
  let stopped: Ended | undefined;
  async function* holds(index: number): AsyncGenerator<Event, boolean> {
    const before = known.get(index);
    if (before !== undefined) return before;
    const found = yield* again(at(index), test, options);
    if (typeof found === 'string') stopped = found;
    else known.set(index, found);
    return found === true;
  }
  const doubt = (how: 'went back' | 'unstable', index: number): Confirmed<Artifact> => {
    options.doubted?.(how);
    return { ended: 'done', artifact: at(index), how };
  };
  const stop = (ended: Ended) => ({ ended, artifact: at(newest), how: 'stopped' as const });

  if (yield* holds(newest)) return { ended: 'done', artifact: at(newest), how: 'held' };
  if (stopped !== undefined) return stop(stopped);
  let bad = newest;
  let good = -1;
  for (let step = 1; good < 0 && bad > 0; step *= 2) {
    const index = Math.max(0, newest - step);
    if (yield* holds(index)) good = index;
    else bad = index;
    if (stopped !== undefined) return stop(stopped);
  }
  if (good < 0) return doubt('unstable', newest);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (yield* holds(middle)) good = middle;
    else bad = middle;
    if (stopped !== undefined) return stop(stopped);
  }
  return doubt('went back', good);
}

/** Whether an artifact fails every time; how it ended if the budget ran out first. */
async function* again<Artifact>(
  artifact: Artifact,
  test: Test<Artifact>,
  options: ConfirmOptions<Artifact>,
): AsyncGenerator<Event, boolean | Ended> {
  const { times, identify, measure, memory, counter, signal, maxTests = Infinity } = options;
  const bytes = measure ? { bytes: measure(artifact) } : {};
  yield {
    type: 'pass',
    pass: 'test the result again',
    round: options.round ?? 1,
    deltas: 1,
    strategy: 'repeat',
    ...bytes,
  };
  for (let i = 1; i <= times; i++) {
    const name = confirmationOf(identify(artifact), i);
    if (counter.spent >= maxTests || options.outOfTime?.()) return 'budget';
    let verdict = memory?.recall(name);
    if (verdict === undefined) {
      if (signal?.aborted) return 'interrupted';
      counter.started++;
      verdict = await judge(artifact, test, signal);
      if (signal?.aborted) return 'interrupted';
      memory?.record(name, verdict);
    }
    const { outcome, reason } = verdict;
    const { step, known } = counter.answered(name, outcome, false);
    const part = { part: `again, ${i} of ${times}`, ...(reason ? { reason } : {}) };
    yield { type: 'answered', step, configuration: all(1), outcome, known, ...bytes, ...part };
    if (outcome !== 'fail') return false;
  }
  return true;
}

async function judge<Artifact>(artifact: Artifact, test: Test<Artifact>, signal?: AbortSignal): Promise<Verdict> {
  try {
    return await test(artifact, signal ?? new AbortController().signal);
  } catch (error) {
    return { outcome: 'unresolved', reason: `the test broke: ${(error as Error).message}` };
  }
}

/** What the user must know about a result that did not hold. */
export function doubtOf(how: Confirmed<unknown>['how']): string | undefined {
  if (how === 'went back')
    return 'The smallest result did not fail when it was tested again. This is the newest one that does; it is not proven minimal. If the failure is near a time limit, try --timeout.';
  if (how === 'unstable')
    return 'The result does not fail every time, and neither does the original: nothing is proven. Without --flaky off and --no-cache, each test is repeated until its verdict is sure.';
  return undefined;
}

/** Accepted artifacts, oldest first, to go back to. The original is always kept; large old ones are dropped first. */
export class History<Artifact> {
  readonly #measure: (artifact: Artifact) => number;
  readonly #original: Artifact;
  #accepted: { readonly artifact: Artifact; readonly bytes: number }[] = [];
  #bytes = 0;

  constructor(original: Artifact, measure: (artifact: Artifact) => number = () => 1) {
    this.#original = original;
    this.#measure = measure;
  }

  add(artifact: Artifact): void {
    if (this.#accepted.at(-1)?.artifact === artifact) return;
    const bytes = this.#measure(artifact) + 1;
    this.#accepted.push({ artifact, bytes });
    this.#bytes += bytes;
    while (this.#bytes > mostBytes && this.#accepted.length > 1) this.#bytes -= this.#accepted.shift()!.bytes;
  }

  /** The accepted artifacts up to this one, which is the newest. */
  upTo(artifact: Artifact): readonly Artifact[] {
    const older = this.#accepted.map(one => one.artifact).filter(one => one !== artifact && one !== this.#original);
    return artifact === this.#original ? [artifact] : [this.#original, ...older, artifact];
  }
}

const mostBytes = 32 * 1024 * 1024;
