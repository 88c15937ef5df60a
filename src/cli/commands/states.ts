/** `culprit states`: reads the command line, and hands over to cli/states/. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import { commandAfterDashes, demandCommand, type RuleOptions, withCommonOptions, withRuleOptions } from '../common.js';
import { ownArguments, type Resuming, runJob } from '../job.js';
import { collect, number } from '../parse.js';
import { bothOf, keptPair, nameOf, type Pair, pairOfRun, readPair } from '../states/pair.js';
import { findStates, type StatesOptions } from '../states/search.js';

const example = 'culprit states --passing works.json --failing crashes.json -- node app.js {}';

/** What makes no sense here, and why. */
const refused = {
  '--strategy': 'states always searches with dd',
  '--hang': 'a run that does not end cannot be compared with one that does',
  '--differs': 'the states of one program are compared, not the outputs of two',
  '--output': "the chain is written to chain.txt in the run's folder",
} as const;

export function statesCommand(resuming?: Resuming): Command {
  const command = new Command('states')
    .description(
      'how the failure comes about: which variables carry it, and the lines where one cause turns into another',
    )
    .usage('--passing <path> --failing <path> [options] -- <command> [args...]\n       culprit states <run> [options]')
    .argument('[run]', 'a run of isolate or reduce: its result is the pair to compare')
    .option('--passing <path>', 'an input on which the command succeeds')
    .option('--failing <path>', 'one on which it fails, as similar as can be')
    .option(
      '--in <glob>',
      "source files to look at, for example 'src/**' (default: all that the program loads)",
      collect,
    )
    .option('--with <debugger>', 'node, python or gdb (default: what the command says)')
    .option('--places <n>', 'how many places to look at (default 13)', number('--places'))
    .allowExcessArguments(true);
  withRuleOptions(withCommonOptions(command, Object.keys(refused)));
  for (const option of command.options) if (Object.hasOwn(refused, option.long ?? '')) option.hideHelp();
  return command
    .addHelpText('after', `\nExamples:\n  ${example}\n  culprit states .culprit/crashes-1\n`)
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const options = command.opts<StatesOptions>();
      for (const [name, why] of Object.entries(refused))
        if (options[name.slice(2) as keyof StatesOptions] !== undefined)
          throw new UserError(`states does not take ${name}: ${why}.`, `For example: ${example}`);
      const pair = pairFor(argv, command.args, options, resuming);
      const asked = { ...ruleOf(pair), ...options };
      await runJob('states', `${nameOf(pair)}-states`, options, argv, resuming, context => {
        if (!context.folder.resumed) context.folder.keepOriginal(bothOf(pair));
        return findStates(pair, asked, context);
      });
    });
}

function pairFor(argv: readonly string[], args: readonly string[], options: StatesOptions, resuming?: Resuming): Pair {
  const { command } = commandAfterDashes(argv);
  const [run, ...more] = args.slice(0, args.length - command.length);
  if (more.length > 0 || (run !== undefined && (options.passing !== undefined || options.failing !== undefined)))
    throw new UserError('Give either one run, or two inputs with --passing and --failing.', `For example: ${example}`);
  if (run !== undefined) {
    const pair = pairOfRun(resolve(run));
    const words = command.length > 0 ? command : pair.command;
    const kept = resuming ? keptPair(resuming.folder, words) : pair;
    return { ...kept, command: words, ...(pair.from ? { from: pair.from } : {}) };
  }
  demandCommand(command, example);
  const { passing, failing } = options;
  if (passing === undefined || failing === undefined)
    throw new UserError(
      `states compares two inputs: ${passing === undefined ? '--passing' : '--failing'} is missing.`,
      `For example: ${example}`,
    );
  return resuming ? keptPair(resuming.folder, command) : readPair(passing, failing, command);
}

/** What counted as the failure in the run that the pair comes from counts here too. */
function ruleOf({ from = [] }: Pair): RuleOptions {
  const rules = withRuleOptions(new Command()).allowUnknownOption(true).allowExcessArguments(true);
  return rules.parse(['node', 'culprit', ...from]).opts<RuleOptions>();
}
