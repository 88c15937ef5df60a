/** The command line of `culprit schedules`. */
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import { withCommonOptions, withoutWorkerOptions, withRuleOptions } from '../common.js';
import { number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit schedules -- node --test app.test.js';
const replayExample = 'culprit schedules --replay .culprit/node-1/best/schedule.json --inspect-brk';

interface Replay {
  readonly replay?: string;
  readonly inspectBrk?: string | boolean;
}

export function schedulesCommand(): Command {
  const command = new Command('schedules')
    .description('find the order of events that makes a program fail')
    .usage('[options] -- <command> [args...]')
    .option('--tries <n>', 'how many random schedules are tried', number('--tries'), 200)
    .option('--slow <time>', 'no event is held back for longer than this', milliseconds, 100)
    .option('--replays <n>', 'how often a schedule is run again before it is believed', number('--replays'), 20)
    .option('--threads', 'for a program with POSIX threads: schedules of its threads, by a shim that cc builds')
    .option('--replay <schedule.json>', 'run the program once under a schedule that was found')
    .option('--inspect-brk [port]', 'with --replay: under the debugger of Node')
    .allowExcessArguments(true);
  withRuleOptions(
    withoutWorkerOptions(withCommonOptions(command, ['--repeat', '--flaky', '--confidence', '--no-cache'])),
  );
  for (const option of command.options) if (option.long === '--differs') option.hideHelp();
  return command
    .addHelpText(
      'after',
      `\nThe command runs in copies of this folder.\n\nExamples:\n  ${example}\n  ${replayExample}\n`,
    )
    .action(async () => {
      const { replay, inspectBrk } = command.opts<Replay>();
      if (inspectBrk && replay === undefined)
        throw new UserError('--inspect-brk needs a schedule.', `For example: ${replayExample}`);
      const isReplay = replay !== undefined;
      const request = readRequest(command, {
        example,
        inputs: { least: 0, most: 0, refuse },
        ...(isReplay ? { command: 'optional' as const } : {}),
      });
      if (!isReplay) return start(request);
      const { replaySchedule } = await import('../../plans/schedules/replay.js');
      process.exitCode = await replaySchedule(replay, {
        command: request.command,
        ...(inspectBrk === undefined ? {} : { inspectBrk }),
      });
    });
}

const refuse = ([first]: readonly string[]) => `schedules takes no input, but there is ${first} before \`--\`.`;

/** `100ms`, `2s` or a plain number of milliseconds. */
function milliseconds(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text.trim()) ?? [];
  if (amount === undefined)
    throw new UserError(`--slow ${text} is not a time.`, 'For example: --slow 100ms, or --slow 2s.');
  return Number(amount) * (unit === 's' ? 1000 : 1);
}
