/** `culprit worker`: runs tests for clients on other machines. */
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import { versions } from '../../run/versions.js';
import { collect, jobs, number } from '../parse.js';

interface Options {
  readonly jobs?: number;
  readonly trust?: readonly string[];
  readonly allow?: readonly string[];
  readonly sandbox?: boolean;
  readonly key?: string;
  readonly name?: string;
  readonly metrics?: number;
  readonly status?: boolean;
  readonly keygen?: string;
}

const example = 'culprit worker redis://queue:6379 --trust client.pub --allow gcc';

export function workerCommand(): Command {
  return new Command('worker')
    .description('run tests for runs on other machines, through Redis')
    .argument('[redis-url]', 'the Redis: redis://host:6379, or rediss:// for TLS')
    .option('-j, --jobs <n>', 'run n tests in parallel (default: all cores)', jobs(1))
    .option('--trust <file.pub>', 'run what is signed with this key (repeatable)', collect)
    .option('--allow <program>', 'a program that runs may start, or `any` (repeatable)', collect)
    .option('--no-sandbox', 'run tests with network and with write access to this machine')
    .option('--key <file>', 'sign answers with this private key (default: a new one)')
    .option('--name <name>', 'what clients call this worker (default: host and process)')
    .option(
      '--metrics <port>',
      'serve metrics for Prometheus at /metrics on this port',
      number('--metrics', { most: 65_535 }),
    )
    .option('--status', 'list the workers and runs of this Redis, and end')
    .option('--keygen <name>', 'make the keys <name>.key and <name>.pub, and end')
    .addHelpText(
      'after',
      `
Make keys, start workers that trust the public one, and reduce.

Examples:
  culprit worker --keygen client
  ${example}
  culprit reduce a.c --workers redis://queue:6379 --key client.key -- gcc -c {}
`,
    )
    .action(run);
}

async function run(url: string | undefined, options: Options): Promise<void> {
  const keys = await import('../../remote/keys.js');
  if (options.keygen !== undefined) {
    const { key, pub } = keys.writeKeys(options.keygen);
    process.stdout.write(`${key}: keep it secret; sign with --key ${key}\n${pub}: give it to those who --trust it\n`);
    return;
  }
  if (url === undefined) throw new UserError('Which Redis?', `For example: ${example}`);
  if (options.status) {
    const { statusOf } = await import('../../remote/status.js');
    process.stdout.write(`${(await statusOf(url)).join('\n')}\n`);
    return;
  }
  const { work } = await import('../../remote/worker.js');
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(3);
    stop.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    await work(
      {
        url,
        jobs: options.jobs ?? availableParallelism(),
        trusted: keys.readTrusted(options.trust ?? []),
        allowed: options.allow ?? [],
        sandbox: options.sandbox !== false,
        version: versions().culprit!,
        log: line => void process.stderr.write(`${line}\n`),
        ...(options.key === undefined ? {} : { signer: keys.readSigner(options.key) }),
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
      },
      stop.signal,
    );
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}
