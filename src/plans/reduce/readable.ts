/** Formats the result, if it still fails afterwards. */
import type { Artifact } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import type { Test } from '../../core/index.js';
import { type Counter, type Memory, recallOrTest } from '../../engine/index.js';
import { languageOf, structureOf } from '../../reductions/tree/index.js';
import type { ReduceOptions } from './passes.js';

/** Nobody reads results larger than this. */
const longest = 200_000;

export interface ReadableOptions extends Pick<ReduceOptions, 'language' | 'grammar'> {
  readonly memory: Memory;
  readonly identify: (artifact: Artifact) => string;
  readonly signal: AbortSignal;
  /** How often the readable form must fail: it is what the user gets. */
  readonly times: number;
  readonly counter: Counter;
}

/** The artifact laid out for people, file by file, as far as it still fails; nothing if there is no such form. */
export async function readable(
  artifact: Artifact,
  test: Test<Artifact>,
  { memory, identify, signal, language, grammar, times, counter }: ReadableOptions,
): Promise<Artifact | undefined> {
  const fails = async (candidate: Artifact, name: string): Promise<boolean> => {
    const verdict = await recallOrTest(memory, name, () => {
      counter.started++;
      return test(candidate, signal);
    });
    counter.answered(name, verdict.outcome, false);
    return verdict.outcome === 'fail';
  };
  let current = artifact;
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || entry.bytes.length > longest || (languageOf(path) === undefined && !language))
      continue;
    const { text, encoding } = decode(entry.bytes);
    const structure = await structureOf(path, { ...(language ? { language } : {}), ...(grammar ? { grammar } : {}) });
    const pretty = await structure.pretty(text);
    // A line break at the end is not worth another file than the smallest one.
    if (pretty === undefined || pretty.trimEnd() === text.trimEnd()) continue;
    const files = new Map(current.files);
    files.set(path, { ...entry, bytes: Buffer.from(pretty, encoding) });
    const candidate = { ...current, files };
    if (await fails(candidate, identify(candidate))) current = candidate;
  }
  if (current === artifact) return undefined;
  for (let i = 2; i <= times; i++) if (!(await fails(current, `again ${i}: ${identify(current)}`))) return undefined;
  return current;
}
