import { basename } from 'node:path';
import { Command } from 'commander';
import {
  addressFrom,
  type Failing,
  openReplayer,
  playwrightScript,
  type Replayer,
} from '../../circumstances/actions/index.js';
import { quotedAll } from '../../circumstances/options/index.js';
import { UserError } from '../../core/index.js';
import { askedRule } from '../../oracle/rules.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { recordingFiles } from '../actions/files.js';
import { firstRun, settledIn } from '../actions/first-run.js';
import { type ActionsOptions, failingOf, ruleOf } from '../actions/rule.js';
import { searchActions } from '../actions/search.js';
import { watchBrowser } from '../actions/watch.js';
import { openAfterwards } from '../afterwards.js';
import { commandAfterDashes, jobsOf, withCommonOptions } from '../common.js';
import { ownArguments, type Resuming, runJob } from '../job.js';
import { number } from '../parse.js';
import { listStrategy } from '../strategies.js';

const example = 'culprit actions recording.json';

export function actionsCommand(resuming?: Resuming): Command {
  const command = new Command('actions')
    .description('which user actions matter: a recorded session in a web page, replayed in a real browser')
    .usage('<recording> [options] [-- <command> [args...]]')
    .argument('<recording>', 'an export of the DevTools Recorder, of `culprit record`, or a Playwright test (.js, .ts)')
    .option('--fails-when <expression>', 'fail = this becomes true in the page: "document.querySelector(\'.error\')"')
    .option('--exception [regex]', 'fail = an uncaught exception (that matches)')
    .option('--console [regex]', 'fail = an error on the console (that matches)')
    .option('--request [regex]', 'fail = a request that gets no answer, or a status of 400 or more')
    .option('--dialog [regex]', 'fail = an alert, a confirmation or a prompt opens')
    .option('--crash', 'fail = the page crashes')
    .option('--hang', 'fail = the page (or the command) does not answer within --timeout')
    .option(
      '--patience <ms>',
      'how long an element may take to appear (default: learned)',
      number('--patience', { least: 0 }),
    )
    .option('--interesting', 'with a command: fail = it exits with 0')
    .option('--bisect', 'with a command: fail = exit 1–124, 126, 127; pass = 0; unresolved = 125 and 128 up')
    .option('--match <regex>', 'with a command: fail = its output matches')
    .option('--exit <n>', 'with a command: fail = that exit code', number('--exit', { least: 0 }))
    .option('--signal <name>', 'with a command: fail = that signal')
    .allowExcessArguments(true);
  withCommonOptions(command, ['--sandbox']);
  return command
    .addHelpText(
      'after',
      `
When nothing is said, the failure is the worst thing that the recording does: a crash, a hang, an uncaught exception, an error
on the console, a failed request. A command after -- runs in this folder after each replay, and decides; {} is the recording.

Examples:
  ${example}
  culprit actions recording.json --fails-when "document.querySelector('.error')"
  culprit actions login.spec.ts -- ./check-database.sh
`,
    )
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const paths = command.args.slice(0, command.args.length - words.length);
      if (paths.length !== 1)
        throw new UserError(
          paths.length === 0
            ? 'There is no recording: its path stands first, before the options.'
            : `actions reads one recording, and there are ${paths.length}: ${paths.join(', ')}.`,
          `For example: ${example}\nTo make a recording: culprit record <url>`,
        );
      await run(paths[0]!, words, command.opts<ActionsOptions>(), argv, resuming);
    });
}

async function run(
  path: string,
  words: readonly string[],
  options: ActionsOptions,
  argv: readonly string[],
  resuming: Resuming | undefined,
): Promise<void> {
  const inPage = failingOf(options, words.length > 0);
  const asked = words.length > 0 ? askedRule(ruleOf(options)) : undefined;
  if (options.strategy) listStrategy(options.strategy);
  const kept = resuming?.folder.keptOriginal();
  const files = await recordingFiles(path, options, resuming?.folder);
  const { timeout, patience, memory } = options;
  sweepAbandoned();
  await runJob('actions', files.stem, options, argv, resuming, async context => {
    const { journal } = context.folder;
    if (!kept) files.keepOriginal(context.folder);
    const afterwards =
      asked && asked.kind !== 'differs'
        ? openAfterwards({
            command: words,
            asked,
            journal,
            ...(timeout === undefined ? {} : { timeout }),
            ...(memory === undefined ? {} : { memory }),
          })
        : undefined;
    let replayer: Replayer | undefined;
    try {
      const failing: Failing = afterwards
        ? { kind: 'command', run: (recording, signal) => afterwards.test(files.artifact(recording), signal) }
        : inPage;
      const settled = settledIn(context);
      // A command looks at what all tests share, so that they can't run beside each other.
      const jobs = afterwards ? 1 : jobsOf(options);
      replayer = await openReplayer({
        failing,
        folder: files.home,
        watch: watchBrowser,
        jobs,
        ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
        ...(patience === undefined ? {} : { patience }),
        ...(settled ? { chase: settled.chase } : {}),
      });
      if (settled) context.terminal.say(`resumed: ${settled.rule}`);
      const first = settled ?? (await firstRun(replayer, files.original, context, afterwards));
      const { kind, signature, manner } = first.chase;
      const failure = {
        kind,
        text: first.text,
        late: manner.linger > 0,
        ...(options.failsWhen && { expression: options.failsWhen }),
        ...(afterwards && { command: quotedAll(words) }),
      };
      const command = afterwards?.first();
      return await searchActions(
        {
          files,
          title: basename(path),
          replayer,
          first,
          signature: command ? (command.signature?.text ?? command.described) : inOneLine(signature),
          rule: command?.described ?? first.rule,
          jobs,
          script: recording => playwrightScript(recording, { failure, address: url => addressFrom(files.home, url) }),
          ...(afterwards ? { shown: quotedAll(words) } : {}),
        },
        options,
        context,
      );
    } finally {
      await replayer?.close();
      await afterwards?.close();
    }
  });
}

const inOneLine = (signature: string): string => signature.replace(/\n\s+at /g, ', at ');
