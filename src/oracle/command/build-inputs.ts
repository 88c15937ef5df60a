/**
 * Which files a build must not overlook. A makefile compares times file by file, and many makefiles do not say all that a product is made from: so if one
 * of these files changes, every file of the artifact counts as changed, and all at the same time. What a release ships beside its source (a parser that
 * bison made, a `Makefile.in` that automake made) is then as new as the source, and is not made again by a tool that may be missing.
 */
import type { Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';

/** Many makefiles do not say which sources include a header. */
const header = /\.(h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|def)$/i;

/** What says how to build. Products seldom depend on it by name. */
const description =
  /(?:^|\/)(?:(?:GNU|BSD)?makefile(?:[.-][^/]*)?|configure(?:\.\w+)?|CMakeLists\.txt|meson\.build|SConstruct|config\.status)$|\.(?:mk|mak|am|ac|m4|cmake)$|\.in$/i;

/** What a tool writes other sources from. */
const generator = /\.(?:y|yy|ypp|l|ll|lex|re|gperf|rl)$/i;

const compiled = /\.(?:c|cc|cpp|cxx|c\+\+|m|mm|s)$/i;

/** Whether a build may overlook that a file has changed. `others`: all files beside it. */
export function mayBeOverlooked(path: string, others: ReadonlyMap<string, Entry>): boolean {
  if (header.test(path) || isDescription(path) || generator.test(path)) return true;
  if (!compiled.test(path)) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [...others].some(([other, entry]) => other !== path && compiled.test(other) && sourcesIn(entry).has(name));
}

/** Whether a compiler makes something from a file. */
export const isSource = (path: string): boolean => compiled.test(path);

/** Whether a file says how to build. */
export const isDescription = (path: string): boolean => description.test(path);

/** Sources that a source includes as if they were headers. Entries are shared between artifacts, so each is read once. */
function sourcesIn(entry: Entry): ReadonlySet<string> {
  if (entry.kind !== 'file') return none;
  let found = known.get(entry);
  if (found === undefined) {
    const text = decode(entry.bytes).text;
    const included = [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"(?:[^"\n]*\/)?([^"/\n]+)"/gm)].map(
      ([, name]) => name!,
    );
    known.set(entry, (found = new Set(included.filter(name => compiled.test(name)))));
  }
  return found;
}

const none: ReadonlySet<string> = new Set();
const known = new WeakMap<Entry, ReadonlySet<string>>();
