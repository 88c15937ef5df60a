/** What a passing and a failing artifact have in common, as deltas that go from both. */
import { shared } from '../../circumstances/sequence.js';
import { piecesOf } from '../../circumstances/text.js';
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import { segmentsShared } from './segments.js';
import { bothText, type Cut, cuts, fileAt, type Pair, textsOf } from './texts.js';

export function sharedText(pair: Pair, path: string, level: Cut): Circumstance<Pair> {
  const { passing, failing } = textsOf(pair, path);
  const inner = shared(piecesOf(cuts[level], passing), piecesOf(cuts[level], failing), level);
  return {
    name: level,
    count: inner.count,
    build(configuration) {
      const { passing, failing } = inner.build(configuration)!;
      return withTexts(pair, path, { passing: passing.join(''), failing: failing.join('') });
    },
  };
}

export function sharedSegments(pair: Pair, path: string): Circumstance<Pair> | undefined {
  const { passing, failing } = textsOf(pair, path);
  const inner = segmentsShared(path, passing, failing);
  return inner && { ...inner, build: configuration => withTexts(pair, path, inner.build(configuration)) };
}

function withTexts(pair: Pair, path: string, texts: { readonly passing: string; readonly failing: string }): Pair {
  const { encoding } = textsOf(pair, path);
  const side = (name: 'passing' | 'failing'): Artifact => {
    const files = new Map(pair[name].files);
    files.set(path, { ...fileAt(pair[name], path), bytes: Buffer.from(texts[name], encoding) });
    return { ...pair[name], files };
  };
  return { passing: side('passing'), failing: side('failing') };
}

export const sharedFiles = ({ passing, failing }: Pair) =>
  [...failing.files.keys()].filter(path => bothText(passing, failing, path));
