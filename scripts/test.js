// `npm test`: gets what the tests need beyond npm where it can, says out loud what it can't, and runs vitest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What the tests drive for real, and the Debian package that has it. */
const programs = {
  gcc: 'gcc',
  'g++': 'g++',
  make: 'make',
  gdb: 'gdb',
  'clang-16': 'clang-16',
  'llvm-cov': 'llvm',
  bwrap: 'bubblewrap',
  chromium: 'chromium',
  git: 'git',
  patch: 'patch',
  perl: 'perl',
  python3: 'python3',
  dasm: 'dasm',
  pytest: 'python3-pytest',
  rspec: 'ruby-rspec',
  'lua5.4': 'lua5.4',
  tcc: 'tcc',
  php: 'php-cli',
  'redis-server': 'redis-server',
  zsh: 'zsh',
  fish: 'fish',
  groff: 'groff-base',
  "clang-16's runtime": 'libclang-rt-16-dev',
};

/** How it is seen that something is there, if it is not a program. */
const seen = {
  "clang-16's runtime": 'test -e "$(clang-16 --rtlib=compiler-rt -print-libgcc-file-name)"',
};
const has = program => spawnSync('sh', ['-c', seen[program] ?? `command -v ${program}`]).status === 0;
const missing = Object.keys(programs).filter(program => !has(program));
if (missing.length > 0 && process.platform === 'linux' && process.getuid?.() === 0 && has('apt-get')) {
  const packages = missing.map(program => programs[program]);
  console.log(`Installing for the tests: ${packages.join(', ')}`);
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], quiet);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet);
}
const still = Object.keys(programs).filter(program => !has(program));
for (const program of still) console.log(`NOT INSTALLED: ${program}; the tests that need it are skipped by name.`);
if (still.length > 0 && process.env.CI) {
  console.error('In CI nothing is skipped: install what is missing.');
  process.exit(1);
}
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
