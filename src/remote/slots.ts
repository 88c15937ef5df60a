/** The slots of a worker: this many tests run at a time, for any number of runs. */

export interface Slots {
  readonly count: number;
  readonly busy: number;
  /** Waits for a free slot, and returns a function that frees it. Rejects if the signal aborts first. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function openSlots(count: number): Slots {
  let busy = 0;
  const waiting: { readonly enter: () => void; readonly signal: AbortSignal }[] = [];
  const leave = (): void => {
    busy--;
    let next = waiting.shift();
    while (next?.signal.aborted) next = waiting.shift();
    next?.enter();
  };
  const take = (): (() => void) => {
    busy++;
    let isOut = false;
    return () => {
      if (!isOut) leave();
      isOut = true;
    };
  };
  return {
    count,
    get busy() {
      return busy;
    },
    async enter(signal) {
      signal.throwIfAborted();
      if (busy < count) return take();
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        waiting.push({ enter: () => resolve(take()), signal });
      });
    },
  };
}
