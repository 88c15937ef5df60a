/** An input that passes, next to one that fails: the result of reduce is minimal, so many inputs one deletion away pass. */
import { characters, lines, piecesOf, tokens } from '../../circumstances/text.js';
import type { Artifact } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { type Test, UserError } from '../../core/index.js';
import { recallOrTest } from '../../engine/index.js';
import { identify } from '../../sources/files.js';
import type { Context } from '../job.js';

/** Deletions that are tried. */
const most = 60;

/** The failing input without one character, else one token, else one line: the smallest possible difference. */
export async function passingNeighbour(
  failing: Artifact,
  test: Test<Artifact>,
  { folder: { journal }, signal }: Context,
): Promise<Artifact> {
  for (const candidate of neighbours(failing)) {
    const { outcome } = await recallOrTest(journal, identify(candidate), () => test(candidate, signal));
    if (outcome === 'pass') return candidate;
  }
  throw new UserError(
    'No input that passes was found near the failing one.',
    'Give one with --passing, for example from `culprit isolate`.',
    1,
  );
}

function* neighbours(failing: Artifact): Generator<Artifact> {
  let left = most;
  for (const cut of [characters, tokens, lines])
    for (const [path, entry] of failing.files) {
      if (entry.kind !== 'file') continue;
      const { text, encoding } = decode(entry.bytes);
      const pieces = piecesOf(cut, text);
      const step = Math.max(1, Math.floor(pieces.length / (most / 3)));
      for (let i = 0; i < pieces.length && left > 0; i += step, left--) {
        const shorter = pieces.filter((_, at) => at !== i).join('');
        yield {
          ...failing,
          files: new Map(failing.files).set(path, { ...entry, bytes: Buffer.from(shorter, encoding) }),
        };
      }
    }
}
