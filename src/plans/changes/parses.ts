/** Checks whether a mix of two versions still parses. */
import type { Changes } from '../../circumstances/changes/changes.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { type Grammar, grammarOf } from '../../syntax/grammars.js';
import { languageOf } from '../../syntax/languages/index.js';

/** Above this many bytes a parse takes as long as a test. */
const largest = 500_000;

type File = Extract<Entry, { kind: 'file' }>;

/** A changed file that a grammar can judge. */
interface Judged {
  readonly grammar: Grammar;
  readonly ends: readonly [File, File];
  /** Neither version has a syntax error: then one in a candidate is the candidate's own. Found out when it first matters. */
  sound?: boolean;
}

/**
 * The same changes, where a candidate with a syntax error in a file that has none in either version can't be built: it is
 * unresolved, as it would be if it were run, and no test is spent on it.
 */
export async function parsed(changes: Changes): Promise<Changes> {
  const judged = new Map<string, Judged>();
  for (const { oldPath, newPath, old, new: now, hunks } of changes.files) {
    const language = languageOf((newPath ?? oldPath)!);
    if (hunks.length === 0 || !language || language.markup || old?.kind !== 'file' || now?.kind !== 'file') continue;
    const grammar = await grammarOf(language);
    if (!grammar || Math.max(old.bytes.length, now.bytes.length) > largest) continue;
    for (const path of [oldPath, newPath]) if (path !== undefined) judged.set(path, { grammar, ends: [old, now] });
  }
  if (judged.size === 0) return changes;
  const known = new WeakMap<Entry, boolean>();
  const isWhole = (grammar: Grammar, file: File): boolean => {
    const before = known.get(file);
    const whole = before ?? parses(grammar, file);
    if (before === undefined) known.set(file, whole);
    return whole;
  };
  const fits = (artifact: Artifact): boolean => {
    for (const [path, each] of judged) {
      const { grammar, ends } = each;
      const entry = artifact.files.get(path);
      if (entry?.kind !== 'file' || entry === ends[0] || entry === ends[1]) continue;
      each.sound ??= ends.every(end => isWhole(grammar, end));
      if (each.sound && !isWhole(grammar, entry)) return false;
    }
    return true;
  };
  return {
    ...changes,
    build(configuration) {
      const artifact = changes.build(configuration);
      return artifact && fits(artifact) ? artifact : undefined;
    },
  };
}

function parses({ parser }: Grammar, file: File): boolean {
  let tree: ReturnType<typeof parser.parse>;
  try {
    tree = parser.parse(decode(file.bytes).text);
  } catch {
    // The parser gives up on what is too deep for it: then it can't tell.
    parser.reset();
    return true;
  }
  const whole = tree === null || !tree.rootNode.hasError;
  tree?.delete();
  return whole;
}
