import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Artifact, Entry } from '../../circumstances/artifact.js';
import { bytesOf } from '../../circumstances/artifact.js';
import { type Given, identify, readArtifact } from '../../circumstances/files.js';
import { UserError } from '../../core/index.js';
import { Counter } from '../../engine/index.js';
import { CommandOracle } from '../../oracle/command.js';
import { askedRule } from '../../oracle/rules.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { type Level, reducePasses } from '../../plans/reduce.js';
import { simplify } from '../../plans/simplify.js';
import {
  type CommonOptions,
  commandAfterDashes,
  demandCommand,
  jobsOf,
  type RuleOptions,
  withCommonOptions,
  withRuleOptions,
} from '../common.js';
import { firstRun } from '../first-run.js';
import { type JobContext, type JobResult, ownArguments, type Resuming, runJob } from '../job.js';
import { otherFailures } from '../other-failures.js';
import { writable, writeFolder } from '../run-folder.js';
import { listStrategy } from '../strategies.js';

interface Options extends CommonOptions, RuleOptions {
  readonly level?: Level;
  readonly by?: 'line' | 'token' | 'char' | 'byte' | 'node';
  readonly language?: string;
  readonly grammar?: string;
  readonly keep?: string;
  readonly rename?: boolean;
  readonly format?: boolean;
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
    .option('--no-format', 'keep the smallest bytes, do not make the result readable');
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
  const { artifact: read, given } = resuming
    ? { artifact: resuming.folder.original(), given: givenFrom(paths) }
    : readArtifact(paths);
  const output = resolve(options.output ?? defaultOutput(given));
  writable(output, () => checkOutput(output, given));
  sweepAbandoned();
  await runJob(
    'reduce',
    given.length === 1 ? basename(given[0]!.name, extname(given[0]!.name)) : 'files',
    options,
    ownArgumentsOf(resuming),
    resuming,
    async context => {
      const { folder } = context;
      if (!folder.resumed) folder.keepOriginal(read);
      const oracle = new CommandOracle({
        command,
        given,
        original: read,
        jobs: jobsOf(options),
        ...(options.differs === undefined ? {} : { differs: options.differs }),
        ...(options.memory ? { memory: options.memory } : {}),
        ...(options.sandbox ? { sandbox: true } : {}),
      });
      try {
        return await search(oracle, read, given, asked, command, options, output, context);
      } finally {
        await oracle.close();
      }
    },
  );
}

async function search(
  oracle: CommandOracle,
  original: Artifact,
  given: readonly Given[],
  asked: ReturnType<typeof askedRule>,
  command: readonly string[],
  options: Options,
  output: string,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see, signal, seconds } = context;
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
  const before = { bytes: bytesOf(original), deltas: original.files.size };
  see({
    type: 'began',
    job: 'reduce',
    before,
    rule: first.described,
    command: command.join(' '),
    ...(first.signature ? { signature: first.signature.text } : {}),
  });
  const test = otherFailures(oracle.test(first.rule, first.timeout, options.repeat), folder, see);
  const keep = (artifact: Artifact) => {
    folder.keepBest(artifact);
    writeOutput(output, artifact, given);
  };
  keep(original);
  const passes = await reducePasses(original, options);
  const named =
    options.strategy === undefined
      ? passes
      : passes.map(pass => ({ ...pass, strategy: () => listStrategy(options.strategy!) }));
  const end = await context.follow(
    simplify(original, named, test, {
      workers: jobsOf(options),
      signal,
      memory: folder.journal,
      identify,
      measure: bytesOf,
      counter,
      outOfTime: context.outOfTime,
      accepted: keep,
      ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
      ...(options.cache === false ? { remember: false } : {}),
    }),
  );
  keep(end.artifact);
  const after = { bytes: bytesOf(end.artifact), deltas: end.artifact.files.size };
  see({
    type: 'ended',
    ended: end.ended,
    minimal: end.minimal,
    size: after,
    counts: counter.counts,
    seconds: seconds(),
  });
  noteChangedOriginal(original, given, context);
  const result = textOf(end.artifact);
  return {
    ended: end.ended,
    ending: { output, reproduce: oracle.shown(output), ...(result === undefined ? {} : { result }) },
    json: {
      job: 'reduce',
      ended: end.ended,
      minimal: end.minimal,
      ...counter.counts,
      seconds: Number(seconds().toFixed(3)),
      before,
      after,
      output,
      run: folder.path,
      signature: first.signature?.text ?? first.described,
    },
    page: {
      title: given.map(each => each.name).join(', '),
      reproduce: oracle.shown(output),
      output,
      ...compared(original, end.artifact),
    },
  };
}

/** The input with nothing in it: an empty file, or no files at all. */
function emptied(artifact: Artifact): Artifact {
  const files = new Map<string, Entry>();
  if (artifact.files.size === 1)
    for (const [path, entry] of artifact.files)
      files.set(path, entry.kind === 'file' ? { ...entry, bytes: new Uint8Array() } : entry);
  return { ...artifact, files };
}

function defaultOutput(given: readonly Given[]): string {
  const [first] = given;
  if (given.length !== 1 || !first) return 'culprit.reduced';
  const extension = first.folder ? '' : extname(first.path);
  return join(dirname(first.path), `${basename(first.path, extension)}.reduced${extension}`);
}

function checkOutput(output: string, given: readonly Given[]): void {
  if (given.some(each => resolve(each.path) === output))
    throw new UserError(`--output ${output} is the original, which is never written to.`, 'Name another file.');
  const folder = dirname(output);
  if (!existsSync(folder))
    throw new UserError(
      `There is no folder ${folder} for the result.`,
      'Make it, or name another place with --output.',
    );
  const probe = join(folder, `.culprit-${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe);
}

function writeOutput(output: string, artifact: Artifact, given: readonly Given[]): void {
  const [only] = artifact.files.values();
  if (given.length === 1 && !given[0]!.folder && only?.kind === 'file') {
    const fresh = join(dirname(output), `.${basename(output)}.tmp`);
    writeFileSync(fresh, only.bytes, { mode: only.executable ? 0o755 : 0o644 });
    renameSync(fresh, output);
    return;
  }
  const prefix = given.length === 1 ? `${given[0]!.name}/` : '';
  writeFolder(output, {
    files: new Map(
      [...artifact.files].map(([path, entry]) => [path.slice(path.startsWith(prefix) ? prefix.length : 0), entry]),
    ),
  });
}

/** A short text to show at the end; nothing for folders and for what is not text. */
function textOf(artifact: Artifact): string | undefined {
  const [only] = artifact.files.values();
  if (artifact.files.size !== 1 || only?.kind !== 'file' || only.bytes.length > 4096) return undefined;
  return Buffer.from(only.bytes).toString('utf8');
}

function compared(original: Artifact, result: Artifact) {
  return {
    files: [...original.files].flatMap(([name, entry]) => {
      const now = result.files.get(name);
      if (entry.kind !== 'file') return [];
      return [{ path: name, original: entry.bytes, result: now?.kind === 'file' ? now.bytes : new Uint8Array() }];
    }),
  };
}

/** The run went on with what was read at its start; the user should know that it is not what lies there now. */
function noteChangedOriginal(original: Artifact, given: readonly Given[], { see }: JobContext): void {
  for (const { path, name, folder } of given) {
    if (folder) continue;
    const entry = original.files.get(name);
    const now = existsSync(path) ? readFileSync(path) : undefined;
    if (entry?.kind === 'file' && (now === undefined || !now.equals(entry.bytes)))
      see({
        type: 'noticed',
        what: 'note',
        text: `${path} changed while it was being reduced; the result comes from what it was at the start (kept in the run's folder, original/).`,
      });
  }
}

const givenFrom = (paths: readonly string[]): readonly Given[] =>
  paths.map(path => ({ path, name: basename(resolve(path)), folder: existsSync(path) && !readable(path) }));
const readable = (path: string): boolean => {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
};
