/** Checks whether a mix of two versions still parses, so that no test is spent on broken text. */
import type { Artifact, Entry } from '../core/artifact.js';
import { decode } from '../core/decode.js';
import { type Grammar, grammarOf } from '../syntax/grammars.js';
import { languageOf } from '../syntax/languages/index.js';
import { hostTree, type Syntax, syntaxOf } from '../syntax/syntax.js';

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
  /** For errors that the grammar does not report. */
  readonly syntax?: Syntax;
  readonly ends: readonly [File, File];
  /** Neither version has a syntax error, so one in a candidate comes from the mix. Computed on first use. */
  sound?: boolean;
}

/** Where a candidate has a syntax error, if it has one. The line is counted from 1. */
export interface SyntaxError {
  readonly path: string;
  readonly line: number;
}

/** Whether a candidate has no syntax error in a file that has none in either version; `undefined` if there is no grammar to check with. */
export async function parseGuard(files: readonly Mixed[]): Promise<((artifact: Artifact) => boolean) | undefined> {
  const find = await syntaxErrorFinder(files);
  return find && (artifact => find(artifact) === undefined);
}

/** Finds a syntax error of a candidate in a file that has none in either version. */
export async function syntaxErrorFinder(
  files: readonly Mixed[],
): Promise<((artifact: Artifact) => SyntaxError | undefined) | undefined> {
  const judged = new Map<string, Judged>();
  for (const { paths, ends } of files) {
    const [old, now] = ends;
    const language = languageOf(paths.at(-1)!);
    if (!language || old?.kind !== 'file' || now?.kind !== 'file') continue;
    const grammar = await grammarOf(language);
    if (!grammar || Math.max(old.bytes.length, now.bytes.length) > largest) continue;
    const hidden = language.hiddenErrors ? { syntax: await syntaxOf(language) } : {};
    for (const path of paths) judged.set(path, { grammar, ...hidden, ends: [old, now] });
  }
  if (judged.size === 0) return undefined;
  const known = new WeakMap<Entry, number>();
  const errorIn = ({ grammar, syntax }: Judged, file: File): number => {
    const line = known.get(file) ?? (firstError(grammar, file) || (syntax ? hiddenError(syntax, file) : 0));
    known.set(file, line);
    return line;
  };
  return artifact => {
    for (const [path, each] of judged) {
      const { ends } = each;
      const entry = artifact.files.get(path);
      if (entry?.kind !== 'file' || entry === ends[0] || entry === ends[1]) continue;
      each.sound ??= ends.every(end => errorIn(each, end) === 0);
      const line = each.sound ? errorIn(each, entry) : 0;
      if (line > 0) return { path, line };
    }
    return undefined;
  };
}

/** The line of the first syntax error, from 1; 0 if there is none. */
function firstError({ parser }: Grammar, file: File): number {
  let tree: ReturnType<typeof parser.parse>;
  try {
    tree = parser.parse(decode(file.bytes).text);
  } catch {
    // The parser gives up on very deep input; then the answer is unknown.
    parser.reset();
    return 0;
  }
  const root = tree?.rootNode;
  let node = root?.hasError ? root : undefined;
  for (let inner = node; inner; inner = inner.children.find(child => child?.hasError) ?? undefined) node = inner;
  const line = node ? node.startPosition.row + 1 : 0;
  tree?.delete();
  return line;
}

/** The first line if a page has a tag without its other half, which its grammar reads without complaint; otherwise 0. */
function hiddenError(syntax: Syntax, file: File): number {
  const tree = hostTree(decode(file.bytes).text, syntax);
  return tree && (syntax.language.hiddenErrors?.(tree) ?? 0) > 0 ? 1 : 0;
}
