/** Records what a search has proven at its end, and checks it against the recorded verdicts. */

import type { Outcome, Verdict } from '../core/index.js';
import { capital } from '../core/phrases.js';
import type { Journal } from '../run/journal.js';
import type { RecordedClaim, RecordedProof } from '../run/recorded-proof.js';
import { confirmationOf } from './confirm.js';
import type { Expected, Found } from './job.js';
import type { Proof } from './proof.js';
import type { Findings } from './verify.js';

/** The name of the note in the journal. */
export const claimNote = 'claim';

/** If a certificate can't be written. */
export const otherCertificate = 'Choose another path with --certificate.';

/** A run that is resumed when it is done claims nothing anew. */
export function recordClaim(journal: Journal, found: Found<unknown>, { probe }: Expected<unknown>): void {
  if (found.ended !== 'done' || found.minimal.length === 0 || !found.proofs) return;
  const proofs = found.proofs.map(recorded);
  const known = journal.noted(claimNote) as RecordedClaim | undefined;
  if (known && JSON.stringify(known.proofs) === JSON.stringify(proofs)) return;
  journal.noteAfter(claimNote, { proofs, original: probe ? [probe.identify(probe.original)] : [] });
}

export const recorded = <Tested>({ set, neighbours, identify, pair, ...proof }: Proof<Tested>): RecordedProof => ({
  proves: proof.proves,
  of: proof.of,
  outcome: proof.outcome,
  ...(pair === undefined ? {} : { pair }),
  set: identify(set),
  neighbours: neighbours.map(({ delta, artifact }) => ({ delta, name: identify(artifact) })),
});

export type VerdictsOf = (name: string) => readonly Pick<Verdict, 'outcome'>[];

/** Looks up every set and every neighbour: the sets must have their outcomes, and no neighbour may. */
export function checkProofs(
  { proofs, original }: RecordedClaim,
  minimal: readonly string[],
  verdictsOf: VerdictsOf,
): Findings {
  const proven = new Set(proofs.map(({ proves }) => proves));
  const missing = minimal.filter(each => !proven.has(each));
  const findings = proofs.map(proof => checkProof(proof, original, verdictsOf));
  return {
    refuted: [
      ...missing.map(each => `The run claims to be minimal by ${each}, but it has no proof of that.`),
      ...findings.flatMap(({ refuted }) => refuted),
    ],
    unchecked: findings.flatMap(({ unchecked }) => unchecked),
  };
}

function checkProof(proof: RecordedProof, original: readonly string[], verdictsOf: VerdictsOf): Findings {
  const { of, set, outcome } = proof;
  const own = outcomeOfSet(proof, verdictsOf);
  const isGiven = outcome === 'fail' && original.includes(set);
  if (own === undefined && !isGiven) return refutedBy(`${capital(of)} was never tested: there is no verdict on it.`);
  if (own !== undefined && own !== outcome)
    return refutedBy(`${capital(of)} is recorded as "${own}", not as "${outcome}".`);
  const [refuted, unchecked]: [string[], string[]] = [[], []];
  for (const { delta, name } of proof.neighbours) {
    const [verdict] = verdictsOf(name);
    if (verdict?.outcome === outcome) refuted.push(contradiction(proof, delta));
    // The original is known to fail, which is all that the proof of a passing set needs.
    else if (!verdict && !(outcome === 'pass' && original.includes(name)))
      unchecked.push(`${delta}: there is no verdict on ${of} that differs in it.`);
  }
  return { refuted, unchecked };
}

/**
 * The recorded outcome of a set. One that no question was about, such as a schedule as it was measured, has only the tests that
 * confirmed it; a side of a pair may have been tested only together with the other side.
 */
export function outcomeOfSet({ set, pair, outcome }: RecordedProof, verdictsOf: VerdictsOf): Outcome | undefined {
  const known = (name: string) => (verdictsOf(name)[0] ?? verdictsOf(confirmationOf(name, 1))[0])?.outcome;
  const own = known(set);
  return own === undefined && pair !== undefined && known(pair) === 'fail' ? outcome : own;
}

/** A neighbour that has the outcome too. */
export const contradiction = ({ of, outcome }: Pick<RecordedProof, 'of' | 'outcome'>, delta: string): string =>
  outcome === 'fail'
    ? `${delta} can be removed: ${of} without it has the same outcome.`
    : `${delta} does not matter: ${of} has the same outcome either way.`;

const refutedBy = (sentence: string): Findings => ({ refuted: [sentence], unchecked: [] });

export const countNeighbours = (proofs: readonly RecordedProof[]): number =>
  new Set(proofs.flatMap(({ neighbours }) => neighbours.map(({ name }) => name))).size;
