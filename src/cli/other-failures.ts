import type { Artifact } from '../circumstances/artifact.js';
import type { Test } from '../core/index.js';
import type { Event } from '../engine/index.js';
import type { RunFolder } from './run-folder.js';

/** More kinds of failure than anyone reads are counted, and no longer kept. */
const most = 40;

/** Keeps inputs that failed in another way, one for each signature, for the user to see. */
export function otherFailures(test: Test<Artifact>, folder: RunFolder, see: (event: Event) => void): Test<Artifact> {
  const kept = new Set<string>();
  return async (artifact, signal) => {
    const verdict = await test(artifact, signal);
    const { signature, reason } = verdict;
    if (verdict.outcome !== 'unresolved' || signature === undefined || kept.has(signature) || signal.aborted)
      return verdict;
    kept.add(signature);
    if (kept.size <= most) {
      const words = (reason ?? signature).replace(/^another failure: /, '');
      const name = `${String(kept.size).padStart(2, '0')}-${words
        .replace(/[^\w]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 50)}`;
      see({ type: 'noticed', what: 'other failure', text: words, path: folder.keepOther(name, artifact, words) });
    }
    return verdict;
  };
}
