import { readFileSync } from 'node:fs';
import type { Run } from '../../../src/oracle/process/types.js';
import { readSignature, type Signature, type SignatureContext } from '../../../src/oracle/signature/index.js';

export const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8');

export const runWith = (stderr: string, more: Partial<Run> = {}): Run => ({
  ...(more.signal === undefined ? { exit: 1 } : {}),
  timedOut: false,
  seconds: 0.1,
  stdout: new Uint8Array(),
  stderr: new TextEncoder().encode(stderr),
  truncated: false,
  ...more,
});

export const nothing: SignatureContext = { volatile: [] };

export const read = (stderr: string, more: Partial<Run> = {}, context: SignatureContext = nothing): Signature => {
  const signature = readSignature(runWith(stderr, more), context);
  if (!signature) throw new Error('no signature');
  return signature;
};
