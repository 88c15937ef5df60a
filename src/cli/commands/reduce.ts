import { basename, extname, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Artifact, Entry } from '../../circumstances/artifact.js';
import { bytesOf } from '../../circumstances/artifact.js';
import { type Given, gistOf, readArtifact } from '../../circumstances/files.js';
import { UserError } from '../../core/index.js';
import { Counter } from '../../engine/index.js';
import { CommandOracle } from '../../oracle/command.js';
import { askedRule } from '../../oracle/rules.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { otherCauses } from '../../plans/others.js';
import { readable } from '../../plans/readable.js';
import { type Level, reducePasses } from '../../plans/reduce.js';
import { simplify } from '../../plans/simplify.js';
import { type Also, alsoVarying } from '../also.js';
import {
  type CommonOptions,
  commandAfterDashes,
  demandCommand,
  jobsOf,
  type RuleOptions,
  runningOf,
  withCommonOptions,
  withRuleOptions,
} from '../common.js';
import { firstRun, slippage } from '../first-run.js';
import { type JobContext, type JobResult, ownArguments, type Resuming, readRegex, runJob } from '../job.js';
import { changedSince, compared } from '../originals.js';
import { otherFailures } from '../other-failures.js';
import { type Output, outputFor } from '../output.js';
import { collect, number } from '../parse.js';
import { writeFolder } from '../run-folder.js';
import { listStrategy } from '../strategies.js';

interface Options extends CommonOptions, RuleOptions {
  readonly level?: Level;
  readonly by?: 'line' | 'token' | 'char' | 'byte' | 'node';
  readonly language?: string;
  readonly grammar?: string;
  readonly keep?: string;
  readonly rename?: boolean;
  readonly format?: boolean;
  readonly also?: readonly string[];
  readonly others?: number;
}

const example = 'culprit reduce bug.c -- gcc -O2 -c {}';

export function reduceCommand(resuming?: Resuming): Command {
  const command = new Command('reduce')
    .description('simplify an input: the smallest file or folder that still makes the command fail in the same way')
    .usage('<path>... [options] -- <command> [args...]')
    .argument('<path...>', 'files or folders; the originals are never written to')
    .addOption(
      new Option('--level <level>', 'how much to know about the language (default: as far as it goes)').choices([
        'lexical',
        'syntactic',
        'semantic',
      ]),
    )
    .addOption(new Option('--by <unit>', 'only one kind of piece').choices(['line', 'token', 'char', 'byte', 'node']))
    .option('--language <name>', 'the language, where the file name does not say')
    .option('--grammar <file.wasm>', 'a tree-sitter grammar of your own')
    .option('--keep <regex>', 'what matches stays as it is')
    .option('--no-rename', 'keep names as they are')
    .option('--no-format', 'keep the smallest bytes, do not make the result readable')
    .option('--also <circumstance>', 'vary this too: env, options (may be repeated)', collect)
    .option('--others <n>', 'then look for up to n other causes of the same failure in the input', number('--others'));
  withRuleOptions(withCommonOptions(command));
  return command
    .addHelpText(
      'after',
      `
{} in the command stands for the artifact's path; without it, the artifact lies under its own name in the folder that the
command starts in. A command given as one word with spaces in it is a shell line.

Examples:
  ${example}
  culprit reduce page.html --interesting -- ./crashes.sh
  culprit reduce input.json --match 'Assertion' -- 'jq . < {}'
`,
    )
    .action(async (_: readonly string[], options: Options) => {
      const { command: words } = commandAfterDashes(ownArgumentsOf(resuming));
      const paths = command.args.slice(0, command.args.length - words.length);
      demandCommand(words, example);
      if (paths.length === 0)
        throw new UserError('There is no input: its path stands before `--`.', `For example: ${example}`);
      await reduce(paths, words, options, resuming);
    });
}

const ownArgumentsOf = (resuming: Resuming | undefined) => resuming?.folder.journal.header.argv ?? ownArguments();

async function reduce(
  paths: readonly string[],
  command: readonly string[],
  options: Options,
  resuming?: Resuming,
): Promise<void> {
  const asked = askedRule(options);
  if (options.strategy) listStrategy(options.strategy);
  const { keep, ...rest } = options;
  const kept = resuming?.folder.keptOriginal();
  const { artifact: read, given } = kept ? { artifact: kept, given: givenFrom(paths, kept) } : readArtifact(paths);
  const output = outputFor(options.output, given, kept !== undefined);
  // A language or grammar that is not there is said before anything is run.
  const passes = await reducePasses(read, keep === undefined ? rest : { ...rest, keep: readRegex(keep, '--keep') });
  sweepAbandoned();
  await runJob(
    'reduce',
    given.length === 1 ? basename(given[0]!.name, extname(given[0]!.name)) : 'files',
    options,
    ownArgumentsOf(resuming),
    resuming,
    async context => {
      const { folder } = context;
      if (!kept) folder.keepOriginal(read);
      const also = alsoVarying(options.also, folder, command);
      const oracle = new CommandOracle({
        command,
        given,
        original: read,
        ...runningOf(options),
        ...(also.cleaned ? { cleaned: also.cleaned } : {}),
      });
      try {
        return await search(oracle, read, passes, also, given, asked, command, options, output, context);
      } finally {
        await oracle.close();
      }
    },
  );
}

async function search(
  oracle: CommandOracle,
  original: Artifact,
  passes: Awaited<ReturnType<typeof reducePasses>>,
  also: Also,
  given: readonly Given[],
  asked: ReturnType<typeof askedRule>,
  command: readonly string[],
  options: Options,
  output: Output,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see, signal, seconds } = context;
  const { identify, measure } = also;
  const first = await firstRun(
    oracle,
    {
      artifact: original,
      empty: emptied(original),
      asked,
      command,
      names: given.map(each => each.name),
      where: process.cwd(),
      shown: oracle.shown(given.length === 1 ? given[0]!.path : '.'),
    },
    context,
  );
  const counter = new Counter();
  counter.executed = folder.journal.executed;
  const whole = also.over(original, oracle.argv);
  const before = { bytes: measure(whole), deltas: original.files.size };
  see({
    type: 'began',
    job: 'reduce',
    before,
    rule: first.described,
    command: command.join(' '),
    ...(first.signature ? { signature: first.signature.text } : {}),
  });
  const raw = also.judged(oracle.test(first.rule, first.timeout, options.repeat));
  const test = otherFailures(raw, folder, see, inputOf);
  let best = whole;
  const keep = (artifact: Artifact) => {
    best = artifact;
    // What an earlier leg found is on disk already, and may be smaller than what the replay is at.
    if (folder.journal.replaying) return;
    folder.keepBest(inputOf(artifact));
    output.write(artifact, folder);
    also.keep(artifact, output.path);
  };
  keep(whole);
  const reproduce = () => also.shown(best, output.path) ?? oracle.shown(output.path);
  const page = () => ({
    title: given.map(each => each.name).join(', '),
    reproduce: reproduce(),
    output: output.path,
    files: compared(original, best),
  });
  context.showing(page);
  const named =
    options.strategy === undefined
      ? passes
      : passes.map(pass => ({ ...pass, strategy: () => listStrategy(options.strategy!) }));
  const settings = {
    workers: jobsOf(options),
    signal,
    memory: options.cache === false ? folder.journal.inOrder() : folder.journal,
    identify,
    gist: gistOf,
    measure,
    counter,
    outOfTime: context.outOfTime,
    ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
    ...(options.cache === false ? { remember: false } : {}),
  };
  const end = await context.follow(simplify(whole, also.passes(named, whole), test, { ...settings, accepted: keep }));
  keep(end.artifact);
  const layout = { memory: folder.journal, identify, signal, ...languageOptions(options) };
  const formatted =
    end.ended === 'done' && options.format !== false ? await readable(end.artifact, test, layout) : undefined;
  if (formatted) output.write(formatted, folder);
  const slipped =
    end.ended === 'done' && !signal.aborted ? await slippage(first, oracle, end.artifact, signal) : undefined;
  if (slipped) see({ type: 'noticed', what: 'note', text: slipped });
  const others =
    options.others !== undefined && end.ended === 'done'
      ? await context.follow(
          otherCauses(whole, also.passes(named, whole), test, {
            ...settings,
            most: options.others,
            known: end.artifact,
          }),
        )
      : undefined;
  const places = (others?.artifacts ?? []).map((other, i) => {
    const path = join(folder.path, 'others', String(i + 1));
    writeFolder(path, inputOf(other));
    const text = `another cause of the same failure, in ${bytesOf(other)} bytes: ${path}`;
    see({ type: 'noticed', what: 'cause', text, path });
    return { path, bytes: bytesOf(other) };
  });
  const after = { bytes: measure(end.artifact), deltas: end.artifact.files.size };
  const ended = others?.ended ?? end.ended;
  see({
    type: 'ended',
    ended,
    minimal: end.minimal,
    size: after,
    counts: counter.counts,
    seconds: seconds(),
  });
  const problem = changedSince(original, given, folder);
  const result = textOf(formatted ?? end.artifact);
  const ending = { output: output.path, reproduce: reproduce() };
  return {
    ended,
    ending: { ...ending, ...(result === undefined ? {} : { result }) },
    json: {
      job: 'reduce',
      ended,
      minimal: end.minimal,
      ...counter.counts,
      seconds: Number(seconds().toFixed(3)),
      before,
      after,
      ...(formatted ? { formatted: { bytes: bytesOf(formatted) } } : {}),
      output: output.path,
      run: folder.path,
      signature: first.signature?.text ?? first.described,
      ...(others ? { others: places } : {}),
      ...also.json(end.artifact),
    },
    page: page(),
    ...(problem ? { problem } : {}),
  };
}

const languageOptions = ({ language, grammar }: Options) => ({
  ...(language === undefined ? {} : { language }),
  ...(grammar === undefined ? {} : { grammar }),
});

/** The input alone: how the command is called is kept elsewhere, and without its secrets. */
const inputOf = ({ files }: Artifact): Artifact => ({ files });

/** The input with nothing in it: an empty file, or no files at all. */
function emptied(artifact: Artifact): Artifact {
  const files = new Map<string, Entry>();
  if (artifact.files.size === 1)
    for (const [path, entry] of artifact.files)
      files.set(path, entry.kind === 'file' ? { ...entry, bytes: new Uint8Array() } : entry);
  return { ...artifact, files };
}

/** A short text to show at the end; nothing for folders and for what is not text. */
function textOf(artifact: Artifact): string | undefined {
  const [only] = artifact.files.values();
  if (artifact.files.size !== 1 || only?.kind !== 'file' || only.bytes.length > 4096) return undefined;
  return Buffer.from(only.bytes).toString('utf8');
}

const givenFrom = (paths: readonly string[], original: Artifact): readonly Given[] =>
  paths.map(path => {
    const name = basename(resolve(path));
    return { path, name, folder: original.files.get(name)?.kind !== 'file' };
  });
