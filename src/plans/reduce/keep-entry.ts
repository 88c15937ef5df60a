/** Does not test candidates of an executed program in which the function is gone at which it starts. */
import type { Artifact } from '../../core/artifact.js';
import { languageOf } from '../../reductions/tree/index.js';
import type { Pass } from '../pass.js';

/**
 * In a list of parts, this function is one that is always needed, and most halves leave it out: a search for the last needed part would find
 * it again and again. They count as unresolved. A pass that proves something still asks: its claim is about tests.
 */
export const keepEntry = (pass: Pass<Artifact>, isExecuted: () => boolean): Pass<Artifact> =>
  pass.proves !== undefined
    ? pass
    : {
        ...pass,
        async over(artifact, rough, place) {
          const inner = await pass.over(artifact, rough, place);
          if (inner === undefined || !isExecuted() || !canStart(artifact)) return inner;
          return {
            ...inner,
            build(configuration) {
              const candidate = inner.build(configuration);
              return candidate === undefined || canStart(candidate) ? candidate : undefined;
            },
          };
        },
      };

/** Whether a file has the name of the function at which programs of its language start. */
const canStart = ({ files }: Artifact): boolean =>
  [...files].some(([path, entry]) => {
    const start = languageOf(path)?.entry;
    if (entry.kind !== 'file' || start === undefined) return false;
    return new RegExp(`\\b${start}\\b`).test(Buffer.from(entry.bytes).toString('latin1'));
  });
