/** A project with its lockfile and installed packages. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../core/index.js';
import { folderSnapshot, inOrder, type Snapshot } from '../versions/snapshot.js';
import { type Lockfile, readLockfile } from './lockfile.js';

/** A project with its lockfile and the `node_modules` installed from it. */
export interface Project {
  readonly lockfile: Lockfile;
  /** The project's own files and `node_modules`. */
  readonly files: Snapshot;
}

/**
 * The project of a lockfile. The `node_modules` next to it is used if it matches the lockfile. Otherwise the packages are
 * installed, without their scripts, into a folder of ours in `cache`. The user's own folder is only read.
 */
export async function openProject(path: string, cache: string, signal?: AbortSignal): Promise<Project> {
  const lockfile = readLockfile(path);
  const folder = dirname(path);
  if (isInstalled(folder, lockfile)) return { lockfile, files: folderSnapshot(folder) };
  const place = join(cache, `lockfile-${createHash('sha256').update(lockfile.text).digest('hex').slice(0, 16)}`);
  if (!existsSync(place)) await install(path, lockfile, { cache, place }, signal);
  const own = existsSync(join(folder, 'package.json'))
    ? folderSnapshot(folder, ['.git', '.culprit', 'node_modules'])
    : new Map();
  return { lockfile, files: inOrder(new Map([...folderSnapshot(place), ...own])) };
}

/** npm's own record in node_modules says what is installed; optional packages for other machines may be missing. */
function isInstalled(folder: string, lockfile: Lockfile): boolean {
  const note = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(note)) return false;
  const there = installedBy(note);
  return (
    there !== undefined &&
    Object.entries(there).every(([location, { version }]) => lockfile.packages[location]?.version === version) &&
    Object.entries(lockfile.packages).every(
      ([location, entry]) => location === '' || location in there || isOptional(entry),
    )
  );
}

/** npm's record of what is installed; one that can't be read says nothing. */
function installedBy(note: string): Lockfile['packages'] | undefined {
  try {
    return readLockfile(note).packages;
  } catch {
    return undefined;
  }
}

const isOptional = (entry: object): boolean => 'optional' in entry || 'peer' in entry;

async function install(
  path: string,
  lockfile: Lockfile,
  { cache, place }: { readonly cache: string; readonly place: string },
  signal?: AbortSignal,
): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'installing-'));
  try {
    const manifest = join(dirname(path), 'package.json');
    const { name = 'project', ...asks } = (lockfile.packages[''] ?? {}) as { name?: string };
    const text = existsSync(manifest) ? readFileSync(manifest) : JSON.stringify({ name, version: '0.0.0', ...asks });
    writeFileSync(join(work, 'package.json'), text);
    writeFileSync(join(work, 'package-lock.json'), lockfile.text);
    const said = await npmCi(work, signal);
    if (said !== undefined)
      throw new UserError(
        `The packages of ${path} could not be installed: ${said}`,
        `Try it yourself in a folder with the lockfile and its package.json:\n  npm ci --ignore-scripts`,
      );
    if (!existsSync(place)) renameSync(work, place);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** `undefined` if it succeeded, else npm's own first sentence. */
function npmCi(cwd: string, signal?: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const child = spawn('npm', args, {
      cwd,
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
    });
    let text = '';
    child.stderr.on('data', data => (text += data));
    child.on('error', error => (signal?.aborted ? reject(error) : resolve('the command `npm` could not be started')));
    child.on('close', code => {
      const lines = text.split('\n').map(line => line.replace(/^npm (ERR!|error) ?/, ''));
      resolve(code === 0 ? undefined : (lines.find(line => line.length > 15) ?? `npm ci exits with ${code}`));
    });
  });
}
