/**
 * Other causes of the same failure in an input: one line of a known cause is left out of the original, and if the rest still
 * fails, it is reduced too. This is cheap but not complete: `allCauses` is complete, for a small number of deltas.
 */

import { type FilePart, inFiles } from '../../circumstances/files.js';
import { lines } from '../../circumstances/text.js';
import type { Artifact } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { all, type Configuration, deltasOf, minus, of, size, type Test } from '../../core/index.js';
import { type Ended, type Event, explore } from '../../engine/index.js';
import { askAll } from '../../strategies/ask-all.js';
import { sweep } from '../../strategies/index.js';
import type { Pass } from '../pass.js';
import { type SimplifyOptions, simplify } from '../simplify.js';

export interface Others {
  readonly ended: Ended;
  /** Each fails in the same way as the original, and differs from the others and from the first result. */
  readonly artifacts: readonly Artifact[];
}

export interface OthersOptions extends Omit<SimplifyOptions<Artifact>, 'accepted'> {
  /** How many are enough. */
  readonly most: number;
  /** The reduced input that is already known. */
  readonly known: Artifact;
}

export async function* otherCauses(
  original: Artifact,
  passes: readonly Pass<Artifact>[],
  test: Test<Artifact>,
  { most, known, ...options }: OthersOptions,
): AsyncGenerator<Event, Others> {
  const circumstance = byLine(original);
  const seen = new Set([options.identify(known)]);
  const artifacts: Artifact[] = [];
  let base = all(circumstance.count);
  for (;;) {
    yield {
      type: 'pass',
      pass: 'lines of another cause',
      round: artifacts.length + 1,
      deltas: size(base),
      strategy: 'sweep',
    };
    const shrink = sweep();
    const shrunk = yield* explore({ ...shrink, start: () => shrink.start(base) }, circumstance, test, options);
    if (shrunk.ended !== 'done') return { ended: shrunk.ended, artifacts };
    // The first cause by lines is the known result again, before it was reduced further.
    const isFirst = size(base) === circumstance.count;
    if (!isFirst) {
      const end = yield* simplify(circumstance.build(shrunk.best)!, passes, test, options);
      const name = options.identify(end.artifact);
      if (!seen.has(name)) artifacts.push(end.artifact);
      seen.add(name);
      if (end.ended !== 'done' || artifacts.length >= most) return { ended: end.ended, artifacts };
    }
    const without: readonly Configuration[] = [...deltasOf(shrunk.best)].map(line => minus(base, of([line])));
    const check = askAll(base, without);
    const { ended, result = [] } = yield* explore(check, circumstance, test, options);
    const next = without[result.indexOf('fail')];
    if (ended !== 'done' || !next) return { ended, artifacts };
    base = next;
  }
}

/** All lines of all text files. */
function byLine(artifact: Artifact) {
  const parts: FilePart[] = [];
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || entry.bytes.includes(0)) continue;
    const { text, encoding } = decode(entry.bytes);
    parts.push({ path, encoding, inner: lines(text) });
  }
  return inFiles(artifact, 'line', parts);
}
