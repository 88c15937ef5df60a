/** Explains why there is nothing to reduce, and what to try. */
import { UserError } from '../../core/index.js';
import type { Run } from '../process/types.js';
import { readOutput } from '../signature/output.js';
import type { FirstRunFacts } from './attempt.js';
import { describeRule, didNotRun, type Rule } from './rules.js';
import { excerpt, howItEnded } from './run-in-words.js';

/** A command that can't be started fails on every input: that is not a failure to reduce. */
export function checkStarted(facts: Pick<FirstRunFacts, 'original' | 'argv' | 'where' | 'command' | 'setting'>): void {
  const { run } = facts.original;
  if (run.exit !== 127 && run.exit !== 126) return;
  const programs = programsIn(facts.argv);
  const said = readOutput(run.stderr).lines.filter(line => line.trim() !== '');
  // A script may end with 127 for its own reasons, which are a failure to reduce: it must be the program that is missing.
  const named = (line: string): string | undefined => {
    const at = line.search(/not found|No such file|denied|cannot execute|Is a directory|Exec format/i);
    const words = line.slice(0, Math.max(0, at)).split(/[:'"`‘’\s]+/);
    return words.findLast(word => programs.includes(word));
  };
  const complaint = said.find(line => named(line) !== undefined);
  if (complaint === undefined && said.length > 0) return;
  const program = (complaint === undefined ? undefined : named(complaint)) ?? programs[0] ?? '';
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

/** The words of a command that may be a program: the first one, and all those of a shell line. */
function programsIn([program = '', ...args]: readonly string[]): readonly string[] {
  const isShell = /^(?:.*\/)?(?:ba|da|z|k)?sh$/.test(program) && args[0] === '-c';
  const line = isShell ? args[1] : /\s/.test(program) ? program : undefined;
  return line === undefined ? [program.trim()] : line.split(/[\s;&|()<>'"`]+/).filter(word => word !== '');
}

export function noFailure(facts: FirstRunFacts, rule: Rule): UserError {
  const { asked, original } = facts;
  const { run, other } = original;
  // The command itself is fine, so nothing about it would help.
  const isMissing = other?.exit === 127 || other?.exit === 126;
  if (asked.kind === 'differs' && isMissing && !didNotRun(run))
    return new UserError(
      [
        `${reasonOf(facts, rule)}`,
        `The command of --differs, ${asked.command}, ended with ${howItEnded(other)}${printed(other)}`,
      ].join('\n'),
      'Check its name and its path. Relative paths are those of the folder you are in.',
      1,
    );
  return new UserError(
    [`${reasonOf(facts, rule)}`, `It ended with ${howItEnded(run)}${printed(run)}`].join('\n'),
    [...advice(facts), ...(facts.ran === undefined ? [] : [`It was run as: ${facts.ran}`]), tryIt(facts)].join('\n'),
    1,
  );
}

/** The search would end with an empty result, and would say nothing about the input. */
export function nothingNeeded(facts: FirstRunFacts): UserError {
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
function advice({ asked, argv, names, original, called, setting, lacks = [] }: FirstRunFacts): readonly string[] {
  const has = (option: string) => !lacks.includes(option);
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
    lines.push(
      has('--hang')
        ? 'If the hang is the failure, add --hang. Otherwise raise the timeout: --timeout <s>.'
        : 'Raise the timeout: --timeout <s>.',
    );
  else if (asked.kind === 'signature')
    lines.push(
      `If your script exits with 0 when it reproduces the failure, add --interesting. If the failure is in the output, use --match${has('--differs') ? ' or --differs' : ''}.`,
    );
  if (asked.kind === 'interesting' && !run.timedOut)
    lines.push('With --interesting, exit 0 means "reproduced". If the command itself fails, remove --interesting.');
  if (asked.kind === 'interesting' && run.timedOut) lines.push('Raise the timeout: --timeout <s>.');
  if (asked.kind === 'match') lines.push('--match is tested on stdout and stderr. Try a shorter part of the message.');
  if (asked.kind === 'hang') lines.push('The command finished. Try a shorter --timeout, or remove --hang.');
  if (asked.kind === 'exit' || asked.kind === 'signal')
    lines.push(`Remove --${asked.kind}: culprit then recognises the failure itself.`);
  if (called !== undefined && !setting && !run.timedOut && has('--repeat'))
    lines.push('If it fails only sometimes, add --repeat 20: the first look then runs it that often.');
  return lines;
}

const relativeAdvice = (path: string): string =>
  `The path ${path} is relative, but the command runs in a private folder that contains only the input. Use an absolute path: $PWD/${path.replace(/^\.\//, '')}.`;

const tryIt = ({ where, command, setting }: Pick<FirstRunFacts, 'where' | 'command' | 'setting'>): string =>
  `To check it yourself${setting?.elsewhere ? `, ${setting.phrase}` : ''}:\n  cd ${where} && ${command}`;
