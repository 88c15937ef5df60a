/** The rules that decide whether a run passes, fails or is unresolved. */
import { cannotCombine } from '../../core/cannot-combine.js';
import { type Outcome, UserError, type Verdict } from '../../core/index.js';
import type { Run } from '../process/types.js';
import { endOf, signalNamed, signalNumbers, signalOf } from '../signature/end.js';
import { isSameFailure, readSignature, type Signature, type SignatureContext } from '../signature/read.js';
import { complaintOf, withComplaints } from './complaints.js';

/** The user's rule for what counts as the failure, before anything has been run. */
export type Asked =
  | { readonly kind: 'signature' }
  | { readonly kind: 'interesting' }
  | { readonly kind: 'bisect' }
  | { readonly kind: 'match'; readonly pattern: string }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly name: string }
  | { readonly kind: 'hang' }
  | { readonly kind: 'differs'; readonly command: string };

/** What counts as the failure, with what the original showed if the rule needs it. Plain data. */
export type Rule =
  | { readonly kind: 'signature'; readonly signature: Signature }
  | Exclude<Asked, { readonly kind: 'signature' | 'differs' }>
  /** `ends`: how the two commands ended on the original. */
  | { readonly kind: 'differs'; readonly command: string; readonly ends: readonly [string, string] };

/** The options of the rule as they come from the command line. */
export interface AskedOptions {
  readonly interesting?: boolean;
  readonly bisect?: boolean;
  readonly match?: string;
  readonly exit?: number;
  readonly signal?: string;
  readonly hang?: boolean;
  readonly differs?: string;
}

/** The rule that the options select, or the default. Throws a `UserError` if they are wrong or contradict each other. */
export function askedRule(options: AskedOptions): Asked {
  const asked: Asked[] = [];
  if (options.interesting) asked.push({ kind: 'interesting' });
  if (options.bisect) asked.push({ kind: 'bisect' });
  if (options.match !== undefined) asked.push({ kind: 'match', pattern: checkedPattern(options.match) });
  if (options.exit !== undefined) asked.push({ kind: 'exit', code: checkedExit(options.exit) });
  if (options.signal !== undefined) asked.push({ kind: 'signal', name: checkedSignal(options.signal) });
  if (options.hang) asked.push({ kind: 'hang' });
  if (options.differs !== undefined) asked.push({ kind: 'differs', command: checkedCommand(options.differs) });
  if (asked.length > 1)
    throw cannotCombine(
      `--${asked[0]!.kind}`,
      `--${asked[1]!.kind}`,
      'Use one of them. To check for both, write a script and use --interesting.',
    );
  return asked[0] ?? { kind: 'signature' };
}

/** The verdict on one finished run. For `differs`, see `judgeDiffers`. */
export function judge(rule: Exclude<Rule, { kind: 'differs' }>, run: Run, context: SignatureContext): Verdict {
  if (run.exceeded) return verdict('unresolved', run, { reason: describeExceeded(run.exceeded) });
  switch (rule.kind) {
    case 'signature':
      return bySignature(rule.signature, run, context);
    case 'interesting':
      if (run.timedOut) return verdict('unresolved', run, { reason: timeout });
      return verdict(run.exit === 0 ? 'fail' : 'pass', run);
    case 'bisect':
      return byBisect(run);
    case 'match':
      // What was printed was printed, however the run ended.
      if (matches(rule.pattern, run)) return verdict('fail', run);
      return passOrElse(run, 'no match');
    case 'exit':
      if (!run.timedOut && exitCode(run) === rule.code) return failByExit(run);
      return passOrElse(run, 'another exit');
    case 'signal':
      if (!run.timedOut && signalOf(run) === rule.name) return verdict('fail', run);
      return passOrElse(run, 'another end');
    case 'hang':
      return run.timedOut ? verdict('fail', run) : passOrElse(run, 'it ended');
    default:
      rule satisfies never;
      throw new Error('unreachable');
  }
}

/**
 * The verdict on the runs of the two commands. Both must end as they did on the original: otherwise a candidate that one of
 * them rejects would look like a difference.
 */
export function judgeDiffers(rule: Extract<Rule, { kind: 'differs' }>, a: Run, b: Run): Verdict {
  const neither = didNotRun(a) ?? didNotRun(b);
  if (neither) return verdict('unresolved', a, { reason: neither });
  const same = sameBytes(a.stdout, b.stdout) && endOf(a) === endOf(b);
  const asOriginal = endOf(a) === rule.ends[0] && endOf(b) === rule.ends[1];
  if (asOriginal) return verdict(same ? 'pass' : 'fail', a);
  if (same && a.exit === 0) return verdict('pass', a);
  return verdict('unresolved', a, { reason: `the commands ended differently: ${endOf(a)} and ${endOf(b)}` });
}

/** A run that exceeded one of our limits says nothing about the candidate. */
export const describeExceeded = (what: NonNullable<Run['exceeded']>): string =>
  what === 'memory' ? 'exceeds the memory limit (--memory)' : 'exceeds the limit on processes (--processes)';

/** Why a command did not really run: it timed out, or could not be started. */
export function didNotRun(run: Run): string | undefined {
  if (run.exceeded) return describeExceeded(run.exceeded);
  if (run.timedOut) return timeout;
  if (run.exit === 127) return 'command not found';
  return run.exit === 126 ? 'command cannot be executed' : undefined;
}

/** The rule in words, for the first lines of a run. */
export function describeRule(rule: Rule): string {
  switch (rule.kind) {
    case 'signature':
      return `fail = the same failure as on the original: ${rule.signature.text}`;
    case 'interesting':
      return 'fail = exit 0 (--interesting)';
    case 'bisect':
      return 'fail = exit 1–124, 126 or 127; 125 and 128 or more are unresolved (--bisect)';
    case 'match':
      return `fail = the output matches /${rule.pattern}/ (--match)`;
    case 'exit':
      return `fail = exit ${rule.code} (--exit)`;
    case 'signal':
      return `fail = ${rule.name} (--signal)`;
    case 'hang':
      return 'fail = the command does not finish within the timeout (--hang)';
    case 'differs':
      return `fail = the output differs from the output of ${rule.command} (--differs)`;
    default:
      rule satisfies never;
      throw new Error('unreachable');
  }
}

const timeout = 'timeout';

function bySignature(expected: Signature, run: Run, context: SignatureContext): Verdict {
  if (run.timedOut) return verdict('unresolved', run, { reason: timeout });
  const seen = readSignature(run, context);
  if (!seen) return verdict('pass', run);
  if (isSameFailure(seen, expected)) return verdict('fail', run, { signature: seen.key });
  const from = seen.key === expected.key && seen.site !== undefined ? `, called from ${seen.site}` : '';
  return verdict('unresolved', run, {
    signature: `${seen.key}${from}`,
    reason: `another failure: ${seen.text}${from}`,
  });
}

/** git-bisect(1): 125 means "can't be tested", and codes above 127 are the shell's. */
function byBisect(run: Run): Verdict {
  if (run.timedOut) return verdict('unresolved', run, { reason: timeout });
  const code = exitCode(run);
  if (code === 0) return verdict('pass', run);
  if (code === undefined || code === 125 || code >= 128)
    return verdict('unresolved', run, {
      reason: withComplaints(code === 125 ? 'skipped by the command (exit 125)' : endOf(run), run),
    });
  return failByExit(run);
}

/** All kinds of errors may have the same exit code. */
function failByExit(run: Run): Verdict {
  const complaint = complaintOf(run);
  return verdict('fail', run, complaint === undefined ? {} : { complaint });
}

function passOrElse(run: Run, reason: string): Verdict {
  if (run.timedOut) return verdict('unresolved', run, { reason: timeout });
  return run.exit === 0
    ? verdict('pass', run)
    : verdict('unresolved', run, { reason: withComplaints(`${reason}: ${endOf(run)}`, run) });
}

/** A death by signal as a shell would report it, so that `--exit 139` means what it means in a script. */
function exitCode(run: Run): number | undefined {
  if (run.exit !== undefined) return run.exit;
  const name = run.signal === undefined ? undefined : signalNamed(run.signal);
  return name === undefined ? undefined : 128 + signalNumbers[name]!;
}

function verdict(outcome: Outcome, run: Run, more: Partial<Verdict> = {}): Verdict {
  return {
    outcome,
    ...(run.exit === undefined ? {} : { exit: run.exit }),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    seconds: run.seconds,
    ...(outcome === 'pass' && run.stdout.length > 0 ? { prints: true as const } : {}),
    ...more,
  };
}

/** Line by line as grep does, on stdout and on stderr; in which order the two were written is not known. */
function matches(pattern: string, run: Run): boolean {
  const regex = new RegExp(pattern, 'm');
  return [run.stdout, run.stderr].some(bytes => regex.test(new TextDecoder().decode(bytes)));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function checkedPattern(pattern: string): string {
  try {
    new RegExp(pattern, 'm');
  } catch (error) {
    throw new UserError(
      `--match is not a regular expression: ${(error as Error).message}.`,
      'It uses JavaScript syntax. Put a backslash before ( ) [ ] { } . * + ? | ^ $ to match them literally.',
    );
  }
  if (pattern === '')
    throw new UserError('--match is empty and would match every output.', 'Give a part of the error message.');
  return pattern;
}

function checkedExit(code: number): number {
  if (Number.isInteger(code) && code >= 1 && code <= 255) return code;
  if (code === 0)
    throw new UserError(
      '--exit 0 would make every success a failure.',
      'If your script exits with 0 when it reproduces the failure, use --interesting.',
    );
  throw new UserError(`--exit ${code} is not an exit code.`, 'Exit codes are whole numbers from 1 to 255.');
}

function checkedSignal(name: string): string {
  const known = signalNamed(name);
  if (known !== undefined) return known;
  throw new UserError(
    `--signal ${name} is not the name of a signal.`,
    'Common signals are SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL and SIGKILL.',
  );
}

function checkedCommand(command: string): string {
  if (command.trim() !== '') return command;
  throw new UserError(
    '--differs needs a command to compare with.',
    "For example: --differs 'node {}' -- node --jitless {}",
  );
}
