/** An input that passes, next to one that fails: what a run of reduce leaves is minimal, so there are many within one deletion. */
import type { Artifact } from '../../circumstances/artifact.js';
import { decode } from '../../circumstances/files.js';
import { characters, lines, piecesOf, tokens } from '../../circumstances/text.js';
import type { Test } from '../../core/index.js';

/** Deletions that are tried. */
const most = 60;

/** The failing input without one character, else one token, else one line: the smallest difference that is there. */
export async function passingNeighbour(
  failing: Artifact,
  test: Test<Artifact>,
  signal: AbortSignal,
): Promise<Artifact | undefined> {
  let left = most;
  for (const cut of [characters, tokens, lines])
    for (const [path, entry] of failing.files) {
      if (entry.kind !== 'file') continue;
      const { text, encoding } = decode(entry.bytes);
      const pieces = piecesOf(cut, text);
      const step = Math.max(1, Math.floor(pieces.length / (most / 3)));
      for (let i = 0; i < pieces.length && left > 0; i += step, left--) {
        const shorter = pieces.filter((_, at) => at !== i).join('');
        const files = new Map(failing.files).set(path, { ...entry, bytes: Buffer.from(shorter, encoding) });
        const candidate = { ...failing, files };
        if ((await test(candidate, signal)).outcome === 'pass') return candidate;
      }
    }
  return undefined;
}
