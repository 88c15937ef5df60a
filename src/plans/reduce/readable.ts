/** Formats the result, if it then still fails. */
import { languageOf, structureOf } from '../../circumstances/tree/index.js';
import type { Artifact } from '../../core/artifact.js';
import type { Test } from '../../core/index.js';
import type { Memory } from '../../engine/index.js';
import { decode } from '../../sources/files.js';
import type { ReduceOptions } from './passes.js';

/** Results beyond this size are read by nobody. */
const longest = 200_000;

export interface ReadableOptions extends Pick<ReduceOptions, 'language' | 'grammar'> {
  readonly memory: Memory;
  readonly identify: (artifact: Artifact) => string;
  readonly signal: AbortSignal;
}

/** The artifact laid out for people, file by file, as far as it still fails; nothing where there is no such form. */
export async function readable(
  artifact: Artifact,
  test: Test<Artifact>,
  { memory, identify, signal, language, grammar }: ReadableOptions,
): Promise<Artifact | undefined> {
  let current = artifact;
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || entry.bytes.length > longest || (languageOf(path) === undefined && !language))
      continue;
    const { text, encoding } = decode(entry.bytes);
    const structure = await structureOf(path, { ...(language ? { language } : {}), ...(grammar ? { grammar } : {}) });
    const pretty = await structure.pretty(text);
    if (pretty === undefined || pretty === text) continue;
    const files = new Map(current.files);
    files.set(path, { ...entry, bytes: Buffer.from(pretty, encoding) });
    const candidate = { ...current, files };
    const identity = identify(candidate);
    const verdict = memory.recall(identity) ?? (await test(candidate, signal));
    memory.record(identity, verdict);
    if (verdict.outcome === 'fail') current = candidate;
  }
  return current === artifact ? undefined : current;
}
