/** What a search has proven, as data: a set of deltas, and its neighbours, which differ from it by one delta each. */
import { type Circumstance, type Configuration, deltasOf, minus, of, union } from '../core/index.js';
import { pauseIfDue } from '../engine/index.js';
import type { Pass } from './pass.js';
import { offeredBy } from './searching-pass.js';

/** The set has the outcome, and none of its neighbours has. */
export interface Proof<Tested> {
  /** The kind of delta: one of the names in `minimal`. */
  readonly proves: string;
  /** The set in words: `the result`, `cause 2`. */
  readonly of: string;
  readonly outcome: 'fail' | 'pass';
  readonly set: Tested;
  readonly neighbours: readonly Neighbour<Tested>[];
  /** For a side of a pair, what identifies the pair. */
  readonly pair?: string;
  /** The search looked for the absence of the failure: its outcomes are the opposite of those of the test. */
  readonly isInverted?: boolean;
  /** What identifies an artifact in the journal. */
  readonly identify: (artifact: Tested) => string;
}

export interface Neighbour<Tested> {
  /** The delta in which it differs, in words. */
  readonly delta: string;
  readonly artifact: Tested;
}

interface Claimed<Tested> extends Pick<Proof<Tested>, 'of' | 'identify'> {
  readonly circumstance: Circumstance<Tested>;
  readonly set: Configuration;
  readonly outcome?: 'fail' | 'pass';
  readonly proves?: string;
  /** The deltas that are removed from the set one by one, or added to it if it does not have them (default: all of the set). */
  readonly deltas?: Configuration;
}

/** Nothing if the set itself can't be built: then there was nothing to prove. */
export function proofOf<Tested>(claimed: Claimed<Tested>): readonly Proof<Tested>[] {
  const { circumstance, set: configuration, deltas = configuration, identify, outcome = 'fail' } = claimed;
  const set = circumstance.build(configuration);
  if (set === undefined) return [];
  const own = identify(set);
  const neighbours: Neighbour<Tested>[] = [];
  for (const delta of deltasOf(deltas)) {
    const one = of([delta]);
    const isIn = minus(one, configuration).length === 0;
    const artifact = circumstance.build(isIn ? minus(configuration, one) : union(configuration, one));
    // What can't be built can't be tested, and what is built the same is no other artifact.
    if (artifact === undefined || identify(artifact) === own) continue;
    neighbours.push({ delta: `${circumstance.name} ${wordsFor(circumstance, delta)}`, artifact });
  }
  return [{ proves: claimed.proves ?? circumstance.name, of: claimed.of, outcome, set, neighbours, identify }];
}

interface ByPasses<Tested> {
  readonly identify: (artifact: Tested) => string;
  /** A neighbour that does not measure less is not a way to make the result smaller. */
  readonly measure: (artifact: Tested) => number;
}

/** What passes prove of a result that none of them could make smaller. */
export async function proofsBy<Tested>(
  passes: readonly Pass<Tested>[],
  result: Tested,
  { identify, measure }: ByPasses<Tested>,
): Promise<readonly Proof<Tested>[]> {
  const proofs: Proof<Tested>[] = [];
  const size = measure(result);
  for (const pass of passes) {
    if (pass.proves === undefined) continue;
    const neighbours: Neighbour<Tested>[] = [];
    for await (const { delta, artifact } of neighboursBy(pass, result))
      if (measure(artifact) < size) neighbours.push({ delta, artifact });
    proofs.push({ proves: pass.proves, of: 'the result', outcome: 'fail', set: result, neighbours, identify });
  }
  return proofs;
}

/** The result without each of the deltas that a pass sees in it, as far as that can be built. */
export async function* neighboursBy<Tested>(pass: Pass<Tested>, result: Tested): AsyncGenerator<Neighbour<Tested>> {
  const circumstance = await offeredBy({ pass, artifact: result, effort: 'thorough', isMeasured: true });
  if (!circumstance) return;
  const { count, name } = circumstance;
  for (let delta = 0; delta < count; delta++) {
    await pauseIfDue();
    const artifact = circumstance.build(minus([0, count], of([delta])));
    if (artifact !== undefined) yield { delta: `${name} ${wordsFor(circumstance, delta)}`, artifact };
  }
}

const wordsFor = ({ count, describe }: Circumstance<unknown>, delta: number): string =>
  describe?.(delta) ?? `${delta + 1} of ${count}`;

/** The same proof if a test needs more than the search varied. */
export const mapProof = <From, To>(
  { set, neighbours, identify, ...rest }: Proof<From>,
  over: (artifact: From) => To,
  back: (artifact: To) => From,
): Proof<To> => ({
  ...rest,
  set: over(set),
  neighbours: neighbours.map(({ delta, artifact }) => ({ delta, artifact: over(artifact) })),
  identify: artifact => identify(back(artifact)),
});
