/** Keys that sign what goes through a queue: Ed25519, as PEM files. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UserError } from '../core/index.js';
import { writable, writeFile } from '../run/atomic-write.js';
import { readNamed } from '../sources/read-named.js';

export interface Signer {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The public key's fingerprint. */
  readonly id: string;
}

export const fingerprint = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
    .slice(0, 22);

const signerOf = (privateKey: KeyObject, publicKey = createPublicKey(privateKey)): Signer => ({
  privateKey,
  publicKey,
  id: fingerprint(publicKey),
});

/** A key that lives as long as this process. */
export function newSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return signerOf(privateKey, publicKey);
}

/** Writes `<name>.key` and `<name>.pub`. An existing key is never replaced. */
export function writeKeys(name: string): { readonly key: string; readonly pub: string } {
  const [key, pub] = [`${name}.key`, `${name}.pub`];
  for (const path of [key, pub])
    if (existsSync(path)) throw new UserError(`${path} already exists.`, 'Choose another name, or use these keys.');
  const { privateKey, publicKey } = newSigner();
  const secretText = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const write = (path: string, text: string, secret: boolean) =>
    writable(path, () => writeFile(path, text, { secret, exclusive: true }), 'Choose another name with --keygen.');
  write(key, secretText, true);
  write(pub, publicKey.export({ type: 'spki', format: 'pem' }) as string, false);
  return { key, pub };
}

export function readSigner(path: string): Signer {
  return signerOf(read(path, 'private', createPrivateKey));
}

/** Tells whether a text has this private key in it. Every file that is sent is searched, so the key is written out only once. */
export function finderOf({ privateKey }: Signer): (bytes: Uint8Array) => boolean {
  const [, line = ''] = (privateKey.export({ type: 'pkcs8', format: 'pem' }) as string).split('\n');
  const written = Buffer.from(line);
  return bytes => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(written);
}

/** The public keys in these files, by fingerprint. A file may contain several. */
export function readTrusted(paths: readonly string[]): ReadonlyMap<string, KeyObject> {
  const keys = paths.flatMap(path => {
    const blocks = textOf(path).match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g);
    return (blocks ?? ['']).map(block => parse(path, block, 'public', createPublicKey));
  });
  return new Map(keys.map(key => [fingerprint(key), key]));
}

const read = (path: string, kind: string, make: (pem: string) => KeyObject): KeyObject =>
  parse(path, textOf(path), kind, make);

function textOf(path: string): string {
  try {
    return readNamed(path).toString();
  } catch (error) {
    throw new UserError(
      `The key ${path} can't be read: ${(error as Error).message}.`,
      'Make a pair with: culprit worker --keygen <name>',
    );
  }
}

function parse(path: string, text: string, kind: string, make: (pem: string) => KeyObject): KeyObject {
  try {
    const key = make(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Not a key at all: the sentence below says what was expected.
  }
  throw new UserError(
    `${path} does not contain a ${kind} Ed25519 key.`,
    `Make a pair with: culprit worker --keygen <name>. The ${kind} key is <name>.${kind === 'public' ? 'pub' : 'key'}.`,
  );
}
