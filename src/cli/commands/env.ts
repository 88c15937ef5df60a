import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Artifact } from '../../circumstances/artifact.js';
import {
  differencesOf,
  type Environment,
  formatEnvironment,
  identifyWith,
  isSecret,
  masked,
  parseEnvironment,
  redactedBytes,
  shownDifference,
  starting,
  whereIs,
} from '../../circumstances/environment/index.js';
import { quoted, quotedAll } from '../../circumstances/options/index.js';
import { UserError, type Verdict } from '../../core/index.js';
import { bytesOfEnvironment, environmentPasses, isolateEnvironment } from '../../plans/environment.js';
import { simplify } from '../../plans/simplify.js';
import {
  type CommonOptions,
  commandAfterDashes,
  demandCommand,
  type RuleOptions,
  withCommonOptions,
  withRuleOptions,
} from '../common.js';
import { type Called, calling, jsonOf, textFiles, typedWords } from '../invocation.js';
import { type JobContext, type JobResult, ownArguments, type Resuming, runJob } from '../job.js';
import { keptEnvironment, ownEnvironment, saltOf } from '../kept-environment.js';
import { writable, writeFolder } from '../run-folder.js';
import { listStrategy } from '../strategies.js';

interface Options extends CommonOptions, RuleOptions {
  readonly passing?: string;
  readonly failing?: string;
  readonly namesOnly?: boolean;
}

const example = 'culprit env --passing shell.env --failing ci.env -- npm test';

export function envCommand(resuming?: Resuming): Command {
  const command = new Command('env')
    .description('which environment variables matter for a failure, or which one makes the difference between two')
    .usage('[options] -- <command> [args...]')
    .option('--failing <file>', 'an environment in which the command fails (default: the current one)')
    .option('--passing <file>', 'one in which it succeeds: the smallest difference between the two is looked for')
    .option('--names-only', 'find the variables, and leave their values as they are')
    .allowExcessArguments(true);
  withRuleOptions(withCommonOptions(command));
  return command
    .addHelpText(
      'after',
      `
A file holds what env, env -0 or export -p printed, a .env file, or JSON. Variables that look like secrets are not shown,
not taken apart and not written anywhere. The command runs in copies of this folder.

Examples:
  culprit env -- npm test
  ${example}
`,
    )
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const options = command.opts<Options>();
      demandCommand(words, example);
      if (command.args.length > words.length)
        throw new UserError(
          `env takes no input, and there is ${command.args[0]} before \`--\`.`,
          `Environments are given with --passing and --failing. For example: ${example}`,
        );
      if (options.strategy) listStrategy(options.strategy);
      const failing = options.failing === undefined ? ownEnvironment() : read(options.failing);
      const passing = options.passing === undefined ? undefined : read(options.passing);
      await runJob('env', 'env', options, argv, resuming, context => {
        const from = options.failing ?? 'the environment';
        const kept = keptEnvironment(context.folder, 'failing environment', failing, from);
        if (!passing) return simplifyEnvironment(words, kept, options, context);
        const good = keptEnvironment(context.folder, 'passing environment', passing, options.passing!);
        return isolate(words, { passing: good, failing: kept }, options, context);
      });
    });
}

function read(path: string): Environment {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(
      `The environment ${path} can't be read: ${(error as Error).message}.`,
      `Capture one with: env -0 > ${path}`,
    );
  }
  return parseEnvironment(text, path);
}

/** The program is looked up once, in the PATH that culprit was called with: whether it is found is not what is asked. */
function commandOf(words: readonly string[]): readonly string[] {
  const [program = '', ...args] = typedWords(words);
  const isLine = words.length === 1 && /\s/.test(program);
  const path = isLine || program.includes('/') ? undefined : whereIs(program, ownEnvironment(), process.cwd());
  return [path ?? program, ...args];
}

/** How to see it again: the variables on the command line while they are few, else from the file. */
function reproduced(command: readonly string[], env: Environment, file: string): string {
  const words = command.length === 1 && /\s/.test(command[0]!) ? ['/bin/sh', '-c', command[0]!] : command;
  const entries = Object.entries(env);
  if (entries.length > 8 || entries.some(([, value]) => value.length > 200))
    return `env -i sh -c 'set -a; . "$0"; exec "$@"' ${quotedAll([resolve(file), ...words])}`;
  // A secret is not shown; whoever has it set can run the line as it stands.
  const set = entries.map(([name, value]) =>
    isSecret(name, value) ? `"${name}=$${name}"` : quoted(`${name}=${value}`),
  );
  return ['env -i', ...set, quotedAll(words)].join(' ');
}

const shownEnvironment = (env: Environment): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${short(masked(name, value))}\n`)
    .join('');
const short = (value: string): string => (value.length > 200 ? `${value.slice(0, 199)}…` : value);

const keptOf = ({ env = {} }: Artifact): Artifact => textFiles({ 'failing.env': formatEnvironment(env) });

function calledBy(
  command: readonly string[],
  env: Environment,
  options: Options,
  { folder: { journal } }: JobContext,
  others: readonly Environment[] = [],
): Omit<Called, 'before'> {
  return {
    job: 'env',
    options,
    command,
    shown: command.length === 1 ? command[0]! : quotedAll(command),
    varying: { env },
    kept: keptOf,
    cleaned: redactedBytes(env, ownEnvironment(), ...others),
    judged: test => {
      const original = journal.noted('original') as { readonly run?: { readonly exit?: number } } | undefined;
      const exit = original?.run?.exit;
      return starting({ outcome: 'fail', ...(exit === undefined ? {} : { exit }) } satisfies Verdict, test);
    },
  };
}

/** The files do not vary, and need not be hashed. */
const identifying = (context: JobContext) => {
  const identify = identifyWith(saltOf(context.folder));
  return ({ env = {} }: Artifact) => identify({ files: new Map(), env });
};
const bytesOf = ({ env = {} }: Artifact): number => bytesOfEnvironment(env);
const sizeOf = (env: Environment) => ({ bytes: bytesOfEnvironment(env), deltas: Object.keys(env).length });

function simplifyEnvironment(
  words: readonly string[],
  env: Environment,
  options: Options,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see } = context;
  const command = commandOf(words);
  const asked = options.output ?? (options.failing === undefined ? undefined : beside(options.failing, 'reduced.env'));
  const output = asked === undefined ? join(folder.path, 'best/failing.env') : resolve(asked);
  const before = sizeOf(env);
  return calling(context, { ...calledBy(command, env, options, context), before }, async calling => {
    const { original, first, test, counter, settings } = calling;
    let best = env;
    const keep = (artifact: Artifact) => {
      best = artifact.env ?? {};
      if (folder.journal.replaying) return;
      folder.keepBest(keptOf(artifact));
      if (asked !== undefined) folder.place(output, Buffer.from(formatEnvironment(best)), false);
    };
    keep(original);
    const page = () => ({
      title: `${basename(words[0]!.split(/\s/)[0]!)}: which variables matter`,
      reproduce: reproduced(command, best, output),
      output,
      table: tableOf(env, best),
    });
    context.showing(page);
    const passes = environmentPasses(options).map(pass =>
      options.strategy === undefined ? pass : { ...pass, strategy: () => listStrategy(options.strategy!) },
    );
    const end = await context.follow(
      simplify(original, passes, test, {
        ...settings,
        identify: identifying(context),
        measure: bytesOf,
        accepted: keep,
      }),
    );
    keep(end.artifact);
    const after = sizeOf(best);
    see({
      type: 'ended',
      ended: end.ended,
      minimal: end.minimal,
      size: after,
      counts: counter.counts,
      seconds: context.seconds(),
    });
    noteSecrets(best, context);
    const none = 'No variable matters: the command fails in an empty environment too.';
    return {
      ended: end.ended,
      ending: {
        output,
        reproduce: reproduced(command, best, output),
        result: after.deltas === 0 ? none : shownEnvironment(best),
      },
      json: jsonOf(context, 'env', end, counter, {
        before,
        after,
        output,
        signature: first.signature?.text ?? first.described,
        variables: Object.fromEntries(Object.entries(best).map(([name, value]) => [name, masked(name, value)])),
      }),
      page: page(),
    };
  });
}

function noteSecrets(env: Environment, { see }: JobContext): void {
  const secrets = Object.entries(env).filter(([name, value]) => isSecret(name, value));
  if (secrets.length === 0) return;
  const names = secrets.map(([name]) => name).join(', ');
  see({
    type: 'noticed',
    what: 'note',
    text: `${names}: needed, and not written to the result: it looks like a secret.`,
  });
}

function tableOf(whole: Environment, left: Environment) {
  const names = Object.keys(whole).sort();
  const isLeft = (name: string) => Object.hasOwn(left, name);
  const value = (name: string) => short(masked(name, (isLeft(name) ? left : whole)[name]!));
  return {
    caption: 'Every variable; those that matter are marked, with what is left of their values',
    columns: ['variable', 'value'],
    rows: names.map(name => [name, value(name)]),
    remaining: names.flatMap((name, i) => (isLeft(name) ? [i] : [])),
  };
}

const beside = (path: string, ending: string): string =>
  join(dirname(path), `${basename(path, extname(path))}.${ending}`);

type Pair = Parameters<typeof isolateEnvironment>[0];

function isolate(words: readonly string[], pair: Pair, options: Options, context: JobContext): Promise<JobResult> {
  const { folder, see } = context;
  const command = commandOf(words);
  const differences = differencesOf(pair.passing, pair.failing);
  if (differences.length === 0)
    throw new UserError(
      'The two environments are the same, so no difference can be isolated.',
      'Give one in which the command succeeds and one in which it fails.',
      1,
    );
  const before = { bytes: bytesOfEnvironment(pair.failing), deltas: differences.length };
  const output = resolve(options.output ?? (options.failing ? beside(options.failing, 'isolated') : 'env.isolated'));
  const called = {
    ...calledBy(command, pair.failing, options, context, [pair.passing]),
    before: { deltas: before.deltas },
  };
  return calling(context, called, async ({ original, first, test, counter, settings }) => {
    const identify = identifying(context);
    await demandPassing({ ...original, env: pair.passing }, test, identify, context);
    const end = await context.follow(
      isolateEnvironment(pair, original, test, { ...settings, namesOnly: options.namesOnly === true, identify }),
    );
    const left = differencesOf(end.passing, end.failing);
    const difference = left.map(each => short(shownDifference(each)));
    const after = { bytes: bytesOfEnvironment(end.failing), deltas: left.length };
    const kept = textFiles({
      'difference.txt': difference.map(line => `${line}\n`).join(''),
      'failing.env': formatEnvironment(end.failing),
      'passing.env': formatEnvironment(end.passing),
    });
    folder.keepBest(kept);
    writable(output, () => writeFolder(output, kept));
    see({
      type: 'ended',
      ended: end.ended,
      minimal: end.minimal,
      size: { deltas: left.length },
      counts: counter.counts,
      seconds: context.seconds(),
    });
    const [passing, failing] = [join(output, 'passing.env'), join(output, 'failing.env')];
    const names = new Set(left.map(({ name }) => name));
    const reproduce = reproduced(command, end.failing, failing);
    return {
      ended: end.ended,
      ending: { output, reproduce, result: difference.join('\n') },
      json: jsonOf(context, 'env', end, counter, {
        before,
        after,
        output,
        signature: first.signature?.text ?? first.described,
        passing,
        failing,
        difference,
      }),
      page: {
        title: `${basename(words[0]!.split(/\s/)[0]!)}: which variable makes the difference`,
        reproduce,
        output,
        table: {
          caption: 'Every variable in which the two environments differ; what makes the difference is marked',
          columns: ['variable', 'passing', 'failing'],
          rows: differences.map(({ name, passing: a, failing: b }) => [
            name,
            ...[a, b].map(value => cell(name, value)),
          ]),
          remaining: differences.flatMap(({ name }, i) => (names.has(name) ? [i] : [])),
        },
      },
    };
  });
}

const cell = (name: string, value: string | undefined): string =>
  value === undefined ? '(not set)' : short(masked(name, value));

async function demandPassing(
  artifact: Artifact,
  test: (artifact: Artifact, signal: AbortSignal) => Promise<Verdict>,
  identify: (artifact: Artifact) => string,
  { folder: { journal }, signal }: JobContext,
): Promise<void> {
  const identity = identify(artifact);
  const verdict = journal.recall(identity) ?? (await test(artifact, signal));
  journal.record(identity, verdict);
  if (verdict.outcome === 'pass') return;
  throw new UserError(
    verdict.outcome === 'fail'
      ? 'The command fails in the same way in both environments, so no difference can be isolated.'
      : `The command does not succeed in the passing environment: ${verdict.reason ?? 'it can not be judged'}.`,
    'Check --passing. To see what the failure needs in the failing environment, leave --passing out.',
    1,
  );
}
