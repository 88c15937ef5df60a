/**
 * A candidate is a mixture of two versions, and may miss a name that one of them gave up. With a rule about the exit code alone, its error would count as the
 * failure: most interpreters end with 1, whatever is wrong.
 */
import { complaintsIn } from '../../circumstances/changes/needs/complaints.js';
import type { Artifact } from '../../core/artifact.js';
import type { Test } from '../../core/index.js';

/** The same test, but what fails because of a name that new does not miss is unresolved. */
export function unlessNamesAreMissing(test: Test<Artifact>, now: Artifact): Test<Artifact> {
  let known: Promise<ReadonlySet<string>> | undefined;
  return async (artifact, signal) => {
    const verdict = await test(artifact, signal);
    if (verdict.outcome !== 'fail' || verdict.complaint === undefined || artifact === now) return verdict;
    const asked = (known ??= test(now, signal).then(({ complaint }) => namesIn(complaint)));
    // A question that was withdrawn is no answer for the next one.
    asked.catch(() => void (known = undefined));
    const inNew = await asked;
    if ([...namesIn(verdict.complaint)].every(name => inNew.has(name))) return verdict;
    return { ...verdict, outcome: 'unresolved', reason: `it fails, but for another reason: ${verdict.complaint}` };
  };
}

const namesIn = (complaint = ''): ReadonlySet<string> => new Set(complaintsIn(complaint).missing);
