/** Verdicts that are already known, and what follows from passing configurations if the failure is monotone. */
import { type Configuration, isSubset, type Verdict } from '../core/index.js';

/** Verdicts by the content of the artifact. The first recorded one is final. The journal is such a memory, on disk. */
export interface Memory {
  recall(identity: string): Verdict | undefined;
  record(identity: string, verdict: Verdict): void;
}

/** The remembered verdict under this name; otherwise the verdict of `test`, which is then remembered. */
export async function recallOrTest(memory: Memory, name: string, test: () => Promise<Verdict>): Promise<Verdict> {
  const known = memory.recall(name);
  if (known !== undefined) return known;
  const verdict = await test();
  memory.record(name, verdict);
  return verdict;
}

/**
 * A memory that lives as long as this process, with what is known already.
 *
 * @example
 * ```ts
 * const memory = memoryOf([['an artifact', { outcome: 'pass' }]]);
 * memory.record('an artifact', { outcome: 'fail' });
 * memory.recall('an artifact'); // → { outcome: 'pass' }
 * ```
 */
export function memoryOf(known: Iterable<readonly [string, Verdict]> = []): Memory {
  const verdicts = new Map(known);
  return {
    recall: identity => verdicts.get(identity),
    record(identity, verdict) {
      if (!verdicts.has(identity)) verdicts.set(identity, verdict);
    },
  };
}

/**
 * "To exploit monotony, one can make test(c) return ✓ whenever a superset of c already passed the test"
 * (Hildebrandt and Zeller 2000, §8). Only answers of the transcript count, never those that were tested ahead: the
 * number of workers must not change what is known.
 */
export class PassedSets {
  #passed: Configuration[] = [];

  add(configuration: Configuration): void {
    if (this.covers(configuration)) return;
    this.#passed = [...this.#passed.filter(each => !isSubset(each, configuration)), configuration];
  }

  covers(configuration: Configuration): boolean {
    return this.#passed.some(each => isSubset(configuration, each));
  }
}
