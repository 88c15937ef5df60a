/** Leaves out candidates that lack a name which an earlier test has missed. */
import type { Changes } from '../../../circumstances/changes/changes.js';
import { namesIn } from '../../../circumstances/changes/needs/names.js';
import type { Artifact, Entry } from '../../../core/artifact.js';
import { decode } from '../../../core/decode.js';
import { type FreeNames, freeNamesFor } from '../../../syntax/names/free-names.js';

/** Whether a candidate uses one of these names without its definition, although neither version does. */
export type Lacks = (artifact: Artifact, names: ReadonlySet<string>) => boolean;

type File = Extract<Entry, { kind: 'file' }>;

/** A file that is mixed from two versions. */
interface Mixed {
  readonly paths: readonly string[];
  readonly old?: File;
  readonly now?: File;
  readonly free: FreeNames | undefined;
}

/** Above this many bytes, names take longer to resolve than a test takes. */
const largest = 1_000_000;

/**
 * A test that says "x is not defined" has shown that this name matters: every candidate with the same defect would say the same, so it is
 * unresolved without a test. Names that no test has missed are not judged, because code that never runs may use anything.
 */
export async function lackingIn({ files }: Changes): Promise<Lacks> {
  const mixed: Mixed[] = [];
  for (const { oldPath, newPath, old, new: now } of files) {
    const paths = [...new Set([oldPath, newPath].filter(path => path !== undefined))];
    const ends = { ...(isSmall(old) ? { old } : {}), ...(isSmall(now) ? { now } : {}) };
    const isMixed = ends.old !== undefined && ends.now !== undefined;
    mixed.push({ paths, ...ends, free: isMixed ? await freeNamesFor(paths.at(-1)!) : undefined });
  }
  const known = new WeakMap<Entry, Read>();
  const readOf = (entry: File, free: FreeNames | undefined): Read => {
    const before = known.get(entry);
    if (before) return before;
    const read = readerOf(entry, free);
    known.set(entry, read);
    return read;
  };
  const dangles = (read: readonly Read[], name: string): boolean =>
    read.some(file => file.uses(name)) && !read.some(file => file.defines(name));
  const side = (which: 'old' | 'now') => () =>
    mixed.flatMap(({ [which]: end, free }) => (end ? [readOf(end, free)] : []));
  const [old, now] = [side('old'), side('now')];
  return (artifact, names) => {
    if (names.size === 0) return false;
    const present = mixed.flatMap(({ paths, free, ...ends }) => {
      const entry = paths.map(path => artifact.files.get(path)).find(isSmall);
      const both = [ends.old, ends.now].filter(end => end !== undefined);
      return entry ? [{ read: readOf(entry, free), ends: both.map(end => readOf(end, free)) }] : [];
    });
    for (const name of names) {
      const isFree = (read: Read) => read.isFree(name, names);
      if (present.some(({ read, ends }) => !ends.includes(read) && isFree(read) && !ends.some(isFree))) return true;
      const candidate = present.map(({ read }) => read);
      if (dangles(candidate, name) && !dangles(old(), name) && !dangles(now(), name)) return true;
    }
    return false;
  };
}

const isSmall = (entry: Entry | undefined): entry is File => entry?.kind === 'file' && entry.bytes.length <= largest;

/** What a file says about names, worked out when it is first asked. */
interface Read {
  uses(name: string): boolean;
  defines(name: string): boolean;
  /** Used without a declaration around it. `names`: all that will be asked about. */
  isFree(name: string, names: ReadonlySet<string>): boolean;
}

function readerOf({ bytes }: File, free: FreeNames | undefined): Read {
  const { text } = decode(bytes);
  const lines = text.split('\n');
  const freeOnes = new Map<string, boolean>();
  const roles = new Map<string, { readonly used: boolean; readonly defined: boolean }>();
  const rolesOf = (name: string) => {
    let found = roles.get(name);
    if (!found) {
      const { used, defined } = namesIn(lines.filter(line => line.includes(name)));
      found = { used: used.has(name), defined: defined.has(name) };
      roles.set(name, found);
    }
    return found;
  };
  return {
    uses: name => rolesOf(name).used,
    defines: name => rolesOf(name).defined,
    isFree(name, names) {
      if (!free || !rolesOf(name).used) return false;
      if (!freeOnes.has(name)) {
        const found = free(text, names);
        for (const each of names) freeOnes.set(each, found.has(each));
      }
      return freeOnes.get(name)!;
    },
  };
}
