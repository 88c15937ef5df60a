/** The messages between client and workers, and how they are signed. */
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { array, boolean, number, object, oneOf, optional, type Reader, record, string } from '../core/schema.js';
import type { Attempt } from '../oracle/command/attempt.js';
import type { Run } from '../oracle/process/index.js';
import type { Signer } from './keys.js';

/** The type of what a reader accepts: a field that may be missing is optional. */
type Loose<T> = T extends readonly (infer Element)[]
  ? readonly Loose<Element>[]
  : T extends object
    ? { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: Loose<T[Name]> } & {
        readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Loose<T[Name]>;
      }
    : T;

/** Both sides must use the same version. */
export const protocol = 2;

const piece = object({
  blob: optional(string),
  head: optional(number),
  tail: optional(number),
  text: optional(string),
});
export type Piece = Loose<ReturnType<typeof piece>>;

const order = object({
  run: string,
  id: string,
  /** The artifact. */
  files: piece,
  timeout: number,
  anew: boolean,
  /** The command's arguments and environment, if they vary. */
  args: optional(array(string)),
  env: optional(record(string)),
  aside: optional(object({ files: record(string), env: record(string), reads: string })),
});
export type Order = Loose<ReturnType<typeof order>>;

const writtenRun = object({
  exit: optional(number),
  signal: optional(string),
  timedOut: boolean,
  exceeded: optional(oneOf('memory', 'processes')),
  seconds: number,
  stdout: string,
  stderr: string,
  truncated: boolean,
});
const writtenAttempt = object({
  run: writtenRun,
  other: optional(writtenRun),
  unbuilt: optional(boolean),
  written: optional(string),
});
export type WrittenAttempt = Loose<ReturnType<typeof writtenAttempt>>;

const answer = object({
  run: string,
  id: string,
  worker: string,
  /** The hash of the order that is answered. */
  order: string,
  attempt: optional(writtenAttempt),
  /** Blobs that are gone or damaged. */
  missing: optional(array(string)),
  /** Why there is no attempt. */
  cannot: optional(string),
});
export type Answer = Loose<ReturnType<typeof answer>>;

const announcement = object({ run: string, key: string, protocol: number });

/** From a worker to a client. */
const up = object({
  kind: oneOf('hello', 'ready', 'refuse', 'beat', 'bye'),
  run: string,
  worker: string,
  name: optional(string),
  /** The key that signs this worker's messages, as DER. */
  publicKey: optional(string),
  slots: optional(number),
  version: optional(string),
  protocol: optional(number),
  nonce: optional(string),
  attempt: optional(writtenAttempt),
  reason: optional(string),
  running: optional(array(string)),
  /** Blobs of the original that are gone or damaged. */
  missing: optional(array(string)),
});
export type Up = Loose<ReturnType<typeof up>>;

const program = object({ path: string, sha256: string });
const setup = object({
  argv: array(string),
  differs: optional(string),
  build: optional(string),
  names: array(string),
  oneOf: optional(boolean),
  isInputless: optional(boolean),
  stdin: optional(boolean),
  folder: optional(string),
  memory: optional(number),
  processes: optional(number),
  workspace: string,
  /** Where the client has the plugins of culprit: they may be elsewhere on a worker. */
  plugins: string,
  /** Variables that the user chose to send. */
  env: record(string),
  /** The programs and scripts that the command names. */
  programs: array(program),
});
export type SentSetup = Loose<ReturnType<typeof setup>>;

/** From a client to its workers. */
const down = object({
  kind: oneOf('setup', 'welcome', 'cancel', 'ban', 'over'),
  run: string,
  to: optional(string),
  nonce: optional(string),
  setup: optional(setup),
  /** The original, on which the worker is tried. */
  probe: optional(order),
  ids: optional(array(string)),
  reason: optional(string),
});
export type Down = Loose<ReturnType<typeof down>>;

const parsing =
  <T>(reader: Reader<T>) =>
  (text: string): Loose<T> | undefined => {
    try {
      return reader(JSON.parse(text)) as Loose<T>;
    } catch {
      return undefined;
    }
  };

/** Each reads a text that came through the queue; `undefined` if it is damaged. */
export const read = {
  order: parsing(order),
  answer: parsing(answer),
  announcement: parsing(announcement),
  up: parsing(up),
  down: parsing(down),
};

const sealed = parsing(object({ body: string, key: string, signature: string }));

/** Signs a message. The body is a text, so both sides hash the same bytes. */
export function seal(body: object, signer: Signer): string {
  const text = JSON.stringify(body);
  const signature = sign(null, Buffer.from(text), signer.privateKey).toString('base64');
  return JSON.stringify({ body: text, key: signer.id, signature });
}

/** The body and the key's fingerprint, if one of these keys signed it. */
export function unseal(
  text: string,
  keyOf: (id: string, body: string) => KeyObject | undefined,
): { readonly body: string; readonly key: string } | undefined {
  const read = sealed(text);
  const key = read && keyOf(read.key, read.body);
  if (!read || !key) return undefined;
  try {
    const isTrue = verify(null, Buffer.from(read.body), key, Buffer.from(read.signature, 'base64'));
    return isTrue ? { body: read.body, key: read.key } : undefined;
  } catch {
    return undefined;
  }
}

export const hashOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const writeAttempt = ({ run, other, ...rest }: Attempt): WrittenAttempt => ({
  ...rest,
  run: writeRun(run),
  ...(other ? { other: writeRun(other) } : {}),
});

export const readAttempt = ({ run, other, ...rest }: WrittenAttempt): Attempt => ({
  ...rest,
  run: readRun(run),
  ...(other ? { other: readRun(other) } : {}),
});

const writeRun = (run: Run) => ({ ...run, stdout: base64(run.stdout), stderr: base64(run.stderr) });
const readRun = (run: WrittenAttempt['run']): Run =>
  ({ ...run, stdout: Buffer.from(run.stdout, 'base64'), stderr: Buffer.from(run.stderr, 'base64') }) as Run;

export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
