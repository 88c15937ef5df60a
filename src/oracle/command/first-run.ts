/** Decides from the first run what counts as the failure, or explains why there is none. */
import { UserError } from '../../core/index.js';
import type { Run } from '../process/types.js';
import { endOf } from '../signature/end.js';
import { readOutput } from '../signature/output.js';
import type { NamedPlace } from '../signature/places.js';
import { readSignature, type Signature, type SignatureContext } from '../signature/read.js';
import { type Asked, describeExceeded, describeRule, didNotRun, judge, judgeDiffers, type Rule } from './rules.js';

/** One attempt at the command: the run, and for `--differs` the run of the other command. */
export interface Attempt {
  readonly run: Run;
  readonly other?: Run;
  /** The command was not run: this is how the build before it ended. */
  readonly unbuilt?: boolean;
  /** What the command wrote beside the workspace, if that was asked for. */
  readonly written?: string;
}

/** What was run, and its outcome, before anything is reduced. */
export interface FirstRunFacts {
  readonly asked: Asked;
  /** The command as the user can type it, `{}` replaced. */
  readonly command: string;
  /** The command as it was run, with the path of the input in its workspace. */
  readonly ran?: string | undefined;
  /** The folder in which the user can type it. */
  readonly where: string;
  /** The words of the command as they were given, to see what may be wrong with them. */
  readonly argv: readonly string[];
  /** The names of the artifact in the working directory. */
  readonly names: readonly string[];
  /** The command reads the input as its standard input. */
  readonly stdin?: boolean;
  readonly original: Attempt;
  /** The same again: is the failure stable? */
  readonly again?: Attempt;
  /** The empty input: does the failure need one? */
  readonly empty?: Attempt;
  /** Seconds, as given by the user. */
  readonly timeout?: number;
  /** Continue although the empty input fails too. */
  readonly force?: boolean;
  /** What was run, if it is not an input: `the new version (v1.3)`. The command then runs inside it. */
  readonly called?: string;
  /** Where it was run, if neither an input nor a version varies: `in the environment of ci.env`. */
  readonly setting?: Setting;
  readonly context: SignatureContext;
}

/** Where a command runs, if its input does not vary. */
export interface Setting {
  /** `in the environment of ci.env`, `as given`. */
  readonly phrase: string;
  /** Typing the command is not enough to be in it. */
  readonly elsewhere?: boolean;
  /** What may be wrong with it. */
  readonly advice?: string;
}

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
      ...(signature && asked.kind !== 'signature' ? [`the failure: ${signature.text}`] : []),
      described,
      `timeout ${seconds(timeout)} per test${facts.timeout === undefined ? ' (10× the first run, at least 1 s; change with --timeout)' : ''}`,
    ],
    notes,
  };
}

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

/** The last meaningful lines, from stderr if it has any. */
export function excerpt(run: Pick<Run, 'stdout' | 'stderr'>, count = 8): readonly string[] {
  const spoken = (bytes: Uint8Array) => readOutput(bytes).lines.filter(line => line.trim() !== '');
  const errors = spoken(run.stderr);
  const lines = errors.length > 0 ? errors : spoken(run.stdout);
  const short = lines.map(line => (line.length > 160 ? `${line.slice(0, 159)}…` : line));
  if (short.length <= count) return short;
  const head = Math.ceil(count / 2);
  const tail = count - head;
  const left = short.length - count;
  return [...short.slice(0, head), `… ${left} more ${left === 1 ? 'line' : 'lines'} …`, ...short.slice(-tail)];
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

const seconds = (value: number): string => `${value < 10 ? Number(value.toFixed(2)) : Math.round(value)} s`;

function howItEnded(run: Run): string {
  if (run.timedOut) return `timeout after ${seconds(run.seconds)}`;
  const signal = endOf(run);
  return `${signal.startsWith('SIG') ? signal : `exit ${run.exit}`} in ${seconds(run.seconds)}`;
}

/** A command that can't be started fails on every input: that is not a failure to reduce. */
export function checkStarted(facts: Pick<FirstRunFacts, 'original' | 'argv' | 'where' | 'command' | 'setting'>): void {
  const { run } = facts.original;
  if (run.exit !== 127 && run.exit !== 126) return;
  const program = (facts.argv[0] ?? '').trim().split(/\s+/)[0] ?? '';
  const said = readOutput(run.stderr).lines.filter(line => line.trim() !== '');
  // A script may end with 127 for its own reasons, which are a failure to reduce: it must be the program that is missing.
  const complaint = said.find(
    line =>
      line.split(/[:'"`‘’\s]+/).includes(program) &&
      /not found|No such file|denied|cannot execute|Is a directory|Exec format/i.test(line),
  );
  if (complaint === undefined && said.length > 0) return;
  // If no input varies, the command runs in a copy of the user's folder, and relative paths are right.
  const relative = program.includes('/') && !program.startsWith('/') && !facts.setting;
  // A path to the program itself is made absolute if it exists; so are plain words of a shell line.
  const isInLine = /\s/.test(facts.argv[0] ?? '');
  throw new UserError(
    run.exit === 127 ? `Command not found: ${program}.` : `Cannot execute ${program}: ${complaint ?? 'exit 126'}`,
    [
      run.exit === 126
        ? 'Is it executable (chmod +x)?'
        : relative && !isInLine
          ? `There is no ${program} in ${facts.where}. Check the path.`
          : relative
            ? relativeAdvice(program)
            : program.includes('/')
              ? 'Check the path.'
              : 'Check its name, and that it is on the PATH.',
      tryIt(facts),
    ].join('\n'),
  );
}

function noFailure(facts: FirstRunFacts, rule: Rule): UserError {
  const { run } = facts.original;
  return new UserError(
    [`${reasonOf(facts, rule)}`, `It ended with ${howItEnded(run)}${printed(run)}`].join('\n'),
    [...advice(facts), ...(facts.ran === undefined ? [] : [`It was run as: ${facts.ran}`]), tryIt(facts)].join('\n'),
    1,
  );
}

/** The search would end with an empty result, and would say nothing about the input. */
function nothingNeeded(facts: FirstRunFacts): UserError {
  const { argv, names } = facts;
  const isNamed = facts.stdin || argv.join(' ').includes('{}') || names.some(name => argv.join(' ').includes(name));
  const causes = [
    ...(isNamed
      ? []
      : [
          '{} is missing: put it in place of the path of the input, or add --stdin if the command reads its standard input',
        ]),
    `the command does not read ${facts.stdin ? 'its standard input' : 'the file'}`,
    'the script fails on any input',
  ];
  return new UserError(
    [
      'Nothing to reduce: the command fails in the same way on an empty input.',
      `It ended with ${howItEnded(facts.original.run)}${printed(facts.original.run)}`,
    ].join('\n'),
    [`Likely causes: ${causes.join('; ')}. If an empty result is what you want, add --force.`, tryIt(facts)].join('\n'),
    1,
  );
}

function reasonOf(facts: FirstRunFacts, rule: Rule): string {
  const { asked, original, setting, called = 'the original input' } = facts;
  const nothing = setting || facts.called !== undefined ? 'No failure found' : 'Nothing to reduce';
  const { run, other } = original;
  const at = setting?.phrase ?? `on ${called}`;
  switch (asked.kind) {
    case 'signature':
      return run.timedOut
        ? `The command does not finish in time ${at}, so there is no failure to compare with.`
        : `${nothing}: the command succeeds ${at}.`;
    case 'differs': {
      const neither = didNotRun(run) ?? (other ? didNotRun(other) : 'the other command was not run');
      return neither
        ? `The two commands can't be compared ${at}: ${neither}.`
        : `${nothing}: the two commands print the same ${at}.`;
    }
    default:
      if (setting) return `${nothing}: the command does not fail ${at}. The rule: ${describeRule(rule)}.`;
      return `${nothing}: ${called} does not fail. The rule: ${describeRule(rule)}.`;
  }
}

function printed(run: Run): string {
  const lines = excerpt(run);
  return lines.length === 0 ? ' and printed nothing.' : ` and printed:\n${lines.map(line => `  ${line}`).join('\n')}`;
}

/** What may be wrong, as far as the command and its output show it; the likeliest first. */
function advice({ asked, argv, names, original, called, setting }: FirstRunFacts): readonly string[] {
  const { run } = original;
  const said = readOutput(run.stderr).text + readOutput(run.stdout).text;
  const given = argv.join(' ');
  const lines: string[] = [];
  const missing = /(?:no such file|cannot find|could not find|not found|ENOENT|does not exist|can't open)/i.test(said);
  const relative = argv.find(
    word =>
      /^\.{0,2}\/?[\w.-]+\/[\w./-]+$/.test(word) && !word.startsWith('/') && !names.some(name => word.includes(name)),
  );
  if (missing && relative && !setting) lines.push(relativeAdvice(relative));
  if (setting?.advice) lines.push(setting.advice);
  if (
    called === undefined &&
    setting === undefined &&
    !given.includes('{}') &&
    !names.some(name => given.includes(name))
  )
    lines.push(
      `The command mentions neither {} nor ${names.join(', ') || 'the input'}. Put {} in place of the path of the input.`,
    );
  if (asked.kind === 'signature' && run.timedOut)
    lines.push('If the hang is the failure, add --hang. Otherwise raise the timeout: --timeout <s>.');
  else if (asked.kind === 'signature')
    lines.push(
      'If your script exits with 0 when it reproduces the failure, add --interesting. If the failure is in the output, use --match or --differs.',
    );
  if (asked.kind === 'interesting' && !run.timedOut)
    lines.push('With --interesting, exit 0 means "reproduced". If the command itself fails, remove --interesting.');
  if (asked.kind === 'interesting' && run.timedOut) lines.push('Raise the timeout: --timeout <s>.');
  if (asked.kind === 'match') lines.push('--match is tested on stdout and stderr. Try a shorter part of the message.');
  if (asked.kind === 'hang') lines.push('The command finished. Try a shorter --timeout, or remove --hang.');
  if (asked.kind === 'exit' || asked.kind === 'signal')
    lines.push(`Remove --${asked.kind}: culprit then recognises the failure itself.`);
  if (called !== undefined && !setting && !run.timedOut)
    lines.push('If it fails only sometimes, add --repeat 20: the first look then runs it that often.');
  return lines;
}

const relativeAdvice = (path: string): string =>
  `The path ${path} is relative, but the command runs in a private folder that contains only the input. Use an absolute path: $PWD/${path.replace(/^\.\//, '')}.`;

const tryIt = ({ where, command, setting }: Pick<FirstRunFacts, 'where' | 'command' | 'setting'>): string =>
  `To check it yourself${setting?.elsewhere ? `, ${setting.phrase}` : ''}:\n  cd ${where} && ${command}`;
