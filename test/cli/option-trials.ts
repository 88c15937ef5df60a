/**
 * One table for all options of all commands: a trial is one run, and says for each of its options what shows that it was read.
 * To add an option, add it to a trial that runs anyway, or add a trial that is refused: those cost nothing but a start.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Seen {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly cwd: string;
  /** The line of `--json`. */
  readonly json: Readonly<Record<string, never>> & { readonly [field: string]: unknown };
  /** What the tests wrote into the log, after the runs that come first: one line per run of the command. */
  readonly log: readonly string[];
  file(name: string): string | undefined;
}

/** A pattern: the option is refused (exit code 1 or 2) with this sentence. */
export type Check = RegExp | ((seen: Seen) => boolean);

export interface Trial {
  readonly args: readonly string[];
  /** Runs that come first in the same folder. */
  readonly before?: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
  readonly needs?: 'browser';
  readonly shows: Readonly<Record<string, Check>>;
}

export const read = (cwd: string, name: string): string | undefined =>
  existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : undefined;

/** Fails as long as its input holds BOOM, or $BOOM is set. It logs its limits and folder outside of its workspace. */
const script = (cwd: string) => `#!/bin/sh
echo "d=$(ulimit -d) in $PWD" >> ${cwd}/log
if grep -qs BOOM "\${1:-/dev/null}" /dev/null || [ -n "$BOOM" ]; then echo "Error: boom found" >&2; exit 3; fi
`;

/** The files of every trial. */
export const filesIn = (cwd: string): Readonly<Record<string, string | Uint8Array>> => ({
  't.sh': script(cwd),
  'in.txt': 'a\nb\nc\nBOOM\nd\ne\n',
  'pass.gz': gzipSync('a\nb\nNONE\nc\n', { level: 0 }),
  'in.gz': gzipSync('a\nb\nBOOM\nc\n', { level: 0 }),
  'pass.txt': 'a\nb\nc\nd\ne\n',
  'taken.txt': 'mine\n',
  'taken/mine.txt': 'mine\n',
  'old/t.sh': script(cwd),
  'old/in.txt': 'a\nb\nc\n',
  'new/t.sh': script(cwd),
  'new/in.txt': 'a\nx\nb\nBOOM\nc\nd\n',
  'shell.env': 'A=1\n',
  'ci.env': 'A=1\nB=2\nBOOM=1\nC=3\n',
  'client.sh': `#!/bin/sh
echo "d= in $PWD" >> ${cwd}/log
exec perl client.pl "$1"
`,
  // In Perl, which starts ten times as fast as Node.
  'client.pl': `use IO::Socket::INET;
my ($host) = $ARGV[0] =~ m{//([^/]+)};
my $socket = IO::Socket::INET->new($host) or exit 0;
print $socket "GET /a HTTP/1.1\\r\\nHost: $host\\r\\nConnection: close\\r\\n\\r\\n";
if ((<$socket> // '') =~ / 500 /) { print STDERR "Error: boom\\n"; exit 3; }
`,
  'tries.txt': '--calm\n',
  'app.js': `const fs = require('fs');
const amounts = fs.readFileSync(process.argv[2], 'utf8').trim().split(' ').map(Number);
let total = 0;
for (const amount of amounts) {
  const fee = amount > 100 ? amount * 10 : 0;
  total += amount - fee;
}
if (total < 0) throw new Error('negative balance');
`,
  'package.json': '{}',
  'twice.js': `${'function idle(a) {\n  return a + 1;\n}\n'.repeat(9)}const word = ['a', 'b'].join('');\nconsole.log(word.repeat(2));\n`,
  'tiny.js': 'function other() {}\nfunction longName() {\n  return 1;\n}\nlongName();\n',
  // Required by Node before the program: logs as t.sh does.
  'note.js': `const { execSync } = require('child_process');
const limit = execSync('ulimit -d', { shell: '/bin/sh', encoding: 'utf8' }).trim();
try { require('fs').appendFileSync('${cwd}/log', 'd=' + limit + ' in ' + process.cwd() + '\\n'); } catch {}
`,
  'works.txt': '10 90 5\n',
  'fails.txt': '10 101 5\n',
  'race.js': `const fs = require('fs');
let config;
fs.readFile('works.txt', 'utf8', (error, text) => { config = { text }; });
setTimeout(() => console.log(config.text), 20);
`,
  'a.test.js': `const { test } = require('node:test');
test('opens', () => { globalThis.open = true; });
test('idles', () => {});
test('needs it closed', () => { if (globalThis.open) throw new Error('open'); });
`,
  'log.har': JSON.stringify({
    log: {
      version: '1.2',
      entries: ['/b', '/a'].map(path => ({
        request: { method: 'GET', url: `https://shop.example${path}`, headers: [] },
        response: { status: 500, headers: [{ name: 'x-note', value: 'y' }], content: { text: 'no' } },
      })),
    },
  }),
  'page.html': `<button id="a">a</button><button id="b">b</button>
<script>document.getElementById('b').addEventListener('click', () => { throw new RangeError('boom'); });</script>`,
  'recording.json': JSON.stringify({
    title: 'x',
    steps: [
      { type: 'navigate', url: 'page.html' },
      ...['a', 'b'].map(id => ({ type: 'click', selectors: [[`#${id}`]] })),
    ],
  }),
});

interface Job {
  /** The command and its inputs. */
  readonly head: readonly string[];
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The result is a folder. */
  readonly isFolder?: boolean;
}

export const forks = ['sh', '-c', 'for i in 1 2 3 4 5 6; do sleep 2 & done; wait; exit 3'];

/** Refused before anything runs. */
export const refusedTrials = ({ head, command }: Job): readonly Trial[] => [
  {
    args: [...head, '--json', '--events', '--', ...command],
    shows: { '--json': /--json and --events cannot be combined/, '--events': /--json and --events cannot be combined/ },
  },
  {
    args: [...head, '--strategy', 'nonsense', '--', ...command],
    shows: { '--strategy': /no strategy called nonsense/ },
  },
  {
    args: [...head, '--output', 'taken.txt', '--', ...command],
    shows: { '--output': /taken\.txt (already exists|is a file)/ },
  },
  { args: [...head, '--run', 'taken.txt', '--', ...command], shows: { '--run': /taken\.txt can't be written/ } },
];

/** A job whose tests can run only on this machine. */
export const onlyHereTrial = ({ head, command }: Job): Trial => ({
  args: [...head, '--workers', 'redis://127.0.0.1:1', '--', ...command],
  shows: { '--workers': /--workers does not apply to/ },
});

export const ruleTrials = ({ head, command }: Job): readonly Trial[] =>
  (
    [
      [['--match', 'x'], ['--exit', '3'], /--match and --exit/],
      [['--signal', 'SIGSEGV'], ['--hang'], /--signal and --hang/],
      [['--interesting'], ['--bisect'], /--interesting and --bisect/],
      [['--differs', 'true'], ['--match', 'x'], /--match and --differs/],
    ] as const
  ).map(([one, other, sentence]) => ({
    args: [...head, ...one, ...other, '--', ...command],
    shows: { [one[0]]: sentence, [other[0]]: sentence },
  }));

/** What flaky failures have to do with each other and with the cache: refused before anything runs. */
export const flakyTrials = ({ head, command }: Job): readonly Trial[] =>
  (
    [
      [['--flaky', 'off'], ['--confidence', '0.9'], /--flaky off and --confidence cannot be combined/],
      [['--flaky', '0.5'], ['--repeat', '2'], /--flaky <rate> and --repeat cannot be combined/],
      [['--repeat', '2'], ['--no-cache'], /--repeat and --no-cache cannot be combined/],
    ] as const
  ).map(([one, other, sentence]) => ({
    args: [...head, ...one, ...other, '--', ...command],
    shows: { [one[0]]: sentence, [other[0]]: sentence },
  }));

/** Tests on other machines: no Redis is asked in these. */
export const workerTrials = ({ head, command }: Job): readonly Trial[] => {
  const redis = ['--workers', 'redis://127.0.0.1:1'];
  const refused = (option: string, args: readonly string[], sentence: RegExp): Trial => ({
    args: [...head, ...args, '--', ...command],
    shows: { [option]: sentence },
  });
  return [
    refused('--workers', redis, /no key to sign with/),
    refused('--key', [...redis, '--key', 'none.key'], /The key none\.key can't be read/),
    refused('--send-env', ['--send-env', 'A'], /--send-env needs --workers/),
    refused('--trust-workers', ['--trust-workers', 'a.pub'], /--trust-workers needs --workers/),
  ];
};

/** What every job does that runs a command in copies of a folder. */
export const runTrials = (job: Job): readonly Trial[] => {
  const { head, command, env = {} } = job;
  const limits = ['-j', '1', '--memory', '300', '--timeout', '7', '--verbose', '--no-cache'];
  const force = job.isFolder ? [] : ['--force', '--output', 'taken.txt'];
  return [
    ...refusedTrials(job),
    ...flakyTrials(job),
    ...workerTrials(job),
    {
      args: [...head, ...limits, '--json', '--', ...command],
      env,
      shows: {
        '--jobs': ({ log }) => new Set(log.map(line => line.split(' in ')[1])).size <= 2,
        '--memory': ({ log }) => log.some(line => line.startsWith('d=307200 ')),
        '--timeout': ({ stderr }) => stderr.includes('timeout 7 s per test'),
        '--verbose': ({ stderr }) => /^ +1 +[✓✗?] /m.test(stderr),
        '--no-cache': ({ json }) => json.cached === 0 && Number(json.executed) >= Number(json.tests),
      },
    },
    {
      args: [...head, '--sandbox', '--max-tests', '1', '--run', 'r1', '--json', '--', ...command],
      env,
      shows: {
        '--sandbox': ({ log, json }) => log.length === 0 && json.run === 'r1',
        '--max-tests': ({ code, json }) => code === 3 && json.ended === 'budget' && Number(json.tests) <= 1,
        '--json': ({ json }) => json.job === head[0],
        '--run': ({ file }) => file('r1/journal.jsonl') !== undefined,
      },
    },
    {
      args: [...head, '--max-time', '0.01', '--quiet', '--json', ...force, '--', ...command],
      env,
      shows: {
        '--max-time': ({ code, json }) => code === 3 && json.ended === 'budget',
        '--quiet': ({ stderr }) => !/^ +rule|tests in/m.test(stderr),
        ...(job.isFolder ? {} : { '--force': ({ file }: Seen) => file('taken.txt') !== 'mine\n' }),
      },
    },
    ...(job.isFolder
      ? [
          {
            args: [...head, '--force', '--output', 'taken', '--', ...command],
            shows: { '--force': /taken already exists.*\n?.*content would be lost/s },
          },
        ]
      : []),
    {
      args: [...head, '--processes', '3', '--', ...forks],
      env,
      shows: { '--processes': /exceeds the limit on processes \(--processes\)/ },
    },
  ];
};
