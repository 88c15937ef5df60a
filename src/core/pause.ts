/** Lets timers, signals and other input in while a long computation runs. */

/** Milliseconds of computation after which the event loop gets a turn: short enough for Ctrl-C, too long to cost anything. */
const longest = 50;

/** A turn of the event loop. A resolved promise is not enough: signals and timers wait for a macrotask. */
const turn = (): Promise<void> =>
  new Promise(resolve => (typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve)));

let last = 0;

/**
 * Gives the event loop a turn if it has had none for a while. Every loop that may run long without waiting for a test
 * calls it: a computation that never pauses gets no signals. With an aborted `signal` it throws, so that nothing goes on that
 * nobody waits for.
 *
 * @example
 * ```ts
 * for (const item of millions) {
 *   work(item);
 *   await pauseIfDue();
 * }
 * ```
 */
export async function pauseIfDue(signal?: AbortSignal): Promise<void> {
  const now = performance.now();
  if (now - last < longest) return;
  await turn();
  last = performance.now();
  signal?.throwIfAborted();
}

/** What `orStopped` returns if the signal came first. */
export const stopped = Symbol('stopped');

/** The result of a long computation, unless it is to stop first. The computation is not waited for then. */
export async function orStopped<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | typeof stopped> {
  if (signal === undefined) return work;
  let listen = (): void => {};
  const stop = new Promise<typeof stopped>(resolve => {
    listen = () => resolve(stopped);
    signal.addEventListener('abort', listen, { once: true });
  });
  try {
    return signal.aborted ? stopped : await Promise.race([work, stop]);
  } finally {
    signal.removeEventListener('abort', listen);
    // It may still fail, which nobody asks about.
    work.catch(() => {});
  }
}
