/** Whether an input that is an archive is reduced by what is in it, or by its bytes. */
import { basename } from 'node:path';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import type { Test } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import { openArchives } from '../../sources/archives/index.js';
import type { Context } from '../job.js';

/** In the journal: what the search was about. */
const note = 'archives';
/** A failure that shows only sometimes may be missed once. */
const tries = 3;

interface Noted {
  readonly areOpen: boolean;
}

/**
 * The archives as folders, if the failure is still there when each of them is written anew in its plainest form; otherwise it may be about
 * how the archive was written. A resumed run remembers the answer.
 */
export async function chooseForm(
  original: Artifact,
  opened: Artifact,
  test: Test<Artifact>,
  { folder: { journal }, say, signal }: Context,
): Promise<Artifact> {
  let noted = journal.noted<Noted>(note);
  if (!noted) {
    let areOpen = false;
    for (let i = 0; i < tries && !areOpen; i++) areOpen = (await test(opened, signal)).outcome === 'fail';
    signal.throwIfAborted();
    noted = { areOpen };
    journal.note(note, noted);
    for (const [path, { format }] of opened.archives ?? [])
      if (!path.includes('/')) say(describe(path, format, opened, areOpen));
  }
  return noted.areOpen ? opened : original;
}

function describe(path: string, format: string, { files }: Artifact, isOpen: boolean): string {
  if (!isOpen)
    return `${basename(path)} is a ${format} file, but written anew it does not fail, so culprit reduces its bytes and not the files in it.`;
  const inside = new Map([...files].filter(([each]) => each.startsWith(`${path}/`)));
  const bytes = bytesOf({ files: inside });
  return `${basename(path)} is a ${format} file: culprit reduces what is in it, ${counted(inside.size, 'file')} with ${counted(bytes, 'byte')} (--no-unpack reduces its bytes).`;
}

/** The original or a result of a finished run, as the search saw it. */
export function asSearched(artifact: Artifact, noted: (name: string) => unknown): Artifact {
  const opened = openArchives(artifact);
  return opened && (noted(note) as Noted | undefined)?.areOpen ? opened : artifact;
}
