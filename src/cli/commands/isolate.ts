import { writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { type Artifact, bytesOf } from '../../circumstances/artifact.js';
import { decode, type Given, identify, readArtifact } from '../../circumstances/files.js';
import { alignment } from '../../circumstances/sequence.js';
import { lines, piecesOf } from '../../circumstances/text.js';
import { UserError } from '../../core/index.js';
import { Counter } from '../../engine/index.js';
import { CommandOracle } from '../../oracle/command.js';
import { askedRule } from '../../oracle/rules.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { isolate, type Pair, smallest } from '../../plans/isolate.js';
import { type AllOptions, checkAll, withAllOptions } from '../causes.js';
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
import { firstRun } from '../first-run.js';
import { allDifferences, demandOwnFolder } from '../isolate/all.js';
import { type JobContext, type JobResult, ownArguments, type Resuming, runJob } from '../job.js';
import { otherFailures } from '../other-failures.js';
import { writable, writeFolder } from '../run-folder.js';

interface Options extends CommonOptions, RuleOptions, AllOptions {
  readonly smallest?: boolean;
}

const example = 'culprit isolate works.json crashes.json -- node tool.js {}';

export function isolateCommand(resuming?: Resuming): Command {
  const command = new Command('isolate')
    .description('the smallest difference between an input that passes and one that fails')
    .usage('<passing> <failing> [options] -- <command> [args...]')
    .argument('<passing>', 'a file or folder on which the command succeeds')
    .argument('<failing>', 'the one on which it fails')
    .allowExcessArguments(true)
    .option('--smallest', 'then simplify away what the two have in common, keeping one passing and the other failing');
  withRuleOptions(withCommonOptions(withAllOptions(command)));
  return command
    .addHelpText('after', `\nExample:\n  ${example}\n`)
    .action(async (_passing: string, _failing: string, options: Options) => {
      const { command: words } = commandAfterDashes(resuming?.folder.journal.header.argv ?? ownArguments());
      const paths = command.args.slice(0, command.args.length - words.length);
      demandCommand(words, example);
      if (paths.length !== 2)
        throw new UserError(
          `isolate compares two inputs, and there ${paths.length === 1 ? 'is 1' : `are ${paths.length}`} before \`--\`.`,
          `For example: ${example}`,
        );
      checkAll(options, { '--smallest': options.smallest });
      await run(paths[0]!, paths[1]!, words, options, resuming);
    });
}

async function run(
  passingPath: string,
  failingPath: string,
  command: readonly string[],
  options: Options,
  resuming?: Resuming,
): Promise<void> {
  const asked = askedRule(options);
  const { passing, failing, given } = resuming ? kept(resuming, failingPath) : readPair(passingPath, failingPath);
  if (identify(passing) === identify(failing))
    throw new UserError(
      'The two inputs are the same, so no difference can be isolated.',
      'Give one on which the command succeeds and one on which it fails.',
      1,
    );
  const output = resolve(
    options.output ?? join(dirname(failingPath), `${basename(failingPath, extname(failingPath))}.isolated`),
  );
  if (options.all && !resuming) demandOwnFolder(output);
  sweepAbandoned();
  const name = basename(failingPath, extname(failingPath));
  const argv = resuming?.folder.journal.header.argv ?? ownArguments();
  await runJob('isolate', name, options, argv, resuming, async context => {
    if (!context.folder.resumed) {
      writeFolder(join(context.folder.path, 'original'), both({ passing, failing }));
    }
    const oracle = new CommandOracle({ command, given, original: failing, ...runningOf(options) });
    try {
      return await search(oracle, { passing, failing }, given, asked, command, options, output, failingPath, context);
    } finally {
      await oracle.close();
    }
  });
}

async function search(
  oracle: CommandOracle,
  pair: Pair,
  given: readonly Given[],
  asked: ReturnType<typeof askedRule>,
  command: readonly string[],
  options: Options,
  output: string,
  failingPath: string,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see, seconds } = context;
  const first = await firstRun(
    oracle,
    {
      artifact: pair.failing,
      asked,
      command,
      names: given.map(each => each.name),
      where: process.cwd(),
      shown: oracle.shown(failingPath),
    },
    context,
  );
  const test = otherFailures(oracle.test(first.rule, first.timeout, options.repeat), folder, see);
  const known = folder.journal.recall(identify(pair.passing));
  const verdict = known ?? (await test(pair.passing, context.signal));
  folder.journal.record(identify(pair.passing), verdict);
  if (verdict.outcome !== 'pass')
    throw new UserError(
      verdict.outcome === 'fail'
        ? 'Both inputs fail in the same way, so no difference can be isolated.'
        : `The passing input does not pass: ${verdict.reason ?? verdict.outcome}.`,
      'The first input must be one on which the command succeeds. To simplify the failing one, use `culprit reduce`.',
      1,
    );
  const counter = new Counter();
  const before = { bytes: bytesOf(pair.failing), deltas: differing(pair).length };
  see({
    type: 'began',
    job: 'isolate',
    before: { deltas: before.deltas },
    rule: first.described,
    command: command.join(' '),
    ...(first.signature ? { signature: first.signature.text } : {}),
  });
  const settings = {
    workers: jobsOf(options),
    signal: context.signal,
    memory: folder.journal,
    identify,
    counter,
    outOfTime: context.outOfTime,
    ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
  };
  if (options.all)
    return allDifferences(
      {
        pair,
        test,
        settings,
        options,
        counter,
        before,
        output,
        first,
        reproduce: path => oracle.shown(path),
        input: given[0]!.name,
      },
      context,
    );
  let end = await context.follow(isolate(pair, test, settings));
  if (options.smallest && end.ended === 'done') {
    const shared = await context.follow(smallest(end, test, settings));
    end = { ...shared, minimal: end.minimal };
  }
  const difference = differing(end);
  const after = { bytes: bytesOf(end.failing), deltas: difference.length };
  writeFolder(join(folder.path, 'best'), both(end));
  writable(output, () => {
    writeFolder(output, both(end));
    writeFileSync(join(output, 'difference.txt'), difference.join(''));
  });
  see({
    type: 'ended',
    ended: end.ended,
    minimal: end.minimal,
    size: { deltas: after.deltas },
    counts: counter.counts,
    seconds: seconds(),
  });
  const [passing, failing] = [join(output, 'passing', given[0]!.name), join(output, 'failing', given[0]!.name)];
  return {
    ended: end.ended,
    ending: { output, reproduce: oracle.shown(failing), result: difference.join('') },
    json: {
      job: 'isolate',
      ended: end.ended,
      minimal: end.minimal,
      ...counter.counts,
      seconds: Number(seconds().toFixed(3)),
      before,
      after,
      output,
      run: folder.path,
      signature: first.signature?.text ?? first.described,
      passing,
      failing,
      difference,
    },
    page: {
      title: `${basename(failingPath)}: what makes the difference`,
      reproduce: oracle.shown(failing),
      output,
      files: compared(end),
    },
  };
}

/** What is in one and not in the other, line by line. */
function differing({ passing, failing }: Pair): readonly string[] {
  const paths = [...new Set([...passing.files.keys(), ...failing.files.keys()])].sort();
  return paths.flatMap(path => {
    const [a, b] = [passing.files.get(path), failing.files.get(path)];
    const text = (entry: typeof a) => (entry?.kind === 'file' ? piecesOf(lines, decode(entry.bytes).text) : []);
    const rows = alignment(text(a), text(b)).filter(piece => piece.kind !== 'shared');
    const head = paths.length > 1 && (rows.length > 0 || a?.kind !== b?.kind) ? [`${path}\n`] : [];
    return [
      ...head,
      ...rows.map(
        ({ kind, element }) => `${kind === 'new' ? '+' : '-'}${element}${element.endsWith('\n') ? '' : '\n'}`,
      ),
    ];
  });
}

/** Both sides in one folder tree, for the run's folder and for the result. */
function both({ passing, failing }: Pair): Artifact {
  const under = (folder: string, artifact: Artifact) =>
    [...artifact.files].map(([path, entry]) => [`${folder}/${path}`, entry] as const);
  return { files: new Map([...under('failing', failing), ...under('passing', passing)]) };
}

const compared = ({ passing, failing }: Pair) =>
  [...failing.files].flatMap(([path, entry]) => {
    const good = passing.files.get(path);
    return entry.kind === 'file'
      ? [{ path, original: entry.bytes, result: good?.kind === 'file' ? good.bytes : new Uint8Array() }]
      : [];
  });

/** The passing input lies under the failing one's name: the command must see no other difference than the content. */
function readPair(passingPath: string, failingPath: string): Pair & { readonly given: readonly Given[] } {
  const good = readArtifact([passingPath]);
  const bad = readArtifact([failingPath]);
  if (good.given[0]!.folder !== bad.given[0]!.folder)
    throw new UserError(
      `${passingPath} and ${failingPath} are not of one kind: one is a folder, the other a file.`,
      'Give two files or two folders.',
    );
  const [from, to] = [good.given[0]!.name, bad.given[0]!.name];
  const files = new Map([...good.artifact.files].map(([path, entry]) => [`${to}${path.slice(from.length)}`, entry]));
  return { passing: { files }, failing: bad.artifact, given: bad.given };
}

function kept(resuming: Resuming, failingPath: string): Pair & { readonly given: readonly Given[] } {
  const { files } = resuming.folder.original();
  const side = (folder: string): Artifact => ({
    files: new Map(
      [...files]
        .filter(([path]) => path.startsWith(`${folder}/`))
        .map(([path, entry]) => [path.slice(folder.length + 1), entry]),
    ),
  });
  const name = basename(resolve(failingPath));
  const failing = side('failing');
  return { passing: side('passing'), failing, given: [{ path: failingPath, name, folder: !failing.files.has(name) }] };
}
