import type { Artifact, Entry } from '../../circumstances/artifact.js';
import type { Changes } from '../../circumstances/changes/index.js';
import { decode } from '../../circumstances/files.js';
import { type Grammar, grammarOf } from '../../circumstances/tree/grammars.js';
import { languageOf } from '../../circumstances/tree/languages.js';

/** Above this a parse takes as long as a test. */
const largest = 500_000;

/**
 * The same changes, where a candidate with a syntax error in a file that has none in either version can't be built: it is
 * unresolved, as it would be if it were run, and no test is spent on it.
 */
export async function parsed(changes: Changes): Promise<Changes> {
  const known = new WeakMap<Entry, boolean>();
  const grammars = new Map<string, Grammar>();
  for (const { oldPath, newPath, old, new: now, hunks } of changes.files) {
    const language = languageOf((newPath ?? oldPath)!);
    if (hunks.length === 0 || !language || language.markup || old?.kind !== 'file' || now?.kind !== 'file') continue;
    if (Math.max(old.bytes.length, now.bytes.length) > largest) continue;
    const grammar = await grammarOf(language);
    if (!grammar || !isWhole(grammar, old) || !isWhole(grammar, now)) continue;
    for (const entry of [old, now]) known.set(entry, true);
    for (const path of [oldPath, newPath]) if (path !== undefined) grammars.set(path, grammar);
  }
  if (grammars.size === 0) return changes;
  const parses = (artifact: Artifact): boolean => {
    for (const [path, grammar] of grammars) {
      const entry = artifact.files.get(path);
      if (entry?.kind !== 'file') continue;
      const before = known.get(entry);
      const whole = before ?? isWhole(grammar, entry);
      if (before === undefined) known.set(entry, whole);
      if (!whole) return false;
    }
    return true;
  };
  return {
    ...changes,
    build(configuration) {
      const artifact = changes.build(configuration);
      return artifact && parses(artifact) ? artifact : undefined;
    },
  };
}

function isWhole({ parser }: Grammar, entry: Entry & { kind: 'file' }): boolean {
  let tree: ReturnType<typeof parser.parse>;
  try {
    tree = parser.parse(decode(entry.bytes).text);
  } catch {
    // The parser gives up on what is too deep for it: then it can't tell.
    parser.reset();
    return true;
  }
  const whole = tree === null || !tree.rootNode.hasError;
  tree?.delete();
  return whole;
}
