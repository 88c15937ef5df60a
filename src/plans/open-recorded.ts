/** Opens the claim that a run recorded at its end, from its folder or from a certificate. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../core/index.js';
import { Mismatch } from '../core/schema.js';
import type { FinishedRun } from '../run/finished-run.js';
import { isOwn, readLedger } from '../run/publication.js';
import {
  formatProofCertificate,
  type ProofCertificate,
  type RecordedClaim,
  readNote,
  readProofCertificate,
} from '../run/recorded-proof.js';
import { writable } from '../run/run-folder.js';
import { decisionsIn, isFlakyRun } from './flaky/recorded.js';
import type { Request } from './job.js';
import { programOf } from './program.js';
import { claimNote, otherCertificate, outcomeOfSet, type VerdictsOf } from './recorded-claim.js';
import { type Findings, nothingFound } from './verify.js';

/** A claim about any job's result: it is looked up, and nothing is built for that. */
export interface RecordedSource {
  readonly recorded: RecordedClaim;
  readonly minimal: readonly string[];
  readonly verdictsOf: VerdictsOf;
  /** What the source says against the claim already. */
  readonly findings: Findings;
  /** The folder of the run, if it is there to be opened again. */
  readonly run?: string;
  readonly isFlaky: boolean;
  /** For a certificate: everything but the proofs. */
  readonly about: Omit<ProofCertificate, keyof RecordedClaim | 'outcomes' | 'certificate' | 'minimal'>;
}

/** `run`: the folder. Nothing if the run recorded no claim. */
export function openRecorded(run: string, finished: FinishedRun): RecordedSource | undefined {
  const { header, verdicts, noted, ended, sumBefore, transcript } = finished;
  const value = noted.get(claimNote);
  if (value === undefined || !ended) return undefined;
  const { after, ...recorded } = readingOf(value, run);
  const isFlaky = isFlakyRun(noted);
  const [began] = transcript;
  const { inputs, command } = header.request as Request;
  return {
    recorded,
    minimal: ended.minimal,
    verdictsOf: isFlaky ? decisionsIn(verdicts) : name => verdicts.get(name) ?? [],
    findings: against(run, after === sumBefore.get(claimNote)),
    run,
    isFlaky,
    about: {
      job: header.job,
      versions: header.versions,
      request: { inputs: inputs.map(each => basename(each)), command },
      // Only a certificate needs it, and a hundred megabytes of Node take longer than everything else.
      get program() {
        return programOf(command, header.cwd);
      },
      described: (began?.type === 'began' ? began.rule : undefined) ?? '',
    },
  };
}

function readingOf(value: unknown, run: string) {
  try {
    return readNote(value, claimNote);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new UserError(`The claim of ${run} can't be read: ${error.message}.`, 'Run the search again.', 1);
  }
}

function against(run: string, isSealed: boolean): Findings {
  const best = join(run, 'best');
  const ledger = readLedger(join(run, 'made/best.json'));
  const isBest = !existsSync(best) || isOwn(best, ledger && { ...ledger, path: resolve(best) });
  return {
    refuted: [
      ...(isSealed
        ? []
        : [`The journal of ${run} was changed after the claim was made: a line before it is another one.`]),
      ...(isBest ? [] : [`${best} is not what the run left there.`]),
    ],
    unchecked: [],
  };
}

/** Nothing if the certificate is one with artifacts, as `reduce` makes them. */
export function openProofCertificate(path: string): RecordedSource | undefined {
  const read = readProofCertificate(path);
  if (!read) return undefined;
  const { certificate, damage } = read;
  const { minimal, outcomes, proofs, original, certificate: _, ...about } = certificate;
  return {
    recorded: { proofs, original },
    minimal,
    verdictsOf: name => (Object.hasOwn(outcomes, name) ? [{ outcome: outcomes[name]! }] : []),
    findings: damage === undefined ? nothingFound : { refuted: [`${damage}.`], unchecked: [] },
    isFlaky: false,
    about,
  };
}

export function writeProofCertificate(path: string, source: RecordedSource): void {
  const { recorded, about, minimal, verdictsOf } = source;
  const outcomes = recorded.proofs.flatMap(proof => {
    const neighbours = proof.neighbours.map(({ name }) => [name, verdictsOf(name)[0]?.outcome] as const);
    return [[proof.set, outcomeOfSet(proof, verdictsOf)] as const, ...neighbours].flatMap(([name, outcome]) =>
      outcome === undefined ? [] : [[name, outcome] as const],
    );
  });
  const certificate = {
    certificate: 1 as const,
    ...about,
    minimal,
    ...recorded,
    outcomes: Object.fromEntries(outcomes),
  };
  writable(path, () => writeFileSync(path, formatProofCertificate(certificate), { flag: 'wx' }), otherCertificate);
}
