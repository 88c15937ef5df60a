/** Runs a test only once for all searches that ask for the same artifact at the same time. */
import type { Test, Verdict } from '../core/index.js';

interface Running {
  readonly verdict: Promise<Verdict>;
  readonly stop: AbortController;
  waiting: number;
}

/** The test is stopped when nobody waits for it any more. */
export function joinTests<Artifact>(test: Test<Artifact>, identify: (artifact: Artifact) => string): Test<Artifact> {
  const running = new Map<string, Running>();
  const begin = (name: string, artifact: Artifact): Running => {
    const stop = new AbortController();
    const verdict = test(artifact, stop.signal).finally(() => {
      if (running.get(name)?.stop === stop) running.delete(name);
    });
    const begun = { verdict, stop, waiting: 0 };
    running.set(name, begun);
    return begun;
  };
  return async (artifact, signal) => {
    signal.throwIfAborted();
    const name = identify(artifact);
    const joined = running.get(name) ?? begin(name, artifact);
    joined.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (--joined.waiting === 0) {
          joined.stop.abort(signal.reason);
          if (running.get(name) === joined) running.delete(name);
        }
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      joined.verdict.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  };
}
