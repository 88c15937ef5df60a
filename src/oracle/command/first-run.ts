/** Decides from the first run what counts as the failure, or explains why there is none. */
import { UserError } from '../../core/index.js';
import type { Run } from '../process/types.js';
import { endOf } from '../signature/end.js';
import { readOutput } from '../signature/output.js';
import type { NamedPlace } from '../signature/places.js';
import { readSignature, type Signature, type SignatureContext } from '../signature/read.js';
import type { Attempt, FirstRunFacts } from './attempt.js';
import { checkStarted, noFailure, nothingNeeded } from './no-failure.js';
import { type Asked, describeExceeded, describeRule, judge, judgeDiffers, type Rule } from './rules.js';
import { excerpt, howItEnded, seconds } from './run-in-words.js';

/** What the first run decided. */
export interface FirstRun {
  readonly rule: Rule;
  /** In words, for the first lines. */
  readonly described: string;
  /** The expected failure, if the run had one. */
  readonly signature?: Signature;
  /** Seconds that a test may take. */
  readonly timeout: number;
  /** Unset if it was run only once. */
  readonly stable?: boolean;
  /** Runs of the same input did not agree: the failure may show only sometimes. */
  readonly isSuspect?: boolean;
  /** It was run only once: whether the failure is stable is checked as soon as there is a much smaller result. */
  readonly isUnchecked?: boolean;
  /** Each test runs in a copy of the user's folder, in which the input lies at its place. */
  readonly isInFolder?: boolean;
  /** The empty input fails in the same way. */
  readonly needsNoInput: boolean;
  /** The places of a large input that the failure names. */
  readonly named?: readonly NamedPlace[];
  /** What to print: how it ended, how long it took, its output, what counts, what to know. */
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

/** Ten times the first run, at least a second: long enough on a busy machine, short enough for the candidates that hang. */
export const timeoutFor = (firstSeconds: number): number => Math.max(1, Math.ceil(firstSeconds * 10));

/** What a run took by itself: on a busy machine, the clock shows more. */
export const ownSeconds = (run: Pick<Run, 'seconds' | 'waited'> | undefined): number =>
  run === undefined ? 0 : run.seconds - (run.waited ?? 0);

/** Decides what counts, or throws a `UserError` that explains why there is nothing to reduce. */
export function settleFirstRun(facts: FirstRunFacts): FirstRun {
  const { original, asked, context } = facts;
  checkStarted(facts);
  if (original.run.exceeded)
    throw new UserError(
      `The command was stopped, because it ${describeExceeded(original.run.exceeded)}.`,
      original.run.exceeded === 'memory'
        ? 'If it needs that much, raise the limit with --memory <MB>. If running out of memory is the failure, set a lower --memory, so that the command itself fails.'
        : 'If it needs that many, raise the limit with --processes <n>.',
      1,
    );
  const signature = readSignature(original.run, context);
  const rule = ruleFor(facts, signature);
  if (outcomeOf(rule, original, context) !== 'fail') throw noFailure(facts, rule);
  const stable = facts.again && outcomeOf(rule, facts.again, context) === 'fail';
  const needsNoInput = facts.empty !== undefined && outcomeOf(rule, facts.empty, context) === 'fail';
  if (needsNoInput && !facts.force) throw nothingNeeded(facts);
  const timeout = facts.timeout ?? timeoutFor(Math.max(ownSeconds(original.run), ownSeconds(original.other)));
  const notes: string[] = [];
  if (stable === false) notes.push(`unstable: ${seen(original, context)}, then ${seen(facts.again!, context)}.`);
  if (needsNoInput) notes.push('The empty input fails in the same way: the failure needs no input.');
  const path = aboutPath(original.run, context);
  if (path !== undefined)
    notes.push(`The failure is about the path of the input. Each test has its own folder; here it was ${path}.`);
  if (original.run.truncated) notes.push('The output was too long; only part of it was kept.');
  const described = describeRule(rule);
  return {
    rule,
    described,
    ...(signature ? { signature } : {}),
    timeout,
    ...(stable === undefined ? {} : { stable }),
    needsNoInput,
    lines: [
      `$ ${facts.command}`,
      ...(facts.ran === undefined ? [] : [`  (run as: ${facts.ran})`]),
      ...excerpt(original.run).map(line => `  ${line}`),
      `${howItEnded(original.run)}${facts.again ? (stable ? ' (reproduced 2/2)' : ' (reproduced 1/2)') : ''}`,
      ...(original.other && asked.kind === 'differs' ? comparedLines(asked.command, original.other) : []),
      ...(signature && asked.kind !== 'signature' ? [`the failure: ${signature.text}`] : []),
      described,
      `timeout ${seconds(timeout)} per test${facts.timeout === undefined ? ' (10× the first run, at least 1 s; change with --timeout)' : ''}`,
    ],
    notes,
  };
}

/** A command that could not read its input differs from one that could: it is the user who knows. */
const comparedLines = (command: string, run: Run): readonly string[] => [
  `$ ${command}  (compared with)`,
  ...excerpt(run).map(line => `  ${line}`),
  howItEnded(run),
];

/** Whether an attempt at the unreduced input shows a failure to reduce: what `settleFirstRun` would accept. */
export function showsFailure(asked: Asked, original: Attempt, context: SignatureContext): boolean {
  return outcomeOf(ruleFor({ asked, original }, readSignature(original.run, context)), original, context) === 'fail';
}

/** Whether another attempt shows the failure of the original. */
export function showsSameFailure(asked: Asked, original: Attempt, other: Attempt, context: SignatureContext): boolean {
  return outcomeOf(ruleFor({ asked, original }, readSignature(original.run, context)), other, context) === 'fail';
}

/** The path in an error message, if it is one of ours and not one from the user. */
function aboutPath(run: Run, { volatile }: SignatureContext): string | undefined {
  const root = volatile.find(part => part.startsWith('/'));
  if (root === undefined) return undefined;
  const complains =
    /too long|ENAMETOOLONG|path|file ?name|no such file|ENOENT|(?:cannot|can't|could not|unable to) (?:open|find|read|access)/i;
  const line = [...readOutput(run.stderr).lines, ...readOutput(run.stdout).lines].find(
    each => each.includes(root) && complains.test(each.replaceAll(root, '')),
  );
  return line?.slice(line.indexOf(root)).match(/^[^\s'":,;()]+/)?.[0];
}

function ruleFor(
  { asked, original }: Pick<FirstRunFacts, 'asked' | 'original'>,
  signature: Signature | undefined,
): Rule {
  if (asked.kind === 'differs')
    return { ...asked, ends: [endOf(original.run), original.other ? endOf(original.other) : ''] };
  if (asked.kind !== 'signature') return asked;
  return { kind: 'signature', signature: signature ?? none };
}

/** A signature that no failure has: the original did not fail, or did not end. */
const none: Signature = { kind: 'none', how: '', where: [], text: 'no failure', key: '' };

function outcomeOf(rule: Rule, attempt: Attempt, context: SignatureContext): 'pass' | 'fail' | 'unresolved' {
  if (rule.kind !== 'differs') return judge(rule, attempt.run, context).outcome;
  return attempt.other ? judgeDiffers(rule, attempt.run, attempt.other).outcome : 'unresolved';
}

function seen(attempt: Attempt, context: SignatureContext): string {
  if (attempt.run.timedOut) return 'a timeout';
  return readSignature(attempt.run, context)?.text ?? endOf(attempt.run);
}
