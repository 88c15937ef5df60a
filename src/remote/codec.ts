/** Artifacts on the wire: files as content-addressed blobs, or as the difference from a blob that was sent before. */
import type { Artifact, Entry } from '../core/artifact.js';
import { addAll } from '../core/lists.js';
import { base64, hashOf, type Piece } from './messages.js';

/** A shorter file is sent whole. */
const short = 128;
/** A difference from a blob may be this long; beyond that, the file becomes a new blob. */
const longestSplice = 1024;
/** How many blobs per path a file is compared with: candidates that are tested at the same time differ in several places. */
const mostBases = 4;
/** The name under which the list of files is a file itself. No path has a NUL in it. */
const listing = '\0';

type Listed = readonly [path: string, kind: 'f' | 'x' | 'l' | 'd', content?: Piece | string];

export interface Encoded {
  readonly files: Piece;
  /** Blobs that the workers do not have yet, by hash. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** Remembers what was sent. */
export class Encoder {
  readonly #bases = new Map<string, { readonly hash: string; readonly bytes: Uint8Array }[]>();

  encode({ files }: Artifact): Encoded {
    const blobs = new Map<string, Uint8Array>();
    const list = [...files].map(([path, entry]): Listed => {
      if (entry.kind === 'folder') return [path, 'd'];
      if (entry.kind === 'link') return [path, 'l', entry.target];
      return [path, entry.executable ? 'x' : 'f', this.#piece(path, entry.bytes, blobs)];
    });
    return { files: this.#piece(listing, Buffer.from(JSON.stringify(list)), blobs), blobs };
  }

  /** A worker did not find these: they are sent again with the next artifact that needs them. */
  forget(hashes: readonly string[]): void {
    for (const [path, bases] of this.#bases)
      this.#bases.set(
        path,
        bases.filter(({ hash }) => !hashes.includes(hash)),
      );
  }

  #piece(path: string, bytes: Uint8Array, blobs: Map<string, Uint8Array>): Piece {
    if (bytes.length <= short) return { text: base64(bytes) };
    const bases = this.#bases.get(path) ?? [];
    let best: Piece | undefined;
    let least = longestSplice + 1;
    for (const base of bases) {
      // Files that do not vary are the same object in every artifact.
      if (base.bytes === bytes) return { blob: base.hash };
      const { head, tail } = common(base.bytes, bytes);
      const middle = bytes.length - head - tail;
      if (middle >= least) continue;
      least = middle;
      const isWhole = middle === 0 && bytes.length === base.bytes.length;
      best = isWhole
        ? { blob: base.hash }
        : { blob: base.hash, head, tail, text: base64(bytes.subarray(head, bytes.length - tail)) };
    }
    if (best) return best;
    const hash = hashOf(bytes);
    blobs.set(hash, bytes);
    this.#bases.set(path, [{ hash, bytes }, ...bases].slice(0, mostBases));
    return { blob: hash };
  }
}

/** How many bytes at the start and at the end are the same. */
function common(a: Uint8Array, b: Uint8Array): { readonly head: number; readonly tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { head, tail };
}

/** Gives blobs by hash; it has checked that their bytes have this hash. */
export type Blobs = (hash: string) => Promise<Uint8Array | undefined>;

/** Blobs that are gone or damaged. */
export class MissingBlobs extends Error {
  constructor(readonly hashes: readonly string[]) {
    super(`missing: ${hashes.join(', ')}`);
  }
}

/** The artifact. Throws `MissingBlobs`, or another error if the list of files is invalid. */
export async function decode(files: Piece, blobs: Blobs): Promise<Artifact> {
  const list = JSON.parse(Buffer.from(await bytesOf(files, blobs)).toString('utf8')) as readonly Listed[];
  const missing: string[] = [];
  const entries = await Promise.all(
    list.map(async ([path, kind, content]): Promise<readonly [string, Entry]> => {
      if (kind === 'd') return [path, { kind: 'folder' }];
      if (kind === 'l') return [path, { kind: 'link', target: String(content) }];
      try {
        const bytes = await bytesOf(content as Piece, blobs);
        return [path, { kind: 'file', bytes, ...(kind === 'x' ? { executable: true } : {}) }];
      } catch (error) {
        if (!(error instanceof MissingBlobs)) throw error;
        addAll(missing, error.hashes);
        return [path, { kind: 'folder' }];
      }
    }),
  );
  if (missing.length > 0) throw new MissingBlobs([...new Set(missing)]);
  const decoded = new Map(entries);
  for (const path of decoded.keys()) demandInside(path, decoded);
  return { files: decoded };
}

async function bytesOf({ blob, head = 0, tail = 0, text }: Piece, blobs: Blobs): Promise<Uint8Array> {
  if (blob === undefined) return Buffer.from(text ?? '', 'base64');
  const base = await blobs(blob);
  if (!base) throw new MissingBlobs([blob]);
  if (text === undefined) return base;
  return Buffer.concat([
    base.subarray(0, head),
    Buffer.from(text, 'base64'),
    base.subarray(Math.max(0, base.length - tail)),
  ]);
}

/** A worker writes these paths itself, outside the sandbox: none may lead out of the workspace. */
function demandInside(path: string, files: ReadonlyMap<string, Entry>): void {
  const parts = path.split('/');
  const isPlain = path !== '' && !path.includes('\0') && parts.every(part => !['', '.', '..'].includes(part));
  const isBelowLink = parts.some((_, i) => i > 0 && files.get(parts.slice(0, i).join('/'))?.kind === 'link');
  if (!isPlain || isBelowLink) throw new Error(`${JSON.stringify(path)} leads out of the workspace`);
}
