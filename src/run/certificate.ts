/** A certificate: one file with everything that is needed to check the claim of a run elsewhere, without its journal. */
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Artifact, Entry } from '../core/artifact.js';
import { type Outcome, UserError } from '../core/index.js';
import { array, boolean, Mismatch, number, object, oneOf, optional, record, string, such } from '../core/schema.js';
import { identify } from '../sources/files.js';
import { readNamed } from '../sources/read-named.js';

export interface Certificate {
  readonly certificate: 1;
  readonly job: string;
  /** Versions of culprit and of the grammars: others would cut the result into different deltas. */
  readonly versions: Readonly<Record<string, string>>;
  /** What was requested: the options determine the deltas. */
  readonly request: {
    readonly inputs: readonly string[];
    readonly command: readonly string[];
    readonly options: object;
  };
  /** What counts as the failure. */
  readonly first: {
    readonly rule: object;
    readonly described: string;
    readonly timeout: number;
    /** The tests need the folder in which the command was typed. The inputs are then paths in it. */
    readonly isInFolder?: boolean | undefined;
  };
  /** The program that was run, and the hash of its file. */
  readonly program?: { readonly path: string; readonly sha256: string };
  /** The claim is about what is in the archives, and not about their bytes. */
  readonly areOpen?: boolean | undefined;
  readonly original: Packed;
  readonly result: Packed;
  /** The content of the result in a readable layout, if that fails too. */
  readonly formatted?: string;
  readonly minimal: readonly string[];
  readonly promises: readonly {
    readonly pass: string;
    readonly proves: string;
    readonly deltas: number;
    readonly neighbours: Readonly<Record<string, Outcome>>;
  }[];
}

/** An artifact in a file: its content, and its files compressed. */
export interface Packed {
  readonly content: string;
  readonly files: readonly PackedEntry[];
}

interface PackedEntry {
  readonly path: string;
  readonly kind: Entry['kind'];
  readonly bytes?: string | undefined;
  readonly executable?: boolean | undefined;
  readonly target?: string | undefined;
}

export const pack = (artifact: Artifact): Packed => ({
  content: identify(artifact),
  files: [...artifact.files].map(([path, entry]) =>
    entry.kind === 'file'
      ? { path, ...entry, bytes: deflateRawSync(entry.bytes).toString('base64') }
      : { path, ...entry },
  ),
});

function unpack({ files }: Packed): Artifact {
  return { files: new Map(files.map(file => [file.path, entryOf(file)])) };
}

function entryOf({ kind, bytes = '', executable, target = '' }: PackedEntry): Entry {
  if (kind === 'folder') return { kind };
  if (kind === 'link') return { kind, target };
  const inflated = inflateRawSync(Buffer.from(bytes, 'base64'), { maxOutputLength: mostBytes });
  return { kind, bytes: new Uint8Array(inflated), ...(executable ? { executable } : {}) };
}

/** A file that unpacks to more than this is not an input of a test. */
const mostBytes = 1024 ** 3;

/** The seal protects only against damage: anyone can make their own certificate. That is what --rerun is for. */
export const formatCertificate = (certificate: Certificate): string =>
  `${JSON.stringify({ ...certificate, seal: sealOf(certificate) }, undefined, 1)}\n`;

const sealOf = (certificate: Certificate): string => hash('sha256', JSON.stringify(certificate), 'hex');

const packed = object({
  content: string,
  files: array(
    object({
      path: string,
      kind: oneOf('file', 'link', 'folder'),
      bytes: optional(string),
      executable: optional(boolean),
      target: optional(string),
    }),
  ),
});
const layout = object({
  certificate: oneOf(1),
  job: oneOf('reduce'),
  versions: record(string),
  request: object({ inputs: array(string), command: array(string), options: object({}) }),
  first: object({
    rule: object({ kind: string }),
    described: string,
    timeout: such(number, value => value > 0, 'seconds'),
    isInFolder: optional(boolean),
  }),
  program: optional(object({ path: string, sha256: string })),
  areOpen: optional(boolean),
  original: packed,
  result: packed,
  formatted: optional(string),
  minimal: array(string),
  promises: array(
    object({
      pass: string,
      proves: string,
      deltas: number,
      neighbours: record(oneOf('pass', 'fail', 'unresolved')),
    }),
  ),
});

export interface ReadCertificate {
  readonly certificate: Certificate;
  readonly original: Artifact;
  readonly result: Artifact;
  /** Why it is not the certificate that culprit wrote, if it is not. */
  readonly damage?: string;
}

export function readCertificate(path: string): ReadCertificate {
  const advice = 'Make it again with: culprit verify <run> --certificate <file>.';
  try {
    const { seal, ...rest } = JSON.parse(readNamed(path).toString()) as Certificate & { readonly seal?: string };
    const certificate = layout(rest) as unknown as Certificate;
    const [original, result] = [unpack(certificate.original), unpack(certificate.result)];
    const wrong = [
      ...(sealOf(rest) === seal ? [] : ['its seal does not match its content']),
      ...(identify(original) === certificate.original.content ? [] : ['its original does not match its digest']),
      ...(identify(result) === certificate.result.content ? [] : ['its result does not match its digest']),
    ];
    return { certificate, original, result, ...(wrong[0] ? { damage: `${path} was changed: ${wrong[0]}` } : {}) };
  } catch (error) {
    if (error instanceof Mismatch) throw new UserError(`${path} is not a certificate: ${error.message}.`, advice, 1);
    const said = (error as Error).message.split('\n')[0];
    throw new UserError(`${path} can't be read as a certificate: ${said}.`, advice, 1);
  }
}

/** Whether a file looks like a certificate at all, so that a result that happens to be JSON is not mistaken for one. */
export function isCertificate(path: string): boolean {
  try {
    return /^\{\s*"certificate":/.test(readNamed(path).toString('latin1', 0, 100));
  } catch {
    return false;
  }
}
