/** Which words a failure takes from the input. */
import type { Artifact } from '../../core/artifact.js';

/** Whether a file of the artifact contains a word. Each word is looked up once. */
export function lookUpIn(artifact: Artifact | undefined): (word: string) => boolean {
  const known = new Map<string, boolean>();
  const find = (word: string): boolean =>
    [...(artifact?.files.values() ?? [])].some(
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
