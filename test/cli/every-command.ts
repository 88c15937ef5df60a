import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One small search of every command, for what must hold for all of them. No test library: the benches use it too. */

/**
 * `log` has a line for each test that was begun. If there is a file `nap`, each takes a moment, so that there is something to
 * interrupt. No variables: `env` takes them away.
 */
const script = `#!/bin/sh
echo run >> "{here}/log"
if [ -e "{here}/nap" ]; then sleep 0.05; fi
if grep -q BOOM "$1" || [ "$BOOM" = yes ] || [ "$2" = --boom ]; then echo "Error: boom found" >&2; exit 3; fi
`;

/** Answers from memory; \`/boom\` ends it. In Perl, which starts ten times as fast as Node. */
const server = `#!/usr/bin/perl
use Socket;
open(L, '>>', $ENV{LOG}); print L "run\\n"; close L;
socket(S, PF_INET, SOCK_STREAM, 6);
setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
bind(S, sockaddr_in($ENV{PORT}, INADDR_LOOPBACK)) && listen(S, 16) or exit 9;
while (accept(C, S)) {
  my $head = '';
  while (defined(my $line = <C>)) { last if $line =~ /^\\s*$/; $head .= $line; }
  my ($path) = $head =~ /^GET (\\S+)/ or next;
  if ($path =~ /boom/) { print STDERR "Error: boom found\\n"; exit 3; }
  print C "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok"; close C;
}
`;

/** The timer expects what the file holds: in time on a fast disk, and else not. */
const hasty = `const fs = require('fs');
fs.appendFileSync(process.env.LOG, 'run\\n');
let config;
fs.readFile('config.json', 'utf8', (error, text) => { config = JSON.parse(text); });
setTimeout(() => { console.log(config.name); }, 20);
`;

const suite = `import assert from 'node:assert';
import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
appendFileSync(process.env.LOG, 'run\\n');
let session;
test('a', () => {});
test('b', () => { session = 'ann'; });
test('c', () => {});
test('d', () => { assert.equal(session, undefined); });
`;

/** In Python, whose runs under a debugger cost a third of Node's. */
const account = `import os, sys
with open(os.environ['LOG'], 'a') as log:
    log.write('run\\n')
def post(amounts):
    total = 0
    for amount in amounts:
        fee = 0
        if amount > 100:
            fee = amount * 10
        total += amount - fee
    return total
with open(sys.argv[1]) as file:
    amounts = [int(word) for word in file.read().split()]
if post(amounts) < 0:
    raise ValueError('negative balance')
`;

const exchange = (path: string) => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  request: { method: 'GET', url: `http://127.0.0.1/${path}`, headers: [{ name: 'x-one', value: '1' }] },
  response: { status: 200, headers: [] },
});
const numbered = (count: number, at: number, word: string) =>
  Array.from({ length: count }, (_, i) => (i === at ? `${word}\n` : `line ${i}\n`)).join('');
const page = '<button id="a">a</button><button id="b" onclick="throw new Error(\'boom\')">b</button>';
const click = (selector: string) => ({ type: 'click', selectors: [selector] });

const files: Readonly<Record<string, string>> = {
  't.sh': script,
  'good.txt': numbered(8, 5, 'fine'),
  'bad.txt': numbered(8, 5, 'BOOM'),
  'old/in.txt': numbered(12, 5, 'fine'),
  'new/in.txt': numbered(12, 5, 'BOOM').replaceAll('line 1', 'row 1'),
  'failing.env': 'A=1\nBOOM=yes\nC=2:3\nD=4\n',
  'passing.env': 'A=0\nC=2\nD=5\n',
  'server.pl': server,
  'x.har': JSON.stringify({ log: { entries: ['a', 'b', 'boom', 'c'].map(exchange) } }),
  'page.html': page,
  'x.json': JSON.stringify({ steps: [{ type: 'navigate', url: 'page.html' }, ...['#a', '#b'].map(click)] }),
  'app.js': hasty,
  'config.json': '{"name":"x"}',
  'suite.test.mjs': suite,
  'account.py': account,
  'works.txt': '10 90 5\n',
  'fails.txt': '10 101 5\n',
  'crashes/1': 'one BOOM two\n',
  'crashes/2': 'BOOM\nthree\n',
  'crashes/3': 'nothing\n',
};

export interface EveryCommand {
  readonly name: string;
  /** `{here}` is the folder that it runs in. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it writes beside its run, if anything. */
  readonly output?: string;
  /** Its tests do not write to $LOG. */
  readonly isSilent?: boolean;
  /** Its tests start Node or a browser, so that a run takes ten times as long. */
  readonly isSlow?: boolean;
  /** What it claims to be minimal, if it does. */
  readonly minimal?: readonly string[];
}

const passingEnv = ['--passing', 'passing.env', '--failing', 'failing.env'];
const fromFile = ['--failing', 'failing.env'];

export const everyCommand: readonly EveryCommand[] = [
  { name: 'reduce', args: ['reduce', 'bad.txt', '--', './t.sh', '{}'], output: 'bad.reduced.txt', minimal: [] },
  { name: 'isolate', args: ['isolate', 'good.txt', 'bad.txt', '--', './t.sh', '{}'], output: 'bad.isolated' },
  { name: 'changes', args: ['changes', 'old', 'new', '--', '{here}/t.sh', 'in.txt'], output: 'culprit.changes' },
  { name: 'options', args: ['options', '--', './t.sh', 'good.txt', '--boom', '-a', '-b', '-c'] },
  { name: 'env', args: ['env', ...fromFile, '--', '/bin/sh', './t.sh', 'good.txt'], output: 'failing.reduced.env' },
  { name: 'env pair', args: ['env', ...passingEnv, '--', '/bin/sh', './t.sh', 'good.txt'], output: 'failing.isolated' },
  { name: 'tests', args: ['tests', '--', 'node', '--test', 'suite.test.mjs'], isSlow: true },
  { name: 'traffic', args: ['traffic', 'x.har', '--send', '--', 'perl', 'server.pl'], output: 'x.reduced.har' },
  { name: 'actions', args: ['actions', 'x.json'], output: 'x.reduced.json', isSilent: true, isSlow: true },
  { name: 'schedules', args: ['schedules', '--tries', '40', '--replays', '2', '--', 'node', 'app.js'], isSlow: true },
  {
    name: 'states',
    args: ['states', '--passing', 'works.txt', '--failing', 'fails.txt', '--', 'python3', 'account.py', '{}'],
    isSlow: true,
    minimal: [],
  },
  { name: 'triage', args: ['triage', 'crashes', '--', './t.sh', '{}'], output: 'triage', minimal: [] },
];

/** Writes the files of all commands. */
export function prepareFor(cwd: string): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content.replaceAll('{here}', cwd));
    if (content.startsWith('#!')) chmodSync(path, 0o755);
  }
}

/** The whole command line, with the run in the folder `r`. */
export function argsFor({ args }: EveryCommand, cwd: string, more: readonly string[] = []): readonly string[] {
  const own = args.map(word => word.replace('{here}', cwd));
  const end = own.indexOf('--');
  const [before, after] = end < 0 ? [own, []] : [own.slice(0, end), own.slice(end)];
  return [...before, '--run', 'r', '--timeout', '60', ...more, ...after];
}
