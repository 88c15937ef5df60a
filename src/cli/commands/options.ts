import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import type { Artifact } from '../../circumstances/artifact.js';
import { identify } from '../../circumstances/files.js';
import {
  type Candidate,
  candidatesInFile,
  candidatesInHelp,
  knownFrom,
  type OptionSettings,
  opened,
  optionsOf,
  overArgs,
  placeholder,
  preventing,
  quotedAll,
  wordsOf,
} from '../../circumstances/options/index.js';
import { type Configuration, deltasOf, size, UserError } from '../../core/index.js';
import { after as behind, optionPasses, prevent } from '../../plans/options.js';
import { simplify } from '../../plans/simplify.js';
import {
  type CommonOptions,
  commandAfterDashes,
  demandCommand,
  type RuleOptions,
  withCommonOptions,
  withRuleOptions,
} from '../common.js';
import { type Called, calling, jsonOf, textFiles, typedWords } from '../invocation.js';
import { type JobContext, type JobResult, ownArguments, type Resuming, readRegex, runJob } from '../job.js';
import { collect } from '../parse.js';
import { listStrategy } from '../strategies.js';

interface Options extends CommonOptions, RuleOptions {
  readonly prevent?: boolean;
  readonly tries?: readonly string[];
  readonly tryFile?: readonly string[];
  readonly tryHelp?: readonly string[];
  readonly tryOnly?: string;
  readonly valuesFrom?: string;
  readonly keep?: string;
}

const example = "culprit options --match 'internal compiler error' -- gcc -O3 -g -ffast-math @build.rsp -c bug.c";
const preventExample = 'culprit options --prevent --try -fno-gcse -fno-inline -Os -- gcc -O2 -c bug.c';

/** `--try -a -b --`: the words after it are options of the command, until one of culprit's own or `--`. */
class OptionsCommand extends Command {
  override parseOptions(argv: string[]) {
    const own = new Set(this.options.flatMap(option => option.long ?? []));
    const end = argv.indexOf('--');
    const rest: string[] = [];
    const tried: string[] = [];
    let trying = false;
    for (const [i, word] of argv.entries()) {
      const inside = end < 0 || i < end;
      if (inside && word === '--try') trying = true;
      else if (!inside || own.has(word.replace(/=.*$/s, ''))) trying = false;
      if (!trying) rest.push(word);
      else if (word !== '--try') tried.push(word);
    }
    if (tried.length > 0) this.setOptionValue('tries', tried);
    return super.parseOptions(rest);
  }
}

export function optionsCommand(resuming?: Resuming): Command {
  const command = new OptionsCommand('options')
    .description('which arguments of a command matter for its failure; or, with --prevent, which options would help')
    .usage('[options] -- <command> [args...]')
    .option('--prevent', 'turn the question round: which options make the failure go away')
    .option(
      '--try <options...>',
      'options that may prevent it, up to the next option of culprit or --; quote one with its value',
    )
    .option('--try-file <file>', 'the same from a file, one option per line', collect)
    .option('--try-help <command>', "the same from a tool's help: 'gcc -O2 -Q --help=optimizers'", collect)
    .option('--try-only <regex>', "of the options in the tool's help, only those that match")
    .option('--values-from <command>', "a tool's help that says which options take a value: 'tool --help'")
    .option('--keep <regex>', 'arguments that match stay')
    .allowExcessArguments(true);
  withRuleOptions(withCommonOptions(command));
  return command
    .addHelpText(
      'after',
      `
An option and its value are one; response files (@file) are opened. The command runs in copies of this folder.
With --prevent, the options are added where the command says ${placeholder}, else before --, else at the end.

Examples:
  ${example}
  ${preventExample}
`,
    )
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const options = command.opts<Options>();
      demandCommand(words, example);
      if (command.args.length > words.length)
        throw new UserError(
          `options takes no input, and there is ${command.args[0]} before \`--\`.`,
          `The command and its arguments stand after it. For example: ${example}`,
        );
      checkAsked(words, options);
      if (options.strategy) listStrategy(options.strategy);
      const name = `${basename(words[0]!)}-options`;
      await runJob('options', name, options, argv, resuming, context => {
        const line = lineOf(words, options, context);
        return options.prevent ? preventFailure(line, options, context) : leaveOut(line, options, context);
      });
    });
}

function checkAsked(words: readonly string[], options: Options): void {
  const tries = options.tries ?? options.tryFile ?? options.tryHelp;
  if (words.length === 1 && /\s/.test(words[0]!))
    throw new UserError(
      'The command is a shell line, and its options can only be told apart word by word.',
      `Give its words one by one after \`--\`, or put the rest into a script. For example: ${example}`,
    );
  if (options.prevent && !tries)
    throw new UserError(
      'There is nothing to try: --prevent needs options that may prevent the failure.',
      `Give them with --try, --try-file or --try-help. For example: ${preventExample}`,
    );
  if (!options.prevent && tries)
    throw new UserError('Options to try are given, but not what for.', 'Add --prevent to find those that help.');
  if (!options.prevent && words.length === 1)
    throw new UserError(`${words[0]} has no arguments that could be left out.`, `For example: ${example}`);
  for (const name of ['keep', 'tryOnly'] as const)
    if (options[name] !== undefined) readRegex(options[name], name === 'keep' ? '--keep' : '--try-only');
}

/** The command line as it is searched: response files opened, helps read. A resumed run finds it as it was. */
interface Line {
  readonly words: readonly string[];
  readonly help?: string;
  readonly candidates: readonly Candidate[];
}

function lineOf([program = '', ...args]: readonly string[], options: Options, { folder }: JobContext): Line {
  const known = folder.journal.noted('command line') as Line | undefined;
  if (known) return known;
  const read = (path: string) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined);
  const only = options.tryOnly === undefined ? undefined : readRegex(options.tryOnly, '--try-only');
  const line: Line = {
    words: typedWords([program, ...opened(args, read)]),
    ...(options.valuesFrom === undefined ? {} : { help: helpOf(options.valuesFrom) }),
    candidates: [
      ...(options.tries ?? []).map(each => wordsOf(each)),
      ...(options.tryFile ?? []).flatMap(path => candidatesInFile(textOf(path), path)),
      ...(options.tryHelp ?? []).flatMap(shown => candidatesInHelp(helpOf(shown), shown, only)),
    ],
  };
  folder.journal.note('command line', line);
  return line;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(
      `The option file ${path} can't be read: ${(error as Error).message}.`,
      'Write one option per line into a file, and name it with --try-file.',
    );
  }
}

function helpOf(shown: string): string {
  const { stdout, stderr, status, error } = spawnSync('/bin/sh', ['-c', shown], { encoding: 'utf8', timeout: 30_000 });
  if (error || status === 127 || status === 126)
    throw new UserError(
      `\`${shown}\` can't be run: ${error?.message ?? stderr.trim()}.`,
      "Give a command that prints a tool's help, in quotes.",
    );
  return stdout + stderr;
}

const lengthOf = ({ args = [] }: Artifact): number => quotedAll(args).length;
const shownOf = ({ args = [] }: Artifact): string => quotedAll(args);
const identifyArgs = ({ args = [] }: Artifact): string => identify({ files: new Map(), args });

function settingsOf({ help }: Line, options: Options): OptionSettings {
  const keep = options.keep === undefined ? undefined : readRegex(options.keep, '--keep');
  return {
    ...(help === undefined ? {} : { takes: knownFrom(help) }),
    isProtected: word => /\{\w*\}/.test(word) || (keep?.test(word) ?? false),
  };
}

function leaveOut(line: Line, options: Options, context: JobContext): Promise<JobResult> {
  const settings = settingsOf(line, options);
  const deltasIn = (words: readonly string[]) => optionsOf(words.slice(1), { program: words[0]!, ...settings });
  const before = { bytes: quotedAll(line.words).length, deltas: deltasIn(line.words).count };
  const { folder, see } = context;
  const output = options.output === undefined ? `${folder.path}/best/command.txt` : resolve(options.output);
  const called = { ...calledBy(line, options), before };
  return calling(context, called, async ({ original, first, test, counter, settings: exploring }) => {
    let best = original;
    const keep = (artifact: Artifact) => {
      best = artifact;
      if (folder.journal.replaying) return;
      const text = `${shownOf(artifact)}\n`;
      folder.keepBest(textFiles({ 'command.txt': text }));
      if (options.output !== undefined) folder.place(output, Buffer.from(text), false);
    };
    keep(original);
    const page = () => ({
      title: `${basename(line.words[0]!)}: which arguments matter`,
      reproduce: shownOf(best),
      output,
      table: {
        caption: 'Every argument; those that remain are marked',
        columns: ['argument'],
        ...marked(line.words, best.args ?? [], settings),
      },
    });
    context.showing(page);
    const passes = optionPasses(line.words, settings).map(pass =>
      options.strategy === undefined ? pass : { ...pass, strategy: () => listStrategy(options.strategy!) },
    );
    const end = await context.follow(
      simplify(original, passes, test, {
        ...exploring,
        identify: identifyArgs,
        measure: lengthOf,
        accepted: keep,
      }),
    );
    keep(end.artifact);
    const after = { bytes: lengthOf(end.artifact), deltas: deltasIn(end.artifact.args ?? []).count };
    see({
      type: 'ended',
      ended: end.ended,
      minimal: end.minimal,
      size: after,
      counts: counter.counts,
      seconds: context.seconds(),
    });
    const command = shownOf(end.artifact);
    const signature = first.signature?.text ?? first.described;
    return {
      ended: end.ended,
      ending: { output, reproduce: command },
      json: jsonOf(context, 'options', end, counter, { before, after, output, signature, command: end.artifact.args }),
      page: page(),
    };
  });
}

const calledBy = (line: Line, options: Options): Omit<Called, 'before'> => ({
  job: 'options',
  options,
  command: line.words,
  shown: quotedAll(line.words),
  varying: { args: line.words },
  kept: artifact => textFiles({ 'command.txt': `${shownOf(artifact)}\n` }),
});

/** The options of the whole command line, and which of them are left. What is left stands in the same order. */
function marked(whole: readonly string[], left: readonly string[], settings: OptionSettings) {
  const options = optionsOf(whole.slice(1), { program: whole[0]!, ...settings, isProtected: () => false });
  const rows: string[][] = [];
  const remaining: number[] = [];
  let at = 1;
  for (let delta = 0; delta < options.count; delta++) {
    const words = options.build([delta, delta + 1]) ?? [];
    rows.push([options.describe!(delta)]);
    const there = words.filter(word => left[at] === word && at++ > 0);
    if (there.length > 0) remaining.push(delta);
  }
  return { rows, remaining };
}

function preventFailure(line: Line, options: Options, context: JobContext): Promise<JobResult> {
  const [program = '', ...args] = line.words;
  const circumstance = preventing(args, line.candidates);
  const words = (set: Configuration) => [...deltasOf(set)].map(delta => circumstance.describe!(delta));
  const sentence = (set: Configuration, i: number) =>
    i === 0 ? `${together(words(set))} it` : `so ${size(set) > 1 ? 'do' : 'does'} ${words(set).join(' with ')}`;
  const bare = behind(program, circumstance).build([])!;
  const before = { deltas: line.candidates.length };
  const { folder, see } = context;
  const output = options.output === undefined ? `${folder.path}/best/preventions.txt` : resolve(options.output);
  const called = { ...calledBy({ ...line, words: bare }, options), before };
  return calling(context, called, async ({ original, first, test, counter, settings }) => {
    const over = overArgs(behind(program, circumstance), original);
    const end = await context.follow(prevent(over, test, { ...settings, identify: identifyArgs }, sentence));
    const sets = end.found.map(words);
    const text = end.found.map(set => `${shownOf(over.build(set)!)}\n`).join('');
    folder.keepBest(textFiles({ 'preventions.txt': text }));
    if (options.output !== undefined) folder.place(output, Buffer.from(text), false);
    const minimal = end.ended === 'done' && sets.length > 0 ? ['option'] : [];
    const after = { deltas: sets.flat().length };
    see({
      type: 'ended',
      ended: end.ended,
      minimal,
      size: after,
      counts: counter.counts,
      seconds: context.seconds(),
    });
    const none = `None of the ${line.candidates.length} options prevents it, alone or with the others.`;
    const result = sets.length === 0 ? none : `${end.found.map(sentence).join('; ')}.`;
    const prevents = line.candidates.map(each => sets.findIndex(set => set.includes(quotedAll(each))));
    return {
      ended: end.ended,
      ending: { output, result: wrapped(result) },
      json: jsonOf(context, 'options', { ended: end.ended, minimal }, counter, {
        before,
        after,
        output,
        signature: first.signature?.text ?? first.described,
        command: bare,
        preventions: sets,
      }),
      page: {
        title: `${basename(program)}: which options would help`,
        reproduce: shownOf(original),
        output,
        table: {
          caption: result,
          columns: ['option', 'prevents it'],
          rows: line.candidates.map((each, i) => [quotedAll(each), inTable(sets[prevents[i]!], quotedAll(each))]),
          remaining: prevents.flatMap((set, i) => (set >= 0 ? [i] : [])),
        },
      },
    };
  });
}

const together = (words: readonly string[]): string =>
  words.length > 1 ? `${words.join(' with ')} prevent` : `${words[0]} prevents`;

const inTable = (set: readonly string[] | undefined, own: string): string => {
  const others = set?.filter(word => word !== own) ?? [];
  if (set === undefined) return '';
  return others.length === 0 ? 'yes' : `with ${others.join(' and ')}`;
};

/** A long sentence, one option a line. */
const wrapped = (sentence: string): string => (sentence.length > 100 ? sentence.replaceAll('; so', ';\nso') : sentence);
