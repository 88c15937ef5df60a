import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { Command, Option } from 'commander';
import type { Artifact } from '../../circumstances/artifact.js';
import { redactor } from '../../circumstances/environment/index.js';
import { quotedAll } from '../../circumstances/options/index.js';
import { surroundingsOf } from '../../circumstances/surroundings.js';
import {
  type Exchange,
  fieldsOf,
  type Har,
  openTraffic,
  ranOutOfTime,
  readHar,
  type Seen,
  type Settled,
  secretsOf,
  shownExchange,
  type Traffic,
  type TrafficFailure,
} from '../../circumstances/traffic/index.js';
import { type Test, UserError } from '../../core/index.js';
import { Counter } from '../../engine/index.js';
import { againAlone, repeated } from '../../oracle/alone.js';
import { openPlaces, type Places } from '../../oracle/places.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { simplify } from '../../plans/simplify.js';
import { trafficPasses } from '../../plans/traffic.js';
import { type CommonOptions, commandAfterDashes, demandCommand, jobsOf, withCommonOptions } from '../common.js';
import { jsonOf, noteSurroundings, typedWords } from '../invocation.js';
import { type JobContext, type JobResult, ownArguments, type Resuming, readRegex, runJob } from '../job.js';
import { ownEnvironment, saltOf } from '../kept-environment.js';
import { otherFailures } from '../other-failures.js';
import { type Output, outputFor } from '../output.js';
import { collect, number } from '../parse.js';
import { listStrategy } from '../strategies.js';

interface Options extends CommonOptions {
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
  withCommonOptions(command);
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
      const options = command.opts<Options>();
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

function failureOf(options: Options): TrafficFailure {
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

function modeOf(options: Options): 'send' | 'serve' {
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
  options: Options,
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
  const output = outputFor(options.output, [{ path, name, folder: false }], kept !== undefined);
  sweepAbandoned();
  await runJob('traffic', basename(path, extname(path)), options, argv, resuming, async context => {
    const { files, linked } = surroundingsOf(process.cwd());
    let places: Places | undefined;
    const seconds =
      options.timeout === undefined ? {} : { end: options.timeout * 1000, answer: options.timeout * 1000 };
    const traffic = openTraffic({
      mode,
      command: typedWords(words),
      failure,
      limits: seconds,
      cleaned: redactor(ownEnvironment(), secretsOf(har)),
      enter: () => (places ??= openPlaces(jobsOf(options), { files })).enter(),
      ...(typeof options.send === 'string' ? { base: options.send } : {}),
      ...(options.allowHost ? { allowHosts: options.allowHost } : {}),
      ...(options.missing ? { missing: options.missing } : {}),
    });
    if (!kept) context.folder.keepOriginal(fileOf(name, bytes));
    try {
      await firstRun(traffic, har, quotedAll(words), context);
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

const fileOf = (name: string, bytes: Uint8Array): Artifact => ({ files: new Map([[name, { kind: 'file', bytes }]]) });
const fileIn = ({ files }: Artifact, name: string): Uint8Array => {
  const entry = files.get(name);
  return entry?.kind === 'file' ? entry.bytes : new Uint8Array();
};

/** The unreduced recording, twice: is there a failure, what does it look like, and does it come again? */
async function firstRun(traffic: Traffic, har: Har, shown: string, context: JobContext): Promise<void> {
  const { terminal, folder, options, signal } = context;
  const known = folder.journal.noted('first traffic') as Settled | undefined;
  if (known) {
    traffic.settle(known);
    terminal.say(`resumed: ${traffic.rule}`);
    return;
  }
  const { seen, verdict: _, ...settled } = await traffic.firstRun(har, signal);
  const again = await traffic.test(har, signal);
  signal.throwIfAborted();
  folder.journal.note('first traffic', settled);
  if (options.quiet) return;
  for (const line of [`$ ${shown}`, ...lastLines(seen), inShort(seen)]) terminal.say(line);
  if (settled.signature) terminal.say(`the failure: ${settled.signature}`);
  terminal.say(traffic.rule);
  terminal.say(
    again.outcome === 'fail'
      ? 'twice the same'
      : `unstable: run again, it is ${again.reason ?? again.outcome}. Use --repeat <n>: each test is then run n times.`,
  );
}

const lastLines = ({ stderr, stdout }: Seen): readonly string[] =>
  (stderr.trim() || stdout.trim())
    .split('\n')
    .filter(line => line.trim() !== '')
    .slice(0, 8)
    .map(line => `  ${line.slice(0, 160)}`);

const inShort = ({ ended, answers }: Seen): string => {
  const how =
    ended === undefined ? 'it went on running' : ended.signal ? `died by ${ended.signal}` : `exited with ${ended.exit}`;
  return answers.length > 1 ? `${how}, after ${answers.length} answers` : how;
};

interface Searched {
  readonly har: Har;
  readonly name: string;
  readonly mode: 'send' | 'serve';
  readonly traffic: Traffic;
  readonly shown: string;
  readonly output: Output;
  readonly noted: () => void;
}

async function search(
  { har, name, mode, traffic, shown, output, noted }: Searched,
  options: Options,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see } = context;
  const { signature } = folder.journal.noted('first traffic') as Settled;
  const side = mode === 'send' ? 'request' : 'response';
  const counter = new Counter();
  counter.executed = folder.journal.executed;
  const before = sizeOf(har, side);
  see({
    type: 'began',
    job: 'traffic',
    before,
    rule: traffic.rule,
    command: shown,
    ...(signature === undefined ? {} : { signature }),
  });
  noted();
  const written = (each: Har): Artifact => fileOf(name, Buffer.from(`${JSON.stringify(each, null, 1)}\n`));
  const test: Test<Har> = otherFailures(
    repeated(againAlone(traffic.test, ranOutOfTime), options.repeat ?? 1),
    folder,
    see,
    written,
  );
  let best = har;
  const keep = (each: Har) => {
    best = each;
    if (folder.journal.replaying) return;
    const artifact = written(each);
    folder.keepBest(artifact);
    output.write(artifact, folder);
  };
  keep(har);
  const reproduce = `culprit traffic ${quotedAll([output.path])} ${rest(context)}`;
  const page = () => ({
    title: name,
    reproduce,
    output: output.path,
    table: {
      caption: `Every exchange; those that matter are marked, with what is left of the ${side} (credentials are masked)`,
      columns: ['exchange', `left of the ${side}`],
      ...marked(har, best, side),
    },
  });
  context.showing(page);
  const passes = trafficPasses(side).map(pass =>
    options.strategy === undefined || pass.strategy
      ? pass
      : { ...pass, strategy: () => listStrategy(options.strategy!) },
  );
  const end = await context.follow(
    simplify(har, passes, test, {
      workers: jobsOf(options),
      signal: context.signal,
      memory: options.cache === false ? folder.journal.inOrder() : folder.journal,
      identify: identifying(saltOf(folder)),
      measure: bytesOf,
      counter,
      outOfTime: context.outOfTime,
      accepted: keep,
      ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
      ...(options.cache === false ? { remember: false } : {}),
    }),
  );
  keep(end.artifact);
  const after = sizeOf(best, side);
  see({
    type: 'ended',
    ended: end.ended,
    minimal: end.minimal,
    size: after,
    counts: counter.counts,
    seconds: context.seconds(),
  });
  return {
    ended: end.ended,
    ending: { output: output.path, reproduce, result: best.log.entries.map(shownExchange).join('\n') },
    json: jsonOf(context, 'traffic', end, counter, {
      before,
      after,
      output: output.path,
      signature: signature ?? traffic.rule,
      exchanges: best.log.entries.map(shownExchange),
    }),
    page: page(),
  };
}

/** The words of the command line after the recording, to run the same on the result. */
function rest({ folder }: JobContext): string {
  const { before, command } = commandAfterDashes(folder.journal.header.argv);
  const kept: string[] = [];
  for (let i = 1; i < before.length; i++) {
    const word = before[i]!;
    if (/^--(send|missing|allow-host|status|body|stderr)$/.test(word) && before[i + 1] !== undefined)
      kept.push(word, ...(before[i + 1]!.startsWith('--') ? [] : [before[++i]!]));
    else if (/^--(send|serve|missing|allow-host|crash|status|body|stderr)\b/.test(word)) kept.push(word);
  }
  return quotedAll([...kept, '--', ...command]);
}

/** Exchanges that many candidates share are written out and hashed once. */
const texts = new WeakMap<Exchange, { readonly bytes: number; digest?: string }>();

function known(exchange: Exchange, salt?: string) {
  const found = texts.get(exchange);
  if (found && (salt === undefined || found.digest !== undefined)) return found;
  const text = JSON.stringify(exchange);
  const digest = salt === undefined ? {} : { digest: createHmac('sha256', salt).update(text).digest('base64url') };
  const fresh = { bytes: Buffer.byteLength(text), ...digest };
  texts.set(exchange, fresh);
  return fresh;
}

const identifying =
  (salt: string) =>
  (har: Har): string =>
    createHmac('sha256', salt)
      .update(har.log.entries.map(exchange => known(exchange, salt).digest).join())
      .digest('base64url')
      .slice(0, 32);
const bytesOf = (har: Har): number => har.log.entries.reduce((sum, exchange) => sum + known(exchange).bytes, 0);
const sizeOf = (har: Har, side: 'request' | 'response') => ({
  bytes: bytesOf(har),
  deltas: har.log.entries.length,
  fields: fieldsOf(har, side).count,
});

/** Which exchanges are left, and what of them. An exchange is known by its place: what is left stands in the same order. */
function marked(whole: Har, left: Har, side: 'request' | 'response') {
  const fields = left.log.entries.map(exchange => {
    const inner = fieldsOf({ log: { entries: [exchange] } }, side);
    return Array.from({ length: inner.count }, (_, delta) => inner.describe!(delta).replace(/^#1 /, ''));
  });
  const remaining: number[] = [];
  const rows = whole.log.entries.map((exchange, i) => {
    const at = remaining.length;
    const isLeft = at < fields.length && sameExchange(exchange, left.log.entries[at]!);
    if (isLeft) remaining.push(i);
    return [shownExchange(exchange), isLeft ? fields[at]!.join('; ') : ''];
  });
  return { rows, remaining };
}

const sameExchange = (a: Exchange, b: Exchange): boolean =>
  a.request.method === b.request.method &&
  a.request.url.split('?')[0] === b.request.url.split('?')[0] &&
  a.startedDateTime === b.startedDateTime;
