/** What is too large to read, in one line: a cause beside a small revert, or a revert that could not be narrowed. */
import { grouped } from '../../../core/phrases.js';
import type { Outcomes } from '../search.js';
import type { Culprit, Patches } from './culprits.js';

/** More lines of a cause are not shown. */
const most = 40;
/** The same of a revert of which nothing is proven: a part of it can be read, but says nothing. */
const mostReverted = 400;
/** A minified file has few lines, and nobody reads them either. */
const mostColumns = 100 * mostReverted;
/** A revert is small if it has at most this share of the lines of the cause. */
const small = 1 / 10;

/** Undefined if the cause is shown: it is small, or there is no small revert that is proven. */
export function largeCause(
  { blamed, smaller, lineInOld }: Outcomes,
  culprits: readonly Culprit[],
  { causes, revert }: Patches,
): string | undefined {
  const isProven = blamed.minimal.length > 0;
  const own = culprits.filter(({ role }) => role === 'cause').map(({ file, code }) => ({ file, lines: countIn(code) }));
  // Of rewritten files the patch has nearly everything, and what is needed besides a proven cause is listed in one line.
  const sizes = isProven || lineInOld ? own : causes.flatMap(sizesIn);
  const lines = sumOf(sizes);
  const reverted = sumOf(sizesIn(revert));
  const isRevertProven = (smaller ?? blamed).minimalRevert.length > 0;
  const isShown = lines <= most || !isRevertProven || reverted > Math.max(most, small * lines);
  if (isShown && (isProven || isRevertProven || !causes.some(isDense))) return undefined;
  const how = isProven ? 'the cause is large' : 'the cause could not be narrowed';
  return `${how}: ${inFiles(sizes)}, see culprit.patch`;
}

/** Undefined if the revert is shown. */
export function largeRevert({ blamed, smaller }: Outcomes, { revert }: Patches): string | undefined {
  const sizes = sizesIn(revert);
  const isLarge = sumOf(sizes) > mostReverted || isDense(revert);
  if ((smaller ?? blamed).minimalRevert.length > 0 || !isLarge) return undefined;
  return `no small revert is known: ${inFiles(sizes)}, see revert.patch`;
}

function inFiles(sizes: readonly Size[]): string {
  const files = new Set(sizes.map(({ file }) => file)).size;
  return `${grouped(sumOf(sizes))} lines in ${files} ${files === 1 ? 'file' : 'files'}`;
}

interface Size {
  readonly file: string;
  readonly lines: number;
}

const sumOf = (sizes: readonly Size[]): number => sizes.reduce((sum, { lines }) => sum + lines, 0);

const countIn = (code: string): number => code.split('\n').filter(line => /^[-+]/.test(line)).length;

const isDense = (patch: Uint8Array): boolean => changedIn(patch).join('').length > mostColumns;

const changedIn = (patch: Uint8Array | string): readonly string[] =>
  (typeof patch === 'string' ? patch : Buffer.from(patch).toString('latin1'))
    .split('\n')
    .filter(line => /^[-+](?!-- |\+\+ )/.test(line));

/** Each file of a patch. */
const sizesIn = (patch: Uint8Array): readonly Size[] =>
  Buffer.from(patch)
    .toString('latin1')
    .split(/^diff --git (?=a\/)/m)
    .slice(1)
    .map(text => ({
      file: text.split('\n', 1)[0]!,
      lines: changedIn(text).length,
    }));
