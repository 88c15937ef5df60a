import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Command, Option } from 'commander';
import type { Artifact } from '../../circumstances/artifact.js';
import { redactor } from '../../circumstances/environment/index.js';
import { quotedAll } from '../../circumstances/options/index.js';
import { surroundingsOf } from '../../circumstances/surroundings.js';
import { openTraffic, readHar, secretsOf, type TrafficFailure } from '../../circumstances/traffic/index.js';
import { UserError } from '../../core/index.js';
import { openPlaces, type Places } from '../../oracle/places.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { type CommonOptions, commandAfterDashes, demandCommand, jobsOf, withCommonOptions } from '../common.js';
import { noteSurroundings, typedWords } from '../invocation.js';
import { ownArguments, type Resuming, readRegex, runJob } from '../job.js';
import { ownEnvironment } from '../kept-environment.js';
import { outputFor } from '../output.js';
import { collect, number } from '../parse.js';
import { listStrategy } from '../strategies.js';
import { nameCrash } from '../traffic/crash.js';
import { firstTraffic } from '../traffic/first-run.js';
import { fileOf, search } from '../traffic/search.js';

interface TrafficOptions extends CommonOptions {
  readonly send?: string | true;
  readonly serve?: boolean;
  readonly missing?: '404' | 'refuse';
  readonly allowHost?: readonly string[];
  readonly crash?: boolean;
  readonly status?: number;
  readonly body?: string;
  readonly stderr?: string;
}

const example = 'culprit traffic session.har --send http://127.0.0.1:{port} -- node server.js {port}';

export function trafficCommand(resuming?: Resuming): Command {
  const command = new Command('traffic')
    .description(
      'which recorded exchanges matter, and what in them: requests that break a server, answers that break a program',
    )
    .usage('<har> [options] -- <command> [args...]')
    .argument('<har>', 'a recording in HAR 1.2, as browsers and proxies export it')
    .option('--send [url]', 'send the requests to a server that the command starts; {port} is a free port')
    .option('--serve', 'answer from the recording what the command asks for; {} is the address')
    .addOption(new Option('--missing <how>', 'with --serve, what is left out gets').choices(['404', 'refuse']))
    .option('--allow-host <name>', 'another host than this machine that requests may go to', collect)
    .option('--crash', 'fail = the server or program crashes')
    .option('--status <n>', 'fail = an answer has this status', number('--status', { least: 100 }))
    .option('--body <regex>', "fail = the body of an answer (with --serve: the program's output) matches")
    .option('--stderr <regex>', 'fail = what is printed to stderr matches')
    .allowExcessArguments(true);
  withCommonOptions(command, ['--sandbox', '--memory']);
  return command
    .addHelpText(
      'after',
      `
The command runs in copies of this folder, one for each test. Its port is told through {port} and PORT, the address of the
recording through {} and CULPRIT_URL. Credentials are masked in all that is shown; the resulting HAR holds what is needed.

Examples:
  ${example}
  culprit traffic session.har --serve -- node client.js {}
`,
    )
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const options = command.opts<TrafficOptions>();
      const paths = command.args.slice(0, command.args.length - words.length);
      if (paths.length !== 1)
        throw new UserError(
          paths.length === 0
            ? 'There is no recording: the path of a HAR file stands before `--`.'
            : `traffic reads one recording, and there are ${paths.length} before \`--\`: ${paths.join(', ')}.`,
          `For example: ${example}`,
        );
      demandCommand(words, example);
      await run(paths[0]!, words, options, argv, resuming);
    });
}

function failureOf(options: TrafficOptions): TrafficFailure {
  const asked: TrafficFailure[] = [];
  if (options.crash) asked.push({ kind: 'crash' });
  if (options.status !== undefined) asked.push({ kind: 'status', status: options.status });
  if (options.body !== undefined) asked.push({ kind: 'body', pattern: readRegex(options.body, '--body') });
  if (options.stderr !== undefined) asked.push({ kind: 'stderr', pattern: readRegex(options.stderr, '--stderr') });
  if (asked.length > 1)
    throw new UserError(
      `--${asked[0]!.kind} and --${asked[1]!.kind} each say what counts as the failure, and only one rule can be in force.`,
      'Leave one of them out.',
    );
  return asked[0] ?? { kind: 'as first' };
}

function modeOf(options: TrafficOptions): 'send' | 'serve' {
  if ((options.send !== undefined) === (options.serve === true))
    throw new UserError(
      options.serve
        ? '--send and --serve are two ways to use a recording, and only one can be taken.'
        : 'It is not said how the recording is used: --send the requests to a server, or --serve the answers to a program.',
      `For example: ${example}`,
    );
  if (options.serve && options.status !== undefined)
    throw new UserError(
      '--status is about what a server answers, and with --serve the answers come from the recording.',
      'Say how the program fails: --crash, --body for its output, or --stderr.',
    );
  if (options.sandbox)
    throw new UserError(
      '--sandbox takes the network away, and traffic is what is tested here.',
      'Leave it out; each test runs in its own copy of the folder in any case.',
    );
  if (options.memory !== undefined)
    throw new UserError(
      '--memory is not there for servers and programs under traffic.',
      "Set the limit in the command: -- 'ulimit -d 500000; exec node server.js {port}'",
    );
  return options.serve ? 'serve' : 'send';
}

async function run(
  path: string,
  words: readonly string[],
  options: TrafficOptions,
  argv: readonly string[],
  resuming: Resuming | undefined,
): Promise<void> {
  const mode = modeOf(options);
  const failure = failureOf(options);
  if (options.strategy) listStrategy(options.strategy);
  const name = basename(path);
  const kept = resuming?.folder.keptOriginal();
  const bytes = kept ? fileIn(kept, name) : read(path);
  const har = readHar(Buffer.from(bytes).toString('utf8'), path);
  const output = outputFor({
    asked: options.output,
    otherwise: join(dirname(path), `${basename(path, extname(path))}.reduced${extname(path)}`),
    kind: 'file',
    inputs: [path],
    run: options.run,
    force: options.force,
    resumed: resuming?.folder,
  });
  sweepAbandoned();
  await runJob('traffic', basename(path, extname(path)), options, argv, resuming, async context => {
    const { files, linked } = surroundingsOf(process.cwd());
    let places: Places | undefined;
    const allowed = options.timeout === undefined ? undefined : options.timeout * 1000;
    const traffic = openTraffic({
      mode,
      command: typedWords(words),
      failure,
      limits: allowed === undefined ? {} : { listen: allowed, answer: allowed, end: allowed },
      named: nameCrash,
      cleaned: redactor(ownEnvironment(), secretsOf(har)),
      enter: () => (places ??= openPlaces(jobsOf(options), { files })).enter(),
      ...(typeof options.send === 'string' ? { base: options.send } : {}),
      ...(options.allowHost ? { allowHosts: options.allowHost } : {}),
      ...(options.missing ? { missing: options.missing } : {}),
    });
    if (!kept) context.folder.keepOriginal(fileOf(name, bytes));
    try {
      await firstTraffic(traffic, har, quotedAll(words), context);
      const noted = () => noteSurroundings(context, files, linked);
      return await search({ har, name, mode, traffic, shown: quotedAll(words), output, noted }, options, context);
    } finally {
      await traffic.close();
      await places?.close();
    }
  });
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UserError(
      `The recording ${path} can't be read: ${(error as Error).message}.`,
      "Export one: in the browser's developer tools, Network, “Save all as HAR”.",
    );
  }
}

const fileIn = ({ files }: Artifact, name: string): Uint8Array => {
  const entry = files.get(name);
  return entry?.kind === 'file' ? entry.bytes : new Uint8Array();
};
