/** Whether a search is about what is in an archive, or about its bytes. */
import { type Archive, type Artifact, bytesOf } from '../core/artifact.js';
import { counted, grouped } from '../core/phrases.js';
import { openArchives } from '../sources/archives/index.js';
import type { Context } from './job.js';

/** In the journal: what the search was about. */
const note = 'archives';
/** A failure that shows only sometimes may be missed once. */
const tries = 3;

interface Noted {
  readonly areOpen: boolean;
}

/**
 * Whether the outcome is the same when each archive is written anew in its plainest form. If not, it may be about how the archive was
 * written. A resumed run remembers the answer. `isSame`: tests it once.
 */
export async function mayOpen(
  opened: Artifact,
  isSame: () => Promise<boolean>,
  { folder: { journal }, say, signal }: Context,
): Promise<boolean> {
  let noted = journal.noted<Noted>(note);
  if (!noted) {
    let areOpen = false;
    for (let i = 0; i < tries && !areOpen; i++) areOpen = await isSame();
    signal.throwIfAborted();
    noted = { areOpen };
    journal.note(note, noted);
    for (const [path, { format }] of opened.archives ?? [])
      if (!path.includes('/')) say(describe(path, format, opened, areOpen));
  }
  return noted.areOpen;
}

/** What it is called, and what is in it. */
const kinds: Readonly<Record<Archive['format'], readonly [name: string, part: string]>> = {
  zip: ['zip file', 'file'],
  tar: ['tar file', 'file'],
  gzip: ['gzip file', 'file'],
  pdf: ['PDF', 'object'],
};

function describe(path: string, format: Archive['format'], { files }: Artifact, isOpen: boolean): string {
  const [name, part] = kinds[format];
  if (!isOpen)
    return `${path} is a ${name}, but written anew it has another outcome, so culprit works on its bytes and not on what is in it.`;
  const inside = new Map([...files].filter(([each]) => each.startsWith(`${path}/`)));
  const amount = `${counted(inside.size, part)} in it, ${grouped(bytesOf({ files: inside }))} bytes`;
  return `${path} is a ${name}: culprit works on the ${amount} (--no-unpack: on its bytes).`;
}

/** The original or a result of a finished run, as the search saw it. */
export function asSearched(artifact: Artifact, noted: (name: string) => unknown): Artifact {
  const opened = openArchives(artifact);
  return opened && (noted(note) as Noted | undefined)?.areOpen ? opened : artifact;
}
