/** What a run has proven, as its journal and its certificate hold it: questions by name, and the answers that they must have. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Outcome, UserError } from '../core/index.js';
import { array, Mismatch, object, oneOf, optional, type Reader, record, string } from '../core/schema.js';

/** A set of deltas that has an outcome, and neighbours that must not have it. */
export interface RecordedProof {
  readonly proves: string;
  /** The set in words: `the result`, `cause 2`. */
  readonly of: string;
  readonly outcome: 'fail' | 'pass';
  readonly set: string;
  /** A side of a pair: the pair fails only if both sides have their outcomes. */
  readonly pair?: string | undefined;
  readonly neighbours: readonly RecordedNeighbour[];
}

export interface RecordedNeighbour {
  /** The delta in which it differs, in words. */
  readonly delta: string;
  readonly name: string;
}

export interface RecordedClaim {
  readonly proofs: readonly RecordedProof[];
  /** What the run began with: the first run judged it, and it may have no other verdict. */
  readonly original: readonly string[];
}

const outcome = oneOf('pass', 'fail', 'unresolved');
const proofs = array(
  object({
    proves: string,
    of: string,
    outcome: oneOf('fail', 'pass'),
    set: string,
    pair: optional(string),
    neighbours: array(object({ delta: string, name: string })),
  }),
);

/** The note in a journal. `after`: the checksum of the line before it. */
export const readNote: Reader<RecordedClaim & { readonly after: string }> = object({
  proofs,
  original: array(string),
  after: string,
});

/** One file with all that is needed to check the claim without the run. What was tested is not in it. */
export interface ProofCertificate extends RecordedClaim {
  readonly certificate: 1;
  readonly job: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly request: { readonly inputs: readonly string[]; readonly command: readonly string[] };
  /** The program that was run, and what its file was. */
  readonly program?: { readonly path: string; readonly sha256: string } | undefined;
  /** What counts as the failure, in words. */
  readonly described: string;
  readonly minimal: readonly string[];
  /** The verdicts that the claim rests on. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

const layout = object({
  certificate: oneOf(1),
  job: string,
  versions: record(string),
  request: object({ inputs: array(string), command: array(string) }),
  program: optional(object({ path: string, sha256: string })),
  described: string,
  minimal: array(string),
  proofs,
  original: array(string),
  outcomes: record(outcome),
});

/** The seal protects against damage only: anyone can make their own certificate. */
export const formatProofCertificate = (certificate: ProofCertificate): string =>
  `${JSON.stringify({ ...certificate, seal: sealOf(certificate) }, undefined, 1)}\n`;

const sealOf = (certificate: object): string => hash('sha256', JSON.stringify(certificate), 'hex');

export interface ReadProofCertificate {
  readonly certificate: ProofCertificate;
  /** Why it is not the certificate that culprit wrote, if it is not. */
  readonly damage?: string;
}

/** The certificate at a path, if it is one of this kind. */
export function readProofCertificate(path: string): ReadProofCertificate | undefined {
  try {
    const { seal, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
    if (rest.job === 'reduce' && !('proofs' in rest)) return undefined;
    const certificate = layout(rest);
    const isWhole = sealOf(rest) === seal;
    return { certificate, ...(isWhole ? {} : { damage: `${path} was changed: its seal does not fit its content` }) };
  } catch (error) {
    const advice = 'Make it again with: culprit verify <run> --certificate <file>.';
    if (error instanceof Mismatch) throw new UserError(`${path} is not a certificate: ${error.message}.`, advice, 1);
    const [said] = (error as Error).message.split('\n');
    throw new UserError(`${path} can't be read as a certificate: ${said}.`, advice, 1);
  }
}
