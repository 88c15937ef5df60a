/** Which words a failure takes from the input. */
import type { Artifact } from '../../core/artifact.js';
import { openArchives } from '../../sources/archives/index.js';

/** Whether a file of the artifact, or in an archive of it, contains a word. Each word is looked up once. */
export function lookUpIn(artifact: Artifact | undefined): (word: string) => boolean {
  const known = new Map<string, boolean>();
  let read: Artifact | undefined;
  const find = (word: string): boolean =>
    [...((read ??= artifact && (openArchives(artifact) ?? artifact))?.files.values() ?? [])].some(
      entry =>
        entry.kind === 'file' &&
        Buffer.from(entry.bytes.buffer, entry.bytes.byteOffset, entry.bytes.length).includes(word),
    );
  return word => {
    const found = known.get(word) ?? find(word);
    known.set(word, found);
    return found;
  };
}
