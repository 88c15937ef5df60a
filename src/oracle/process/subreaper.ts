/** Starts a program as a child subreaper, so that no process below it can escape by losing its parent. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** PR_SET_CHILD_SUBREAPER, prctl(2). It survives exec, but children do not inherit it. */
const option = 36;

/** The system call number of prctl: Perl has no name for it. */
const numbers: Readonly<Partial<Record<NodeJS.Architecture, number>>> = {
  x64: 157,
  arm64: 167,
  riscv64: 167,
  loong64: 167,
  ia32: 172,
  arm: 172,
  s390x: 172,
  ppc64: 171,
};

/** Node can't call prctl, so a small interpreter does it and then becomes the program. Perl starts in 3 ms, Python in 15. */
function* interpreters(): Generator<readonly string[]> {
  const number = numbers[process.arch];
  if (number !== undefined)
    yield [
      'perl',
      '-e',
      `syscall(${number}, ${option}, 1, 0, 0, 0) == 0 or exit 125; exec { $ARGV[0] } @ARGV; exit 127`,
    ];
  yield [
    'python3',
    '-Ic',
    `import ctypes, os, sys\nif ctypes.CDLL(None).prctl(${option}, 1, 0, 0, 0): sys.exit(125)\nos.execv(sys.argv[1], sys.argv[1:])`,
  ];
}

let found: readonly string[] | false | undefined;

/** The words to put before a program with an absolute path; `undefined` if this machine has neither Perl nor Python. */
export function subreaper(): readonly string[] | undefined {
  if (found === undefined) found = (process.platform === 'linux' && firstThatWorks()) || false;
  return found === false ? undefined : found;
}

function firstThatWorks(): readonly string[] | undefined {
  for (const [name = '', ...args] of interpreters())
    for (const folder of new Set([
      '/usr/bin',
      '/usr/local/bin',
      '/bin',
      ...(process.env.PATH ?? '').split(delimiter),
    ])) {
      const path = join(folder || '/', name);
      if (!isProgram(path)) continue;
      // No variables: the user's PERL5OPT or PYTHONHOME must not affect this.
      if (spawnSync(path, [...args, '/bin/sh', '-c', ':'], { env: {}, stdio: 'ignore', timeout: 10_000 }).status === 0)
        return [path, ...args];
    }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
