/**
 * The largest parts of a program, one by one. A page has styles, tables and whole libraries that its own scripts stopped using: nothing says so, and they
 * run, so coverage keeps them. Halves keep them too if something is needed on both sides.
 */
import { inFiles } from '../../circumstances/files.js';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { mayHoldCode } from '../../oracle/coverage/index.js';
import { type Edit, gainOf } from '../../reductions/edits.js';
import type { TextPass } from '../../reductions/tree/index.js';
import { sweep } from '../../strategies/index.js';
import type { Pass } from '../pass.js';
import { entriesIn, type LastRun, textsOf } from './entries.js';
import { type ListStrategy, smallText } from './large-text.js';
import { partsIn } from './parts.js';
import type { ReduceOptions } from './text-passes.js';

/** A part is one in at most this many of the whole. */
const leastShare = 32;
/** What is nearly as large as the part around it was asked about with that. */
const distinct = 3 / 4;
const fewRefusals = 8;

const largestFirst = ({ count }: { readonly count: number }): ListStrategy =>
  sweep({ prove: false, patience: fewRefusals, expected: count }) as unknown as ListStrategy;

/** They are asked about again when what starts the program has changed, or when half of it is gone. */
export function largestParts(options: ReduceOptions, last: () => LastRun): Pass<Artifact> {
  let seen: { readonly entries: string; readonly bytes: number } | undefined;
  const entriesOf = (artifact: Artifact): string => textsOf(artifact, entriesIn(artifact, last().loaded));
  const needsRun = (artifact: Artifact): boolean =>
    last().loaded.size > 0 &&
    bytesOf(artifact) > smallText &&
    (seen === undefined || bytesOf(artifact) * 2 <= seen.bytes || entriesOf(artifact) !== seen.entries);
  return {
    name: 'largest parts',
    early: true,
    isObserved: true,
    needsRun,
    async over(artifact) {
      if (!needsRun(artifact)) return undefined;
      seen = { entries: entriesOf(artifact), bytes: bytesOf(artifact) };
      const parts = await partsIn(artifact, mayHoldCode, options, structure =>
        largest(structure.band(0, Number.POSITIVE_INFINITY), bytesOf(artifact)),
      );
      return parts.length === 0 ? undefined : inFiles(artifact, 'part', parts);
    },
    strategy: largestFirst,
  };
}

/** The smallest first: a sweep begins at the end. */
const largest = (pass: TextPass, whole: number): TextPass => ({
  ...pass,
  async edits(text, size) {
    const large = (await pass.edits(text, size)).filter(
      edit => gainOf(edit) * leastShare >= whole && gainOf(edit) < whole * distinct,
    );
    const kept: Edit[] = [];
    for (const edit of large.sort((a, b) => gainOf(b) - gainOf(a)))
      if (!kept.some(outer => contains(outer, edit) && gainOf(edit) > gainOf(outer) * distinct)) kept.push(edit);
    return kept.reverse();
  },
});

const contains = (outer: Edit, inner: Edit): boolean =>
  outer.spans[0]!.start <= inner.spans[0]!.start && inner.spans.at(-1)!.end <= outer.spans.at(-1)!.end;
