/** Inputs that are archives, as folders: a document, a package or a compressed file is reduced by what is in it. */
import type { Archive, Artifact, Entry } from '../../core/artifact.js';
import { onceFor } from '../../core/once-for.js';
import { readGzip, writeGzip } from './gzip.js';
import type { Member, Members } from './members.js';
import { readPdf, writePdf } from './pdf.js';
import { readTar, writeTar } from './tar.js';
import { readZip, writeZip } from './zip.js';

const formats = {
  zip: { read: readZip, write: writeZip },
  tar: { read: readTar, write: writeTar },
  gzip: { read: readGzip, write: writeGzip },
  pdf: { read: readPdf, write: writePdf },
} as const satisfies Readonly<
  Record<
    Archive['format'],
    {
      readonly read: (bytes: Uint8Array, path: string) => Members | undefined;
      readonly write: (members: Members) => Uint8Array;
    }
  >
>;

/** An archive in an archive in an archive: more than that is a bomb. */
const deepest = 4;

/**
 * The artifact with each archive that the user named as a folder, and the archives in it; nothing if there are none. Those in a folder
 * stay files, and so does what no reader understands to the last byte.
 */
export const openArchives = (artifact: Artifact): Artifact | undefined =>
  onceFor(opened, artifact, () => ({ artifact: readArchives(artifact) })).artifact;

const opened = new WeakMap<Artifact, { readonly artifact: Artifact | undefined }>();

function readArchives(artifact: Artifact): Artifact | undefined {
  const files = new Map(artifact.files);
  const archives = new Map<string, Archive>();
  const open = (path: string, depth: number): void => {
    const entry = files.get(path);
    const read = entry?.kind === 'file' && depth < deepest ? readArchive(entry.bytes, path) : undefined;
    if (entry?.kind !== 'file' || !read) return;
    const { format, members } = read;
    files.delete(path);
    const heads = new Map([...members].map(([name, { head }]) => [name, head]));
    archives.set(path, { format, heads, ...(entry.executable ? { executable: true } : {}) });
    for (const [name, { entry: inner }] of members) {
      files.set(`${path}/${name}`, inner);
      open(`${path}/${name}`, depth + 1);
    }
  };
  for (const path of artifact.files.keys()) if (!path.includes('/')) open(path, 0);
  return archives.size === 0 ? undefined : { ...artifact, files: inOrder(files), archives };
}

/**
 * Two artifacts with their archives as folders; nothing if they do not have the same kinds at the same places. A mix of the two may hold
 * members of either.
 */
export function openBoth(passing: Artifact, failing: Artifact): readonly [Artifact, Artifact] | undefined {
  const [from, to] = [openArchives(passing), openArchives(failing)];
  if (!from?.archives || !to?.archives) return undefined;
  const archives = new Map(to.archives);
  for (const [path, { heads, ...archive }] of from.archives) {
    const other = archives.get(path);
    const isElse = other ? other.format !== archive.format : !path.includes('/') || to.files.has(path);
    if (isElse) return undefined;
    archives.set(path, { ...archive, heads: new Map([...(other?.heads ?? []), ...added(heads, other?.heads)]) });
  }
  const isClear = [...to.archives.keys()].every(path => from.archives!.has(path) || !from.files.has(path));
  return isClear
    ? [
        { ...from, archives: inArchiveOrder(archives) },
        { ...to, archives: inArchiveOrder(archives) },
      ]
    : undefined;
}

const added = (heads: Archive['heads'], known: Archive['heads'] = new Map()) =>
  [...heads].filter(([name]) => !known.has(name));

/** An archive comes before those in it. */
const inArchiveOrder = (archives: ReadonlyMap<string, Archive>): ReadonlyMap<string, Archive> =>
  new Map([...archives].sort(([a], [b]) => a.length - b.length));

function readArchive(bytes: Uint8Array, path: string) {
  for (const [format, { read }] of Object.entries(formats) as [Archive['format'], (typeof formats)['gzip']][])
    try {
      const members = read(bytes, path);
      if (members && members.size > 0) return { format, members };
    } catch {
      // It begins like one, and is damaged.
    }
  return undefined;
}

const closed = new WeakMap<Artifact, Artifact>();

/** The artifact as the command gets it: each archive is one file. */
export function closeArchives(artifact: Artifact): Artifact {
  const { archives, ...open } = artifact;
  if (!archives) return artifact;
  return onceFor(closed, artifact, () => ({ ...open, files: withFiles(artifact.files, archives) }));
}

function withFiles(
  open: ReadonlyMap<string, Entry>,
  archives: ReadonlyMap<string, Archive>,
): ReadonlyMap<string, Entry> {
  const files = new Map(open);
  // What is in an archive comes after it.
  for (const [path, { format, heads, executable }] of [...archives].reverse()) {
    const members = new Map<string, Member>();
    for (const [name, head] of heads) {
      const entry = files.get(`${path}/${name}`);
      if (entry) members.set(name, { entry, head });
      files.delete(`${path}/${name}`);
    }
    // One in another archive is gone with its last member.
    const isInside = [...archives.keys()].some(other => path.startsWith(`${other}/`));
    if (members.size === 0 && isInside) continue;
    files.set(path, { kind: 'file', bytes: formats[format].write(members), ...(executable ? { executable } : {}) });
  }
  return inOrder(files);
}

const inOrder = (files: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map([...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
