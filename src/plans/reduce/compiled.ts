/** If no runtime knows what a program runs, because it is compiled or for another reason: one run of a text whose statements note that they are reached. */
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { pauseIfDue } from '../../engine/index.js';
import { type Idle, isCompiledSource, type Unexecuted } from '../../oracle/coverage/index.js';
import { languageOf, structureOf } from '../../reductions/tree/index.js';
import { idleRanges, type Probe, type Probing, probesOf, withProbes } from '../../syntax/probes.js';

/** The program with statements that note that they are reached. */
export interface Probed {
  readonly artifact: Artifact;
  /** What did not run, if these numbers were noted. */
  idle(reached: ReadonlySet<number>): Unexecuted;
}

interface ProbedFile {
  readonly path: string;
  readonly entry: Extract<Entry, { readonly kind: 'file' }>;
  readonly encoding: 'utf8' | 'latin1';
  /** With the calls, and without the functions that they call. */
  readonly text: string;
  readonly probes: readonly Probe[];
  readonly probing: Probing | undefined;
  /** The number of the first of them. */
  readonly from: number;
}

/** Whatever includes it has the functions that are called. */
export const isHeader = (path: string): boolean => /\.(?:h|hh|hpp|hxx|ipp|tpp)$/i.test(path);

/**
 * The program with only a note of its start; nothing if there is none. Most large inputs are only compiled, and this shows it without a tree,
 * which takes longer than a test.
 */
export async function startProbed(artifact: Artifact): Promise<Artifact | undefined> {
  const files = new Map(artifact.files);
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || !isCompiledSource(path)) continue;
    const { text, encoding } = decode(entry.bytes);
    const { probing } = (await structureOf(path)).language;
    const at = probing?.startIn(text);
    if (!probing || at === undefined) continue;
    const noting = text.slice(0, at) + probing.call(0) + text.slice(at);
    const whole = probing.withPrelude(noting, 1, artifact.files.size === 1);
    files.set(path, { ...entry, bytes: Buffer.from(whole, encoding) });
    return { ...artifact, files };
  }
  return undefined;
}

/** A script whose runtime does not know what it runs. Its statements note it as its expressions report their values. */
export const isProbedScript = (path: string): boolean =>
  !isCompiledSource(path) && languageOf(path)?.probing !== undefined;

/** Nothing if there is nothing to note. */
export async function probed(
  artifact: Artifact,
  isWanted: (path: string) => boolean = isCompiledSource,
): Promise<Probed | undefined> {
  const found: ProbedFile[] = [];
  let count = 0;
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || !isWanted(path)) continue;
    const { text, encoding } = decode(entry.bytes);
    const { syntax, language } = await structureOf(path);
    const tree = await syntax.bareTree(text);
    const probes = syntax.grammar === undefined ? [] : await probesOf(tree);
    await pauseIfDue();
    const noting = withProbes(tree, probes, count);
    found.push({ path, probes, probing: language.probing, from: count, entry, text: noting, encoding });
    count += probes.length;
  }
  if (count === 0) return undefined;
  const isAlone = artifact.files.size === 1;
  const files = new Map(artifact.files);
  for (const { path, entry, text, encoding, probing } of found) {
    const whole = isHeader(path) && !isAlone ? text : probing!.withPrelude(text, count, isAlone);
    files.set(path, { ...entry, bytes: Buffer.from(whole, encoding) });
  }
  return {
    artifact: { ...artifact, files },
    idle(reached) {
      if (reached.size === 0) return {};
      return Object.fromEntries(
        found.map(({ path, probes, from }): [string, Idle] => [
          path,
          { ranges: idleRanges(probes, i => reached.has(from + i)) },
        ]),
      );
    },
  };
}
