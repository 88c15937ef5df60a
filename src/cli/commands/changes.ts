import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { bytesOf } from '../../circumstances/artifact.js';
import { identify } from '../../circumstances/files.js';
import { UserError } from '../../core/index.js';
import { Counter } from '../../engine/index.js';
import { CommandOracle } from '../../oracle/command.js';
import { askedRule } from '../../oracle/rules.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { type PlainStrategy, plainStrategies } from '../../plans/blame/plain.js';
import { type AllOptions, checkAll, withAllOptions } from '../causes.js';
import type { CoverageKind } from '../changes/executed.js';
import { demandHistory } from '../changes/history.js';
import { demandSame, type Finest, identities, insideOf, openPair, type Pair, wordsFor } from '../changes/pair.js';
import { search } from '../changes/search.js';
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
import { ownArguments, type Resuming, runJob } from '../job.js';
import { makeFolder, writable } from '../writing.js';

interface Options extends CommonOptions, RuleOptions, AllOptions {
  readonly coverage: CoverageKind;
  readonly granularity?: Finest;
  readonly build?: string;
}

const example = 'culprit changes v1.2 v1.3 -- npm test';

export function changesCommand(resuming?: Resuming): Command {
  const command = new Command('changes')
    .description('which change between a version that works and one that does not is to blame')
    .usage('<old> <new> [options] -- <command> [args...]')
    .argument('<version...>', 'folders, git revisions (old..new), npm:<package>@<version>, or two package-lock.json')
    .addOption(
      new Option('--coverage <kind>', 'how to see which changes the test runs')
        .choices(['auto', 'v8', 'gcov', 'none'])
        .default('auto'),
    )
    .addOption(
      new Option('--granularity <unit>', 'the finest change that is looked at (default: line)').choices([
        'commit',
        'file',
        'hunk',
        'line',
      ]),
    )
    .option('--build <command>', 'builds a candidate before it is tested; what does not build is never blamed');
  withRuleOptions(withCommonOptions(withAllOptions(command)));
  const strategy = command.options.find(option => option.long === '--strategy');
  if (strategy) strategy.description = `one algorithm by itself, to compare: ${plainStrategies.join(', ')}`;
  return command
    .addHelpText(
      'after',
      `
The command runs in the version's own folder, and {} stands for it. Nothing of yours is changed: candidates are put together
in folders of culprit's own.

Examples:
  ${example}
  culprit changes v1.2 v1.3 --all -- npm test
  culprit changes app-1.2 app-1.3 --build make -- ./check.sh
  culprit changes npm:marked@0.6.1 npm:marked@0.6.2 -- node $PWD/breaks.js {}
  culprit changes main/package-lock.json mine/package-lock.json -- node $PWD/page.js {}
`,
    )
    .action(async (_: readonly string[], options: Options) => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const given = command.args.slice(0, command.args.length - words.length);
      demandCommand(words, example);
      await changes(given, words, options, argv, resuming);
    });
}

async function changes(
  given: readonly string[],
  words: readonly string[],
  options: Options,
  argv: readonly string[],
  resuming?: Resuming,
): Promise<void> {
  const asked = askedRule(options);
  const strategy = strategyOf(options.strategy);
  checkAll(options, {
    '--strategy': options.strategy,
    [`--coverage ${options.coverage}`]: options.coverage !== 'auto',
    '--granularity commit': options.granularity === 'commit',
  });
  const pair = await openPair(given, resolve('.culprit/packages'));
  if (options.granularity === 'commit') demandHistory(pair);
  const command = wordsFor(pair, words);
  const output = outputFor(options.output, pair, resuming !== undefined);
  sweepAbandoned();
  await runJob('changes', nameOf(pair), options, argv, resuming, async context => {
    const { journal } = context.folder;
    demandSame(pair, journal.noted('versions'));
    if (!context.folder.resumed || journal.noted('versions') === undefined) journal.note('versions', identities(pair));
    const oracle = new CommandOracle({
      command,
      given: [],
      ...runningOf(options),
      inside: insideOf(pair),
      bytes: bytesOf(pair.new) * (options.build === undefined ? 1 : 3),
      ...(options.build === undefined ? {} : { build: options.build }),
    });
    const counter = new Counter();
    counter.executed = journal.executed;
    const settings = {
      workers: jobsOf(options),
      signal: context.signal,
      memory: journal,
      identify,
      counter,
      outOfTime: context.outOfTime,
      ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
    };
    try {
      const wanted = {
        // A plain algorithm, and a search for all causes, run over hunks if nobody said lines.
        finest: options.granularity ?? (strategy || options.all ? 'hunk' : 'line'),
        ...(options.all ? { all: options } : {}),
        coverage: options.coverage,
        ...(strategy ? { strategy } : {}),
        repeat: options.repeat ?? 1,
        isBuilt: options.build !== undefined,
        output,
        settings,
        counter,
      };
      return await search(pair, { oracle, command, asked }, wanted, context);
    } finally {
      await oracle.close();
    }
  });
}

function strategyOf(name: string | undefined): PlainStrategy | undefined {
  const known = plainStrategies.find(each => each === name);
  if (name === undefined || known) return known;
  throw new UserError(`There is no strategy called ${name}.`, `There are: ${plainStrategies.join(', ')}.`);
}

const nameOf = ({ titles }: Pair): string => basename(titles[1].replace(/[/\\]+$/, '')) || 'changes';

/** A folder for the patches: one that is not there yet, is empty, or holds the patches of an earlier run. */
function outputFor(asked: string | undefined, pair: Pair, isResumed: boolean): string {
  const path = resolve(asked ?? 'culprit.changes');
  for (const place of pair.places)
    if (place !== undefined && `${path}/`.startsWith(`${resolve(place)}/`) && asked !== undefined)
      throw new UserError(
        `--output ${asked} lies in ${place}, which is never written to.`,
        'Name a place outside of both versions.',
      );
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw new UserError(
      `${path} is a file, and the result is a folder of patches.`,
      'Name another place with --output.',
    );
  const foreign = stats ? readdirSync(path).find(name => !/^(culprit|revert)(-\d+)?\.patch$/.test(name)) : undefined;
  if (foreign !== undefined && !isResumed)
    throw new UserError(
      `${path} is there already, and holds ${foreign}, which is no patch of culprit's.`,
      'Name another folder with --output.',
    );
  writable(path, () => {
    if (!existsSync(join(path, '..'))) makeFolder(join(path, '..'));
  });
  return path;
}
