/** Passes over a language whose compiler refuses what nothing uses: it goes with its last use, in the same question. */
import type { Circumstance } from '../../core/index.js';
import { compose, type Trace } from '../../core/trace.js';
import { editing } from '../../reductions/edits.js';
import type { Span } from '../../syntax/edit.js';
import type { Pass } from '../pass.js';

type Unused = (text: string) => readonly Span[];

/** The pass, with candidates that have no imports and variables that lost their last use. */
export const withoutUnused = (pass: Pass<string>, unused: Unused): Pass<string> => ({
  ...pass,
  async over(text, rough, place) {
    const inner = await pass.over(text, rough, place);
    // A text with unused parts fails before, or without, the compiler that would refuse them.
    return inner === undefined || unused(text).length > 0 ? inner : tidied(inner, text, unused);
  },
});

function tidied(inner: Circumstance<string>, text: string, unused: Unused): Circumstance<string> {
  const after = (candidate: string): Circumstance<string> | undefined => {
    const spans = candidate === text ? [] : unused(candidate);
    return spans.length === 0 ? undefined : editing('unused', candidate, [{ spans }]);
  };
  const { trace } = inner;
  return {
    ...inner,
    build(configuration) {
      const candidate = inner.build(configuration);
      return candidate === undefined ? undefined : (after(candidate)?.build([]) ?? candidate);
    },
    ...(trace
      ? {
          trace(configuration): Trace {
            const older = trace(configuration);
            const tidy = after(inner.build(configuration)!);
            return tidy === undefined ? older : (compose(older, tidy.trace!([])) as Trace);
          },
        }
      : {}),
  };
}
