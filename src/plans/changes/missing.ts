/** Leaves out candidates that lack a name which an earlier test has missed. */
import type { Changes } from '../../circumstances/changes/changes.js';
import { namesIn } from '../../circumstances/changes/names.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { type FreeNames, freeNamesFor } from '../../syntax/free-names.js';

/** Whether a candidate uses one of these names without its definition, although neither version does. */
export type Lacks = (artifact: Artifact, names: ReadonlySet<string>) => boolean;

type File = Extract<Entry, { kind: 'file' }>;

/** A file that is mixed from two versions. */
interface Mixed {
  readonly paths: readonly string[];
  readonly ends: readonly File[];
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
    const ends = [old, now].filter(entry => entry?.kind === 'file');
    const paths = [...new Set([oldPath, newPath].filter(path => path !== undefined))];
    if (ends.length === 0 || ends.some(({ bytes }) => bytes.length > largest)) continue;
    mixed.push({ paths, ends, free: ends.length === 2 ? await freeNamesFor(paths.at(-1)!) : undefined });
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
  const endOf = (which: 0 | -1) => () =>
    mixed.flatMap(({ ends, free }) => [ends.at(which)!].map(end => readOf(end, free)));
  const [old, now] = [endOf(0), endOf(-1)];
  return (artifact, names) => {
    if (names.size === 0) return false;
    const present = mixed.flatMap(({ paths, ends, free }) => {
      const entry = paths.map(path => artifact.files.get(path)).find(each => each?.kind === 'file');
      return entry?.kind === 'file' ? [{ read: readOf(entry, free), ends: ends.map(end => readOf(end, free)) }] : [];
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
