import { basename } from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import { commandAfterDashes, demandCommand, withCommonOptions, withRuleOptions } from '../common.js';
import { ownArguments, type Resuming, runJob } from '../job.js';
import { outputFor } from '../output.js';
import { number } from '../parse.js';
import { replaySchedule } from '../schedules/replay.js';
import { type SchedulesOptions, searchOrders } from '../schedules/search.js';
import { listStrategy } from '../strategies.js';

const example = 'culprit schedules -- node --test app.test.js';
const replayExample = 'culprit schedules --replay .culprit/node-schedules-1/best/schedule.json --inspect-brk';

/** `100ms`, `2s` or a plain number of milliseconds. */
function milliseconds(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text.trim()) ?? [];
  if (amount === undefined)
    throw new UserError(`--slow ${text} is not a time.`, 'For example: --slow 100ms, or --slow 2s.');
  return Number(amount) * (unit === 's' ? 1000 : 1);
}

export function schedulesCommand(resuming?: Resuming): Command {
  const command = new Command('schedules')
    .description('which order of events makes a program fail')
    .usage('[options] -- <command> [args...]')
    .option('--tries <n>', 'how many random schedules are tried', number('--tries'), 200)
    .option('--slow <time>', 'no event is held back for longer than this', milliseconds, 100)
    .option('--replays <n>', 'how often a schedule is run again before it is believed', number('--replays'), 20)
    .option('--threads', 'for a program with POSIX threads: schedules of its threads, by a shim that cc builds')
    .option('--replay <schedule.json>', 'run the program once under a schedule that was found')
    .option('--inspect-brk [port]', 'with --replay: under the debugger of Node')
    .allowExcessArguments(true);
  withRuleOptions(withCommonOptions(command, ['--repeat', '--no-cache']));
  for (const option of command.options) if (option.long === '--differs') option.hideHelp();
  return command
    .addHelpText(
      'after',
      `\nThe command runs in copies of this folder.\n\nExamples:\n  ${example}\n  ${replayExample}\n`,
    )
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const options = command.opts<SchedulesOptions & { replay?: string; inspectBrk?: string | boolean }>();
      if (options.inspectBrk && options.replay === undefined)
        throw new UserError('--inspect-brk needs a schedule.', `For example: ${replayExample}`);
      if (options.replay !== undefined) {
        process.exitCode = await replaySchedule(options.replay, { ...options, command: words });
        return;
      }
      demandCommand(words, example);
      if (options.repeat !== undefined || options.cache === false)
        throw new UserError(
          `${options.cache === false ? '--no-cache' : '--repeat'} is not for schedules: the same order gives the same outcome.`,
          'To see how often that is true, use --replays <n>.',
        );
      if (command.args.length > words.length)
        throw new UserError(
          `schedules takes no input, but there is ${command.args[0]} before \`--\`.`,
          `For example: ${example}`,
        );
      if (options.strategy) listStrategy(options.strategy);
      const output =
        options.output === undefined
          ? undefined
          : outputFor(options.output, [{ path: '/dev/null', name: 'schedule.json', folder: false }], !!resuming);
      const name = `${basename(words[0]!)}-schedules`;
      await runJob('schedules', name, options, argv, resuming, context =>
        searchOrders(words, output, options, context),
      );
    });
}
