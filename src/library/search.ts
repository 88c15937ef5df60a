/** A running search that can be awaited for its result or iterated for its events. */
import type { Event } from '../engine/index.js';

/**
 * A search under way: await it for its result, or iterate over it for its events as they happen, or both.
 * It begins when it is first awaited or iterated.
 *
 * @example
 * ```ts
 * const search = simplify(['a', 'b', 'c'], list => list.includes('b'));
 * const steps = [];
 * for await (const event of search) if (event.type === 'reduced') steps.push(event.size.deltas);
 * [steps.at(-1), (await search).value]; // → [1, ['b']]
 * ```
 */
export class Search<Result> implements PromiseLike<Result>, AsyncIterable<Event> {
  readonly #run: AsyncGenerator<Event, Result>;
  #result: Promise<Result> | undefined;
  readonly #settle: { resolve: (result: Result) => void; reject: (error: unknown) => void };
  readonly #ended: Promise<Result>;

  constructor(run: AsyncGenerator<Event, Result>) {
    this.#run = run;
    let settle: { resolve: (result: Result) => void; reject: (error: unknown) => void } | undefined;
    this.#ended = new Promise<Result>((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.#ended.catch(() => {});
    this.#settle = settle!;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    this.#result ??= this.#ended;
    let isLeft = true;
    try {
      for (;;) {
        const step = await this.#run.next();
        if (step.done) {
          isLeft = false;
          return this.#settle.resolve(step.value);
        }
        yield step.value;
      }
    } catch (error) {
      isLeft = false;
      this.#settle.reject(error);
      throw error;
    } finally {
      // A loop that was left early: awaiting the search now runs the rest of it.
      if (isLeft) this.#result = undefined;
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaited is what a search is for.
  then<A = Result, B = never>(
    fulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#drain();
    return this.#result.then(fulfilled, rejected);
  }

  async #drain(): Promise<Result> {
    for await (const _ of this);
    return this.#ended;
  }
}
