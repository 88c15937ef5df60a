// `npm run bench -- states`: cause-effect chains of published bugs. Fetches the packages with npm; C needs g++ and gdb.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Subject {
  readonly name: string;
  readonly package: string;
  /** The line that the published fix changes. */
  readonly fix: { readonly file: string; readonly line: number };
  readonly files: Readonly<Record<string, string>>;
  readonly build?: readonly string[];
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
];

interface Result {
  readonly runs: number;
  readonly tests: number;
  readonly seconds: number;
  readonly places: { readonly common: number; readonly examined: number };
  readonly transitions: readonly { readonly file: string; readonly from: number; readonly to: number }[];
}

const cli = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const rows: string[] = [];
for (const { name, package: wanted, fix, files, build, command } of subjects) {
  const folder = new URL(`../states/${wanted.replace(/[^\w.]+/g, '-')}/`, import.meta.url).pathname;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', wanted], { cwd: folder });
  if (build) execFileSync(build[0]!, build.slice(1), { cwd: folder });
  const { stdout } = spawnSync(
    process.execPath,
    [cli, 'states', '--passing', 'passing', '--failing', 'failing', '--json', '-j', '1', '--', ...command],
    { cwd: folder, encoding: 'utf8' },
  );
  const result: Result = JSON.parse(stdout);
  const at = result.transitions.findIndex(
    ({ file, from, to }) => file.endsWith(`/${fix.file}`) && from <= fix.line && fix.line <= to,
  );
  const found = result.transitions[at];
  const range = found ? `${fix.file}:${found.from}–${found.to}` : 'not found';
  const milliseconds = Math.round((result.seconds * 1000) / result.runs);
  const { common, examined } = result.places;
  rows.push(
    `| ${name} | ${fix.file}:${fix.line} | ${range} | ${at + 1} | ${examined} of ${common} | ${result.tests} | ${result.runs} | ${milliseconds} |`,
  );
  console.log(rows.at(-1));
}
const path = new URL('../../bench/states.md', import.meta.url).pathname;
const before = readFileSync(path, 'utf8');
const head = before.slice(0, before.indexOf('| bug'));
const tail = before.slice(before.indexOf('\n\n', before.indexOf('| bug')));
const table = [
  '| bug | fixed line | transition | rank | places | tests | runs | ms a run |',
  '|---|---|---|---|---|---|---|---|',
  ...rows,
];
writeFileSync(path, `${head}${table.join('\n')}${tail}`);
