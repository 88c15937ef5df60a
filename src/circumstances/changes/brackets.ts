/** Which changes open what other changes close: applied one without the other, they leave a syntax error. */
import type { Changes } from './changes.js';
import type { Lines } from './lines.js';
import { withoutProse } from './needs/names.js';

/**
 * Pairs of changes that need each other. Walks the changes of a file in order: one that opens more brackets than it did before is paired with the next
 * one that closes as many, as a parser would pair the brackets themselves.
 */
export function bracketPairs({ changes, files }: Changes): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  /** The changes without their other half so far, by file; the sign says whether they open or close. */
  const waiting = new Map<number, { readonly delta: number; readonly sign: number }[]>();
  for (const [delta, { kind, parts }] of changes.entries()) {
    if (kind !== 'hunk' && kind !== 'line') continue;
    for (const { file, oldStart, oldCount, newStart, newCount } of parts) {
      const { oldLines, newLines } = files[file]!;
      const opened =
        netOf(newLines.slice(newStart, newStart + newCount)) - netOf(oldLines.slice(oldStart, oldStart + oldCount));
      const stack = waiting.get(file) ?? [];
      waiting.set(file, stack);
      // `#else` belongs to the `#if` before it, and neither opens nor closes anything by itself.
      const opener = stack.at(-1);
      const lines = [
        ...newLines.slice(newStart, newStart + newCount),
        ...oldLines.slice(oldStart, oldStart + oldCount),
      ];
      if (opener && lines.some(line => alternative.test(line)) && !lines.some(line => conditional.test(line)))
        pairs.push([opener.delta, delta], [delta, opener.delta]);
      for (let i = 0; i < Math.min(Math.abs(opened), deepest); i++) {
        const sign = Math.sign(opened);
        const other = stack.at(-1);
        if (other && other.sign !== sign) {
          stack.pop();
          if (other.delta !== delta) pairs.push([other.delta, delta], [delta, other.delta]);
        } else stack.push({ delta, sign });
      }
    }
  }
  return pairs;
}

/**
 * Neighbours with nothing but blank lines and brackets between them: a diff treats those as common lines, although they
 * belong to different functions. Half of such a pair is half a function.
 */
export function neighbourPairs({ changes, files }: Changes): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  for (let delta = 1; delta < changes.length; delta++) {
    const [before, here] = [changes[delta - 1]!, changes[delta]!];
    const [a, b] = [before.parts.at(-1), here.parts[0]];
    if (before.kind !== 'hunk' || here.kind !== 'hunk' || !a || !b || a.file !== b.file) continue;
    const between = files[a.file]!.oldLines.slice(a.oldStart + a.oldCount, b.oldStart);
    if (between.every(line => !/[A-Za-z0-9]/.test(line))) pairs.push([delta - 1, delta], [delta, delta - 1]);
  }
  return pairs;
}

/** One change that opens more than this is not code. */
const deepest = 50;

const conditional = /^\s*#\s*if/;
const alternative = /^\s*#\s*el/;

/** How many brackets are opened and not closed, comments and conditions of the preprocessor included. */
function netOf(lines: Lines): number {
  let net = 0;
  for (const line of lines) {
    if (conditional.test(line)) net++;
    else if (/^\s*#\s*endif/.test(line)) net--;
    net += (line.match(/\/\*/g)?.length ?? 0) - (line.match(/\*\//g)?.length ?? 0);
    for (const sign of withoutProse(line)) {
      if (sign === '{' || sign === '(' || sign === '[') net++;
      else if (sign === '}' || sign === ')' || sign === ']') net--;
    }
  }
  return net;
}
