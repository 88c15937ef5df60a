import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Entry } from '../../../src/core/artifact.js';
import { inOrder, type Snapshot } from '../../../src/sources/versions/snapshot.js';

/** A snapshot from texts; `→ x` is a link to x. */
export const folder = (files: Readonly<Record<string, string | Entry>>): Snapshot =>
  inOrder(
    Object.entries(files).map(([path, content]) => {
      if (typeof content !== 'string') return [path, content] as const;
      if (content.startsWith('→ ')) return [path, { kind: 'link', target: content.slice(2) }] as const;
      return [path, { kind: 'file', bytes: Buffer.from(content, 'latin1') }] as const;
    }),
  );

export const executable = (content: string): Entry => ({
  kind: 'file',
  bytes: Buffer.from(content, 'latin1'),
  executable: true,
});

/** The same snapshot as plain values, to compare by content. */
export const plain = (files: ReadonlyMap<string, Entry>): Record<string, string> =>
  Object.fromEntries(
    [...files].map(([path, entry]) => {
      if (entry.kind === 'link') return [path, `→ ${entry.target}`];
      if (entry.kind === 'folder') return [path, '(folder)'];
      return [path, `${entry.executable ? 'x ' : ''}${Buffer.from(entry.bytes).toString('latin1')}`];
    }),
  );

export function writeFolder(root: string, files: ReadonlyMap<string, Entry>): void {
  for (const [path, entry] of files) {
    const full = join(root, path);
    mkdirSync(entry.kind === 'folder' ? full : dirname(full), { recursive: true });
    if (entry.kind === 'link') symlinkSync(entry.target, full);
    else if (entry.kind === 'file') writeFileSync(full, entry.bytes, { mode: entry.executable ? 0o755 : 0o644 });
  }
}

/** A folder that is gone when the test ends, however it ends. */
export async function inScratch<T>(work: (root: string) => T | Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'culprit-changes-'));
  try {
    return await work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
