/** Reads the signature of a failure from the output and the end of a process. */
import type { Run } from '../process/types.js';
import { endOf, signalOf } from './end.js';
import { diagnosticOnStdout } from './families/diagnostic.js';
import { errorLine, errorLineOnStdout, lastLine } from './families/generic.js';
import { families } from './families/index.js';
import { shell } from './families/shell.js';
import { crash, type Found } from './found.js';
import { identifyingFrames, topFrames } from './frames.js';
import { anchor, normalise, show, type Volatile } from './normalise.js';
import { type Output, readOutput } from './output.js';

/** The identity of a failure: how and where it happened. */
export interface Signature {
  /** Which family reported it: `node`, `gcc`, `asan`, `assert`, `signal`, `exit` … */
  readonly kind: string;
  /** Exit or signal, and the error's own line without what varies. */
  readonly how: string;
  /** The top frames, function names, innermost first. */
  readonly where: readonly string[];
  /** One line in words, for people. */
  readonly text: string;
  /** Equal for the same failure. */
  readonly key: string;
  /** The call in the user's own script that led to it: `check.js:7:5`. A deep stack may be cut off before it. */
  readonly site?: string;
}

export type SignatureContext = Volatile;

/**
 * Whether two signatures describe the same failure. A script may call the same function twice (parse the input, then parse
 * what was printed from it): the call distinguishes the two failures, if both stacks show it.
 */
export const isSameFailure = (a: Signature, b: Signature): boolean =>
  a.key === b.key && (a.site === undefined || b.site === undefined || a.site === b.site);

/** The signature of a run that failed; `undefined` for exit 0 and for a run that did not end by itself. */
export function readSignature(run: Run, context: SignatureContext): Signature | undefined {
  if (run.timedOut || run.exit === 0) return undefined;
  return signatureOf(findReport(run, context), run, context);
}

/** What the program reports about its failure, before anything is derived from it. */
export function findReport(run: Run, { volatile }: SignatureContext): Found | undefined {
  const stderr = readOutput(run.stderr);
  const signal = signalOf(run);
  const reported = byFamily(stderr);
  if (reported) return reported;
  // Messages before a crash are about the input. Without a separate report, only the signal counts.
  if (signal !== undefined) return byFamily(readOutput(run.stdout));
  const stdout = readOutput(run.stdout);
  return (
    byFamily(stdout) ??
    shell(stderr) ??
    errorLine(stderr) ??
    errorLineOnStdout(stdout) ??
    diagnosticOnStdout(stdout, volatile) ??
    lastLine(stderr)
  );
}

function byFamily(output: Output): Found | undefined {
  if (output.text.trim() === '') return undefined;
  for (const family of families) {
    const found = family(output);
    if (found) return found;
  }
  return undefined;
}

function signatureOf(found: Found | undefined, run: Run, context: SignatureContext): Signature {
  const end = endOf(run);
  const signal = signalOf(run);
  if (!found) {
    const kind = signal === undefined ? 'exit' : 'signal';
    return { kind, how: end, where: [], text: end, key: end };
  }
  const telling = identifyingFrames(found.frames, found.depth, context);
  const line = normalise(found.line, context, telling.length > 0 || found.place !== undefined ? 'drop' : 'keep');
  const place = found.place === undefined ? [] : [anchor(found.place, context)];
  const how = `${end}: ${line}`;
  const where = topFrames(found.frames);
  const site = found.depth === 0 ? undefined : siteOf(found, context);
  return {
    kind: found.kind === 'error' ? 'exit' : found.kind,
    how,
    where,
    text: describe(found, end, where, context),
    key: [found.kind, how, ...place, ...(found.also ?? []), ...(telling.length > 0 ? [telling.join(' ← ')] : [])].join(
      ' · ',
    ),
    ...(site === undefined ? {} : { site }),
  };
}

/** The innermost call in a script of the user, if something else was called from it. */
function siteOf({ sites = [] }: Found, { scripts = [] }: SignatureContext): string | undefined {
  // The JVM prints names of files without their folders.
  const isOwn = (site: string) =>
    scripts.some(script => site.startsWith(`${script}:`) || (!site.includes('/') && nameOf(script) === nameOf(site)));
  const at = sites.findIndex(isOwn);
  if (at <= 0) return undefined;
  const site = sites[at]!;
  return site.slice(site.lastIndexOf('/') + 1);
}

/** `/home/me/Check.java` and `Check.java:7` → `Check.java`. */
const nameOf = (place: string): string => place.slice(place.lastIndexOf('/') + 1).replace(/(?::\d+)+$/, '');

function describe(found: Found, end: string, where: readonly string[], context: SignatureContext): string {
  const line = show(found.words ?? found.line, context);
  const signal = end.startsWith('SIG');
  // The signal is enough if the program says only that it crashed.
  if (signal && found.line === crash && where.length > 0) return `${end} in ${quoted(where.slice(0, 3))}`;
  // An exit code adds nothing to a report; a signal does.
  const said = found.kind === 'error' || (signal && !line.includes(end)) ? `${end}: ${line}` : line;
  if (found.words !== undefined) return said;
  const place = found.place === undefined ? '' : ` (${show(found.place, context)})`;
  const frames = found.depth === 0 ? [] : where.slice(0, 3);
  return `${said}${place}${frames.length > 0 ? ` at ${frames.join(' ← ')}` : ''}`;
}

const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(' ← ');

/** The same failure with the names that a debugger found: for display only, the identity is unchanged. */
export function withBacktrace(signature: Signature, frames: readonly string[]): Signature {
  if (frames.length === 0) return signature;
  const text = signature.where.length > 0 ? signature.text : `${signature.text} in ${quoted(frames.slice(0, 4))}`;
  return { ...signature, where: frames.slice(0, 5), text };
}
