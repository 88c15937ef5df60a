import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { joinModules } from '../../scripts/bundle.js';

const ownCache = fileURLToPath(new URL('../../.cache', import.meta.url));

/** A place for folders that is not in /tmp, which --sandbox hides, even if this repository is. */
export const cache = ownCache.startsWith('/tmp/') ? '/var/tmp' : ownCache;

/** The real command line, from the sources as they are now: a build of its own, so that an old dist/ can't be what is tested. */
export const main = await built();

async function built(): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const src = join(root, 'src');
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).sort();
  // What a test starts or imports.
  const entries = ['cli/main.ts', 'index.ts', 'library/vitest.ts', 'library/fast-check.ts', 'run/lock.ts'];
  const digest = createHash('sha256').update(entries.join());
  for (const name of names) {
    const stats = statSync(join(src, name));
    if (stats.isFile()) digest.update(`${name} ${stats.mtimeMs} ${stats.size}\n`);
  }
  const builds = join(cache, cache === ownCache ? 'cli' : `culprit-cli-${process.getuid?.()}`);
  const folder = join(builds, digest.digest('hex').slice(0, 12));
  const entry = join(folder, 'dist', 'cli', 'main.js');
  if (existsSync(entry)) return entry;
  mkdirSync(builds, { recursive: true });
  const fresh = mkdtempSync(join(builds, 'new-'));
  const outdir = join(fresh, 'dist');
  await joinModules({ from: src, entries, to: outdir });
  cpSync(src, outdir, { recursive: true, filter: path => statSync(path).isDirectory() || !path.endsWith('.ts') });
  copyFileSync(join(root, 'package.json'), join(fresh, 'package.json'));
  if (cache !== ownCache) symlinkSync(join(root, 'node_modules'), join(fresh, 'node_modules'));
  try {
    renameSync(fresh, folder);
  } catch {
    rmSync(fresh, { recursive: true, force: true }); // Another test file built the same in the meantime.
  }
  return entry;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface How {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the command line: a shell that sets limits, for instance. */
  readonly within?: readonly string[];
}

/** What CI, colours and an outer culprit would change is left out. */
const environment = (more: How['env'] = {}): NodeJS.ProcessEnv => {
  const { CI: _, FORCE_COLOR: __, NO_COLOR: ___, CULPRIT_WORKSPACE: ____, ...env } = process.env;
  return { ...env, ...more };
};

export function start(
  args: readonly string[],
  { cwd, env, within = [] }: How,
): ChildProcess & { ended: Promise<Ended> } {
  const [program = '', ...rest] = [...within, process.execPath, main, ...args];
  const child = spawn(program, rest, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  // A test that fails half-way must not leave it running.
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => (stdout += data));
  child.stderr?.on('data', (data: Buffer) => (stderr += data));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return Object.assign(child, { ended });
}

export const culprit = (args: readonly string[], how: How): Promise<Ended> => start(args, how).ended;

/** A folder for one test, with these files in it; what starts with `#!` can be executed. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}, base = tmpdir()): string {
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(join(base, 'culprit-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(path, 0o755);
  }
  return folder;
}

/** A command that fails as long as its input holds the word BOOM. */
export const boom = `#!/bin/sh
if grep -q BOOM "$1"; then echo "Error: boom found" >&2; exit 3; fi
`;

/** Processes that have this text in their environment or their command line. */
export function processesWith(text: string): readonly number[] {
  const holds = (path: string) => {
    try {
      return readFileSync(path, 'latin1').includes(text);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => holds(`/proc/${pid}/environ`) || holds(`/proc/${pid}/cmdline`))
    .map(Number);
}

/** Temporary folders of a culprit with this process id. */
export const leftBehindBy = (pid: number): readonly string[] =>
  [...new Set(['/dev/shm', tmpdir()])]
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    .filter(path => path.includes(`/culprit-${pid}-`));

/** Waits for something that another process does in its own time; on a busy machine a start alone may take twenty seconds. */
export async function until(isTrue: () => boolean, patience = 120_000): Promise<boolean> {
  for (const began = Date.now(); Date.now() - began < patience; await new Promise(resolve => setTimeout(resolve, 20)))
    if (isTrue()) return true;
  return isTrue();
}

export const lines = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);
