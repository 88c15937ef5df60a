// `npm run bench -- states [--nodes 22,24,26] [word]`: cause-effect chains of published bugs. Fetches packages with npm and apt; C needs
// gcc, g++ and gdb. With --nodes, the JavaScript programs run on those versions of Node; a word prints the rows that contain it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOf, nodesIn, versionOf } from './nodes/install.js';

interface Subject {
  readonly name: string;
  /** A package of npm (`name@version`), or one of Debian: a binary package, or a source package without Debian's patches. */
  readonly package: string;
  readonly from?: 'debian' | 'debian source';
  /** The line that the published fix changes. */
  readonly fix: { readonly file: string; readonly line: number };
  readonly files: Readonly<Record<string, string>>;
  readonly build?: readonly string[];
  /** How many places to look at, if the default is too few. */
  readonly places?: number;
  readonly command: readonly string[];
}

const root = (program: string) => `const Big = require('${program}');
const x = new Big(require('fs').readFileSync(process.argv[2], 'utf8').trim());
const r = x.sqrt();
if (r.times(r).div(x).minus(1).abs().gt('1e-10')) throw new Error('wrong root: ' + r.toString().slice(0, 12));
`;
const numbers = { passing: `19${'0'.repeat(390)}`, failing: `19${'0'.repeat(389)}1` };

const subjects: readonly Subject[] = [
  {
    name: 'bignumber.js, square root (its issue 276, fixed in 9.0.1)',
    package: 'bignumber.js@9.0.0',
    fix: { file: 'bignumber.js', line: 2399 },
    files: {
      'run.js': root('bignumber.js').replace(
        'const x',
        'Big.config({ EXPONENTIAL_AT: 1e5, ROUNDING_MODE: 1, DECIMAL_PLACES: 20 });\nconst x',
      ),
      ...numbers,
    },
    command: ['node', 'run.js', '{}'],
  },
  {
    name: 'decimal.js, square root (fixed in 10.2.1)',
    package: 'decimal.js@10.2.0',
    fix: { file: 'decimal.js', line: 1731 },
    files: { 'run.js': root('decimal.js'), ...numbers },
    command: ['node', 'run.js', '{}'],
  },
  {
    name: 'bignumber.js, 0 to a large negative power (fixed in 9.1.1)',
    package: 'bignumber.js@9.1.0',
    fix: { file: 'bignumber.js', line: 1709 },
    files: {
      'run.js': `const Big = require('bignumber.js');
const n = require('fs').readFileSync(process.argv[2], 'utf8').trim();
const r = new Big(0).pow(new Big(n));
if (r.isFinite()) throw new Error('0 to a negative power is finite');
`,
      passing: '-900719925474099',
      failing: '-9007199254740991',
    },
    command: ['node', 'run.js', '{}'],
  },
  {
    name: 'strip-json-comments, three backslashes before a quote (fixed in 3.0.1)',
    package: 'strip-json-comments@2.0.1',
    fix: { file: 'index.js', line: 29 },
    files: {
      'run.js': `const strip = require('strip-json-comments');
const text = require('fs').readFileSync(process.argv[2], 'utf8');
const stripped = strip(text);
if (stripped !== text) throw new Error('a string was cut: ' + stripped);
`,
      passing: '{"a":"xx\\" //b"}',
      failing: '{"a":"\\\\\\" //b"}',
    },
    command: ['node', 'run.js', '{}'],
  },
  {
    name: 'bcrypt, C++: passwords of 256 characters (fixed in 5.0.0)',
    package: 'bcrypt@4.0.1',
    fix: { file: 'bcrypt.cc', line: 224 },
    files: {
      'run.cc': `#include <stdio.h>
#include <string.h>
#include "node_blf.h"
static char password[1000], other[1000];
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  char first[128] = "", second[128] = "";
  const char *salt = "$2b$04$abcdefghijklmnopqrstuu";
  fread(password, 1, sizeof password - 1, file);
  fclose(file);
  other[0] = password[0];
  memset(other + 1, 'y', strlen(password) - 1);
  bcrypt(password, salt, first);
  bcrypt(other, salt, second);
  if (strcmp(first, second) == 0) {
    fprintf(stderr, "run: error: two passwords have one hash\\n");
    return 3;
  }
  return 0;
}
`,
      passing: 'x'.repeat(255),
      failing: 'x'.repeat(256),
    },
    places: 16,
    build: [
      'g++',
      '-g',
      '-O0',
      '-w',
      '-Inode_modules/bcrypt/src',
      'run.cc',
      'node_modules/bcrypt/src/bcrypt.cc',
      'node_modules/bcrypt/src/blowfish.cc',
      '-o',
      'run',
    ],
    command: ['./run', '{}'],
  },
  {
    name: 'cJSON, C: "1:" is taken for an array index (its pull request 957, fixed in 1.7.19)',
    package: 'cjson',
    from: 'debian source',
    fix: { file: 'cJSON_Utils.c', line: 285 },
    files: {
      'run.c': `#include <stdio.h>
#include "cJSON_Utils.h"
int main(int argc, char **argv) {
  char pointer[64] = "";
  int numbers[21] = {0};
  FILE *file = fopen(argv[1], "r");
  fread(pointer, 1, sizeof pointer - 1, file);
  fclose(file);
  cJSON *array = cJSON_CreateIntArray(numbers, 21);
  cJSON *item = cJSONUtils_GetPointer(array, pointer);
  if (item != NULL) {
    fprintf(stderr, "run: error: this is not an index\\n");
    return 3;
  }
  return 0;
}
`,
      passing: '/1.',
      failing: '/1:',
    },
    build: ['gcc', '-g', '-O0', '-w', '-Icjson', 'run.c', 'cjson/cJSON.c', 'cjson/cJSON_Utils.c', '-o', 'run', '-lm'],
    command: ['./run', '{}'],
  },
  {
    name: 'humanize 4.4.0, Python: 999.9 V becomes "1000 V" (its pull request 328)',
    package: 'python3-humanize',
    from: 'debian',
    fix: { file: 'number.py', line: 531 },
    files: {
      'run.py': `import sys
sys.path.insert(0, sys.path[0] + '/python3-humanize/usr/lib/python3/dist-packages')
from humanize import metric
text = metric(float(open(sys.argv[1]).read()), 'V')
if text.startswith('1000'):
    raise ValueError('the prefix is too small: ' + text)
`,
      passing: '999.4',
      failing: '999.9',
    },
    command: ['python3', 'run.py', '{}'],
  },
];

/** Puts a package into the folder: into node_modules, or into a folder with its name. */
function fetch({ package: wanted, from }: Subject, folder: string): void {
  const run = (line: string) =>
    execFileSync('sh', ['-c', line], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (from === undefined) run(`npm install --silent --ignore-scripts ${wanted}`);
  else if (from === 'debian') run(`apt-get -qq download ${wanted} && dpkg-deb -x ${wanted}_*.deb ${wanted}`);
  else {
    // The lists of source packages are kept in the folder, so the machine's own stay as they are.
    const own =
      '-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$PWD/apt -o Dir::State::Lists=$PWD/apt/lists';
    run(`mkdir -p apt/lists/partial ${wanted} && for list in /etc/apt/sources.list.d/*.sources; do
      sed 's/^Types:.*/Types: deb-src/' "$list" > "apt/$(basename "$list")"; done
      apt-get -qq ${own} update && apt-get -qq ${own} source --download-only ${wanted}
      tar xf ${wanted}_*.orig.tar.* --strip-components=1 -C ${wanted}`);
  }
}

interface Result {
  readonly runs: number;
  readonly tests: number;
  readonly seconds: number;
  readonly places: { readonly common: number; readonly examined: number };
  readonly transitions: readonly { readonly file: string; readonly from: number; readonly to: number }[];
}

const args = process.argv.slice(2);
const nodes = nodesIn(args);
const only = args.find((word, i) => word !== '--nodes' && args[i - 1] !== '--nodes') ?? '';
const cli = new URL('../../dist/cli/main.js', import.meta.url).pathname;

function prepare(subject: Subject): string {
  const { package: wanted, files, build } = subject;
  const folder = new URL(`../states/${wanted.replace(/[^\w.]+/g, '-')}/`, import.meta.url).pathname;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  fetch(subject, folder);
  if (build) execFileSync(build[0]!, build.slice(1), { cwd: folder });
  return folder;
}

/** The cells of a row, after the name of the bug. */
function measure({ fix, command, places }: Subject, cwd: string, node?: string): readonly (string | number)[] {
  const program = node === undefined ? command : [node, ...command.slice(1)];
  const more = places ? ['--places', `${places}`] : [];
  const words = ['states', '--passing', 'passing', '--failing', 'failing', '--json', '-j', '1', ...more];
  const { stdout } = spawnSync(process.execPath, [cli, ...words, '--', ...program], { cwd, encoding: 'utf8' });
  const result: Result = JSON.parse(stdout);
  const at = result.transitions.findIndex(
    ({ file, from, to }) => file.endsWith(`/${fix.file}`) && from <= fix.line && fix.line <= to,
  );
  const found = result.transitions[at];
  const range = found ? `${fix.file}:${found.from}–${found.to}` : 'not found';
  const milliseconds = Math.round((result.seconds * 1000) / result.runs);
  const { common, examined } = result.places;
  const line = `${fix.file}:${fix.line}`;
  return [line, range, at + 1, `${examined} of ${common}`, result.tests, result.runs, milliseconds];
}

const columns = ['bug', 'fixed line', 'transition', 'rank', 'places', 'tests', 'runs', 'ms a run'];
const head = nodes.length === 0 ? columns : ['Node', ...columns];
const rowOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const rows: string[] = [];
const row = (...cells: readonly (string | number)[]) => {
  rows.push(rowOf(cells));
  console.log(rows.at(-1));
};
for (const subject of subjects.filter(({ name }) => name.includes(only))) {
  if (nodes.length > 0 && subject.command[0] !== 'node') continue;
  const folder = prepare(subject);
  if (nodes.length === 0) row(subject.name, ...measure(subject, folder));
  for (const node of nodes.map(nodeOf))
    row(versionOf(node), subject.name.replace(/ \(.*/, ''), ...measure(subject, folder, node));
}
if (only === '') {
  const path = new URL('../../bench/states.md', import.meta.url).pathname;
  const before = readFileSync(path, 'utf8');
  const start = before.indexOf(`| ${head[0]} `);
  const table = [rowOf(head), `|${head.map(() => '---|').join('')}`, ...rows].join('\n');
  writeFileSync(path, before.slice(0, start) + table + before.slice(before.indexOf('\n\n', start)));
}
