/** Leaves out candidates that mean nothing: that do not parse if both ends of the search do, or that define something twice. */
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import type { Circumstance } from '../../core/index.js';
import { definitionCounts } from '../../syntax/definition-counts.js';
import { languageOf } from '../../syntax/languages/index.js';
import { hostTree, type Syntax, syntaxOf } from '../../syntax/syntax.js';
import { parseGuard } from '../parse-guard.js';
import { bothText, type Pair } from './texts.js';

type Fits = (artifact: Artifact) => boolean;

/** What people see should parse: half a JSON member or half a declaration explains nothing. */
export async function guardOf(pair: Pair): Promise<Fits | undefined> {
  const { passing, failing } = pair;
  const paths = [...failing.files.keys()].filter(path => bothText(passing, failing, path));
  const parses = await parseGuard(
    paths.map(path => ({ paths: [path], ends: [passing.files.get(path), failing.files.get(path)] as const })),
  );
  const guards = [parses, ...(await Promise.all(paths.map(path => definesOnce(pair, path))))].filter(
    guard => guard !== undefined,
  );
  return guards.length === 0 ? undefined : artifact => guards.every(guard => guard(artifact));
}

/** In a larger file, it takes as long as a test. */
const largest = 500_000;

/**
 * A function that was written anew differs in its header too, so it is one that only one side has. With parts of both, it hides the
 * other one, and the failure may be that of a function without half of its body. So nothing is defined more often than on either side.
 */
async function definesOnce({ passing, failing }: Pair, path: string): Promise<Fits | undefined> {
  const language = languageOf(path);
  const ends = [passing.files.get(path), failing.files.get(path)];
  if (language?.names !== true || ends.some(end => sizeOf(end) > largest)) return undefined;
  const syntax = await syntaxOf(language);
  const counts = (entry: Entry | undefined) => countsIn(syntax, entry);
  let most: ReadonlyMap<string, number> | undefined;
  return artifact => {
    const entry = artifact.files.get(path);
    if (entry === ends[0] || entry === ends[1]) return true;
    most ??= larger(counts(ends[0]), counts(ends[1]));
    return [...counts(entry)].every(([name, count]) => count <= Math.max(1, most!.get(name) ?? 0));
  };
}

const sizeOf = (entry: Entry | undefined): number => (entry?.kind === 'file' ? entry.bytes.length : 0);

function countsIn(syntax: Syntax, entry: Entry | undefined): ReadonlyMap<string, number> {
  const tree = entry?.kind === 'file' ? hostTree(decode(entry.bytes).text, syntax) : undefined;
  return tree ? definitionCounts(tree) : new Map();
}

function larger(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const found = new Map(a);
  for (const [name, count] of b) found.set(name, Math.max(count, found.get(name) ?? 0));
  return found;
}

/** Without the candidates that `fits` refuses; all of them if there is nothing to refuse by. */
export const guarded = <Built>(
  circumstance: Circumstance<Built>,
  fits: ((built: Built) => boolean) | undefined,
): Circumstance<Built> =>
  fits === undefined
    ? circumstance
    : {
        ...circumstance,
        build(configuration) {
          const built = circumstance.build(configuration);
          return built !== undefined && fits(built) ? built : undefined;
        },
      };
