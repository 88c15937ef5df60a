/**
 * A failure with its stack: the signature's key says which failures belong together, the stack distinguishes its variants.
 */
import type { Run } from '../process/types.js';
import type { Frame } from './found.js';
import { collapse, identifyingFrames } from './frames.js';
import { isVolatile, type Volatile } from './normalise.js';
import { findReport, readSignature } from './read.js';

export interface Failure {
  /** What failures of one group share. */
  readonly key: string;
  /** Where it happened, innermost first. With the place in the source if the program reports it. */
  readonly stack: readonly string[];
  /** One line in words. */
  readonly text: string;
  /** The program died from a signal and printed nothing: only a debugger can find its stack. */
  readonly silent?: true;
}

/** How many frames distinguish two variants. CASR and ClusterFuzz compare as many. */
const depth = 3;
/** How often a function must be on a stack to count as part of an endless recursion. */
const often = 8;

/** The failure of a run; `undefined` if it did not fail, or did not end by itself. */
export function readFailure(run: Run, context: Volatile): Failure | undefined {
  const signature = readSignature(run, context);
  if (!signature) return undefined;
  const { key, text } = signature;
  const found = findReport(run, context);
  if (!found) return { key, stack: [], text, ...(/^SIG/.test(key) ? { silent: true as const } : {}) };
  const own = found.frames.filter(({ file }) => file === undefined || !isVolatile(file, context));
  return { key, stack: stackOf(own), text };
}

/** A silent failure with the stack that a debugger found. The key has its frames too: a signal alone says nothing. */
export function withStack(failure: Failure, names: readonly string[]): Failure {
  if (names.length === 0) return failure;
  const { key, text } = failure;
  const frames = names.map(name => ({ name }));
  const cycle = cycleOf(frames);
  const stack = stackOf(frames);
  // Without symbols, a frame is an address, and a caller's address is one call and not a function.
  const telling = /^0x/.test(names[0]!) ? names.slice(0, 1) : identifyingFrames(frames, 2, { volatile: [] });
  return {
    key: `${key} · ${cycle ? 'endless recursion' : telling.join(' ← ')}`,
    stack,
    text: `${text} in ${cycle ? `endless recursion of ${stack.join(', ')}` : stack.join(' ← ')}`,
  };
}

/** The top frames. In endless recursion, the innermost frame is random, and the functions of the cycle count. */
function stackOf(frames: readonly Frame[]): readonly string[] {
  const cycle = cycleOf(frames);
  if (cycle) return cycle;
  return collapse(frames)
    .slice(0, depth)
    .map(({ name, site }, i) => (i === 0 && site !== undefined ? `${name} (${placeOf(site)})` : name));
}

function cycleOf(frames: readonly Frame[]): readonly string[] | undefined {
  const counts = new Map<string, number>();
  for (const { name } of frames.slice(0, 100)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const cycle = [...counts].filter(([, count]) => count >= often).map(([name]) => name);
  return cycle.length === 0 ? undefined : cycle.sort();
}

/** `/home/me/parse.c:12:5` → `parse.c:12`: a column may differ between two builds of one source. */
const placeOf = (site: string): string => site.slice(site.lastIndexOf('/') + 1).replace(/^(.*?:\d+):\d+$/, '$1');
