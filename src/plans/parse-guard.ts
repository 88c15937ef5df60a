/** Checks whether a mix of two versions still parses, so that no test is spent on broken text. */
import type { Artifact, Entry } from '../core/artifact.js';
import { decode } from '../core/decode.js';
import { type Grammar, grammarOf } from '../syntax/grammars.js';
import { languageOf } from '../syntax/languages/index.js';

/** Above this many bytes a parse takes as long as a test. */
const largest = 500_000;

type File = Extract<Entry, { kind: 'file' }>;

/** A file that is mixed from two versions. */
export interface Mixed {
  /** Where it may be in a candidate. */
  readonly paths: readonly string[];
  readonly ends: readonly [Entry | undefined, Entry | undefined];
}

/** A file that a grammar can judge. */
interface Judged {
  readonly grammar: Grammar;
  readonly ends: readonly [File, File];
  /** Neither version has a syntax error, so one in a candidate comes from the mix. Computed on first use. */
  sound?: boolean;
}

/** Whether a candidate has no syntax error in a file that has none in either version; `undefined` if there is no grammar to check with. */
export async function parseGuard(files: readonly Mixed[]): Promise<((artifact: Artifact) => boolean) | undefined> {
  const judged = new Map<string, Judged>();
  for (const { paths, ends } of files) {
    const [old, now] = ends;
    const language = languageOf(paths.at(-1)!);
    if (!language || language.markup || old?.kind !== 'file' || now?.kind !== 'file') continue;
    const grammar = await grammarOf(language);
    if (!grammar || Math.max(old.bytes.length, now.bytes.length) > largest) continue;
    for (const path of paths) judged.set(path, { grammar, ends: [old, now] });
  }
  if (judged.size === 0) return undefined;
  const known = new WeakMap<Entry, boolean>();
  const isWhole = (grammar: Grammar, file: File): boolean => {
    const before = known.get(file);
    const whole = before ?? parses(grammar, file);
    if (before === undefined) known.set(file, whole);
    return whole;
  };
  return artifact => {
    for (const [path, each] of judged) {
      const { grammar, ends } = each;
      const entry = artifact.files.get(path);
      if (entry?.kind !== 'file' || entry === ends[0] || entry === ends[1]) continue;
      each.sound ??= ends.every(end => isWhole(grammar, end));
      if (each.sound && !isWhole(grammar, entry)) return false;
    }
    return true;
  };
}

function parses({ parser }: Grammar, file: File): boolean {
  let tree: ReturnType<typeof parser.parse>;
  try {
    tree = parser.parse(decode(file.bytes).text);
  } catch {
    // The parser gives up on very deep input; then the answer is unknown.
    parser.reset();
    return true;
  }
  const whole = tree === null || !tree.rootNode.hasError;
  tree?.delete();
  return whole;
}
