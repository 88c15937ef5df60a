/** Reads source maps (revision 3), as far as lines need it. */
import { posix } from 'node:path';

export interface SourceMap {
  readonly sources: readonly (string | null)[];
  readonly sourceRoot?: string;
  readonly mappings: string;
}

const digits = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((c, i) => [c, i]));

/**
 * Maps lines of a generated file to the source lines that they come from. Paths are relative to the version's root; Node
 * resolves sources to file URLs, which `inVersion` reverses.
 */
export function mappedLines(
  map: SourceMap,
  generated: string,
  lines: ReadonlySet<number>,
  inVersion: (address: string) => string | undefined,
): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  const folder = posix.dirname(generated);
  let source = 0;
  let original = 0;
  for (const [index, text] of map.mappings.split(';').entries())
    for (const segment of text.split(',')) {
      // [column, source, line, column, name]: all but the first are relative to the segment before, over the whole file.
      const [, toSource, toLine] = decoded(segment);
      if (toSource === undefined || toLine === undefined) continue;
      source += toSource;
      original += toLine;
      const name = map.sources[source];
      if (!lines.has(index + 1) || name == null) continue;
      const path = name.startsWith('file:')
        ? inVersion(name)
        : posix.normalize(posix.join(folder, map.sourceRoot ?? '', name));
      if (path === undefined) continue;
      const known = found.get(path) ?? new Set();
      known.add(original + 1);
      found.set(path, known);
    }
  return found;
}

/** Base64 VLQ: five bits per digit, the sixth says that more follow, the lowest bit of the whole is the sign. */
function decoded(segment: string): readonly number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = digits.get(character) ?? 0;
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) === 0) {
      numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
      value = 0;
      shift = 0;
    }
  }
  return numbers;
}
