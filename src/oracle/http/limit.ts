/**
 * Runs `work` with a signal that fires when one of the given signals does, or after a timeout. AbortSignal.any over
 * AbortSignal.timeout is not used: it may be garbage-collected before it fires (nodejs/node#57736), and then the wait never
 * ends.
 */
export async function withTimeout<T>(
  signals: readonly AbortSignal[],
  milliseconds: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  for (const signal of signals) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  }
  const timer = milliseconds === undefined ? undefined : setTimeout(stop, milliseconds);
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', stop);
  }
}

/** Resolves when the signal fires. */
export const whenAborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise(resolve => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
