/** What is left of a program once the code that did not run is gone. */
import { inFiles } from '../../circumstances/files.js';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { mayBeExecuted, mayBeLoaded } from '../../oracle/coverage/index.js';
import { languageOf } from '../../reductions/tree/index.js';
import type { Pass } from '../pass.js';
import { allAtOnce, smallText } from './large-text.js';
import { partsIn } from './parts.js';
import type { ReduceOptions } from './text-passes.js';

/** Functions without a body, as members of something: what is left of them if nothing called them. */
export const emptiedMembers = (options: ReduceOptions): Pass<Artifact> => ({
  name: 'members that are empty functions',
  early: true,
  async over(artifact) {
    if (bytesOf(artifact) <= smallText) return undefined;
    // A compiler looks up every member that something mentions.
    const parts = await partsIn(artifact, mayBeLoaded, options, structure => structure.emptyMembers);
    return parts.length === 0 ? undefined : inFiles(artifact, 'member', parts);
  },
  strategy: allAtOnce,
});

/** Whatever the rest of the program does not name. Most of it is only there because something used it that did not run. */
export const unusedDeclarations = (options: ReduceOptions): Pass<Artifact> => ({
  name: 'declarations that nothing uses',
  early: true,
  async over(artifact) {
    const words = wordsIn(artifact);
    const parts = await partsIn(artifact, mayBeExecuted, options, (structure, path) =>
      structure.unused(name => [...(words.get(name) ?? [])].some(each => each !== path)),
    );
    return parts.length === 0 ? undefined : inFiles(artifact, 'declaration', parts);
  },
  strategy: allAtOnce,
});

/** What a program computes for nobody, once its values are known. */
export const codeWithoutEffect = (options: ReduceOptions): Pass<Artifact> => ({
  name: 'code without effect',
  early: true,
  async over(artifact) {
    const hasSome = (path: string): boolean => languageOf(path)?.withoutEffect !== undefined;
    const parts = await partsIn(artifact, hasSome, options, structure => structure.effectless);
    return parts.length === 0 ? undefined : inFiles(artifact, 'statement', parts);
  },
  strategy: allAtOnce,
});

/** The files in which each word is. */
function wordsIn(artifact: Artifact): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file') continue;
    for (const [word] of decode(entry.bytes).text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const files = words.get(word);
      if (files) files.add(path);
      else words.set(word, new Set([path]));
    }
  }
  return words;
}
