/** Makes several searches at the same time on one pool, and reports them one after the other, as a single slot would. */
import type { Outcome } from '../core/index.js';
import { Counter } from './counter.js';
import type { Event } from './events.js';
import type { Room } from './pool.js';

/** What a search in a lane gets instead of the run's own. */
export interface LaneOptions {
  readonly room: Room;
  readonly counter: Counter;
  readonly signal: AbortSignal;
}

export type StartSearch<Result> = (options: LaneOptions) => AsyncGenerator<Event, Result>;

export interface Lanes<Result> {
  /** The events and the result of a search, numbered as if the searches were made in the order in which this is called. */
  follow(index: number): AsyncGenerator<Event, Result>;
  /** Stops what is still running. */
  close(): Promise<void>;
}

/**
 * Whether a question is cached, and which number it has, depends on all searches before it. So a search in a lane counts for
 * itself, and is counted again for the run when its turn comes. The room is shared evenly: as long as there are more searches
 * than slots, no slot needs to guess what may be asked next.
 */
export function openLanes<Result>(
  starts: readonly StartSearch<Result>[],
  { room, counter, signal }: { readonly room: Room; readonly counter: Counter; readonly signal?: AbortSignal },
): Lanes<Result> {
  const stop = new AbortController();
  const stopped = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  /** By number; a lane that was reported is gone. */
  const lanes = new Map<number, Lane<Result>>();
  let begun = 0;
  const running = (): readonly Lane<Result>[] => [...lanes.values()].filter(({ isDone }) => !isDone);
  const shareOf = (lane: Lane<Result>): number => {
    const all = running();
    if (all.length === 0) return 1;
    const [most, rest] = [Math.floor(room.capacity() / all.length), room.capacity() % all.length];
    return Math.max(1, most + (all.indexOf(lane) < rest ? 1 : 0));
  };
  const begin = (): void => {
    const lane = new Lane<Result>(shareOf);
    lanes.set(begun, lane);
    void lane.run(starts[begun++]!, stopped).finally(share);
  };
  const mayBegin = (): boolean =>
    begun < starts.length && running().length < Math.max(1, room.capacity()) && lanes.size < mostHeld(room.capacity());
  const share = (): void => {
    while (!stopped.aborted && mayBegin()) begin();
    for (const lane of running()) lane.changed();
  };
  const deaf = room.onCapacityChange(share);
  share();
  return {
    async *follow(index) {
      // Only a search that was stopped before it began is not there yet: it ends by itself.
      while (begun <= index) begin();
      // Earlier ones that nobody asked for.
      for (const [number, { isDone }] of lanes) if (number < index && isDone) lanes.delete(number);
      const result = yield* lanes.get(index)!.report(counter);
      lanes.delete(index);
      share();
      return result;
    },
    async close() {
      deaf();
      stop.abort();
      await Promise.all([...lanes.values()].map(lane => lane.ended));
    },
  };
}

/**
 * How many searches may be under way, or have ended and wait for their turn. The events of a search stay in memory until then, so a slow
 * search must not let thousands of others pass.
 */
const mostHeld = (capacity: number): number => Math.max(32, 2 * capacity);

type Fact<Result> =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'end'; readonly result: Result }
  | { readonly kind: 'error'; readonly error: unknown };

class Lane<Result> implements Room {
  isDone = false;
  ended: Promise<void> = Promise.resolve();
  readonly #share: (lane: Lane<Result>) => number;
  readonly #counter = new RecordingCounter();
  #facts: Fact<Result>[] = [];
  readonly #listeners = new Set<() => void>();
  #wake: () => void = () => {};

  constructor(share: (lane: Lane<Result>) => number) {
    this.#share = share;
  }

  capacity(): number {
    return this.#share(this);
  }

  onCapacityChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  changed(): void {
    for (const changed of this.#listeners) changed();
  }

  run(start: StartSearch<Result>, signal: AbortSignal): Promise<void> {
    this.ended = this.#search(start({ room: this, counter: this.#counter, signal }));
    return this.ended;
  }

  async #search(search: AsyncGenerator<Event, Result>): Promise<void> {
    try {
      for (;;) {
        const step = await search.next();
        if (step.done) return this.#add({ kind: 'end', result: step.value });
        this.#add({ kind: 'event', event: step.value });
      }
    } catch (error) {
      this.#add({ kind: 'error', error });
    }
  }

  #add(fact: Fact<Result>): void {
    if (fact.kind !== 'event') this.isDone = true;
    this.#facts.push(fact);
    this.#wake();
  }

  async *report(counter: Counter): AsyncGenerator<Event, Result> {
    const answers = this.#counter.answers[Symbol.iterator]();
    let counted = 0;
    for (;;) {
      while (this.#facts.length === 0)
        await new Promise<void>(resolve => {
          this.#wake = resolve;
        });
      const facts = this.#facts;
      this.#facts = [];
      for (const fact of facts) {
        counter.started += this.#counter.started - counted;
        counted = this.#counter.started;
        if (fact.kind === 'error') throw fact.error;
        if (fact.kind === 'end') return fact.result;
        const { event } = fact;
        if (event.type === 'answered') {
          const { name, outcome, free } = answers.next().value!;
          yield { ...event, ...counter.answered(name, outcome, free) };
        } else if (event.type === 'reduced') yield { ...event, step: counter.counts.tests };
        else yield event;
      }
    }
  }
}

/** Remembers what was counted, in order. */
class RecordingCounter extends Counter {
  readonly answers: { readonly name: string; readonly outcome: Outcome; readonly free: boolean }[] = [];

  override answered(...[name, outcome, free, again]: Parameters<Counter['answered']>): ReturnType<Counter['answered']> {
    this.answers.push({ name, outcome, free });
    return super.answered(name, outcome, free, again);
  }
}
