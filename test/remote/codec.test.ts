import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Artifact, Entry } from '../../src/core/artifact.js';
import { decode, Encoder, MissingBlobs } from '../../src/remote/codec.js';
import { newSigner } from '../../src/remote/keys.js';
import { base64, hashOf, seal, unseal } from '../../src/remote/messages.js';

const bytes = fc.uint8Array({ maxLength: 3000 });
const path = fc.constantFrom('a', 'b.c', 'd/e', 'd/f', 'ü/ñ');
const artifacts = fc.array(
  fc.dictionary(path, bytes).map((files): Artifact => {
    const entries = Object.entries(files).map(([name, content]): [string, Entry] => [
      name,
      { kind: 'file', bytes: Buffer.from(content), ...(content.length % 2 === 1 ? { executable: true } : {}) },
    ]);
    return { files: new Map([...entries, ['link', { kind: 'link', target: '../x' }], ['z', { kind: 'folder' }]]) };
  }),
  { minLength: 1, maxLength: 5 },
);

test('artifacts that go through the queue one after the other arrive as they were', async () => {
  await fc.assert(
    fc.asyncProperty(artifacts, async list => {
      const encoder = new Encoder();
      const store = new Map<string, Uint8Array>();
      for (const artifact of list) {
        const { files, blobs } = encoder.encode(artifact);
        for (const [hash, content] of blobs) store.set(hash, content);
        const { files: decoded } = await decode(files, async hash => store.get(hash));
        expect([...decoded]).toEqual([...artifact.files]);
      }
    }),
    { numRuns: 50 },
  );
});

test('a candidate with a part removed is sent in a few bytes, and a lost blob is sent again', async () => {
  const whole = Buffer.from(Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join(''));
  const of = (content: Uint8Array): Artifact => ({ files: new Map([['in.txt', { kind: 'file', bytes: content }]]) });
  const encoder = new Encoder();
  expect(encoder.encode(of(whole)).blobs.size).toBe(1);
  const less = encoder.encode(of(Buffer.concat([whole.subarray(0, 900), whole.subarray(1800)])));
  expect(less.blobs.size).toBe(0);
  expect(JSON.stringify(less.files).length).toBeLessThan(300);
  await expect(decode(less.files, async () => undefined)).rejects.toThrow(MissingBlobs);
  encoder.forget([hashOf(whole)]);
  expect(encoder.encode(of(whole)).blobs.size).toBe(1);
});

test.each(['../x', '/etc/x', 'a/../../x', 'link/x', ''])(
  'a path that leads out of the workspace is refused: %j',
  async bad => {
    const list = [
      ['link', 'l', '/etc'],
      [bad, 'f', { text: '' }],
    ];
    const files = { text: base64(Buffer.from(JSON.stringify(list))) };
    await expect(decode(files, async () => undefined)).rejects.toThrow('leads out of the workspace');
  },
);

test('a message that was changed, or signed with another key, is no message', () => {
  const [one, other] = [newSigner(), newSigner()];
  const keyOf = (id: string) => (id === one.id ? one.publicKey : undefined);
  const text = seal({ run: 'r', n: 1 }, one);
  expect(unseal(text, keyOf)?.body).toBe('{"run":"r","n":1}');
  expect(unseal(text.replace('\\"n\\":1', '\\"n\\":2'), keyOf)).toBeUndefined();
  expect(unseal(seal({ run: 'r' }, other), keyOf)).toBeUndefined();
  expect(unseal(JSON.stringify({ ...JSON.parse(seal({}, other)), key: one.id }), keyOf)).toBeUndefined();
  expect(unseal('{}', keyOf)).toBeUndefined();
});
