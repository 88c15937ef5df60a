/** Fetches published npm packages. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UserError } from '../../core/index.js';
import { isExecutable, membersOfTar } from '../archives/tar.js';
import { folderSnapshot, type Snapshot } from './snapshot.js';

/** A published package, with its run-time dependencies installed in it. `cache` is a folder of ours. */
export async function npmSnapshot(spec: string, cache: string, signal?: AbortSignal): Promise<Snapshot> {
  const match = /^((?:@[^/@]+\/)?[^/@]+)@(.+)$/.exec(spec);
  if (!match)
    throw new UserError(
      `"npm:${spec}" names no version.`,
      'Write npm:<package>@<version>, for example npm:marked@0.6.2.',
    );
  const [, name = '', version = ''] = match;
  return kept({ name, version }, { cache, suffix: '' }, async work => {
    await pack({ name, version }, work, signal);
    await installNeeds({ name, version }, join(work, 'package'), signal);
  });
}

/** Only the files that were published, without dependencies. */
export const publishedFiles = (published: Published, cache: string, signal?: AbortSignal): Promise<Snapshot> =>
  kept(published, { cache, suffix: ' alone' }, work => pack(published, work, signal));

export interface Published {
  readonly name: string;
  readonly version: string;
}

/** What to do if npm can't fetch something. */
export const reachable = 'Is the registry reachable? To do without it, give two folders instead.';

async function kept(
  { name, version }: Published,
  { cache, suffix }: { readonly cache: string; readonly suffix: string },
  fetch: (work: string) => Promise<void>,
): Promise<Snapshot> {
  const place = join(cache, `${name.replace('/', '+')}@${version.replace(/[^\w.+-]/g, '_')}${suffix}`);
  if (!existsSync(place)) {
    mkdirSync(cache, { recursive: true });
    const work = mkdtempSync(join(cache, 'fetching-'));
    try {
      await fetch(work);
      // The whole package appears in one step: another run that fetches it at the same time finds all or nothing.
      if (!existsSync(place)) renameSync(join(work, 'package'), place);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return folderSnapshot(place);
}

/** Unpacks a published version into `package` in the folder. */
async function pack({ name, version }: Published, work: string, signal?: AbortSignal): Promise<void> {
  const packed = await npm(['pack', `${name}@${version}`, '--json', '--pack-destination', work], work, signal);
  if (packed.code !== 0) throw notFetched(name, version, packed.text);
  const file = /"filename":\s*"([^"]+)"/.exec(packed.text)?.[1];
  if (!file) throw notFetched(name, version, packed.text);
  // npm prints a scoped package's file as @scope/name-1.0.0.tgz and writes scope-name-1.0.0.tgz.
  const tarball = [file, file.replace('@', '').replace('/', '-')].map(at => join(work, at)).find(at => existsSync(at));
  if (!tarball) throw notFetched(name, version, packed.text);
  unpack(gunzipSync(readFileSync(tarball)), join(work, 'package'));
}

async function installNeeds({ name, version }: Published, folder: string, signal?: AbortSignal): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const needs = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  if (Object.keys(needs).length === 0) return;
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel=error'];
  const installed = await npm(['install', '--omit=dev', '--ignore-scripts', ...quiet], folder, signal);
  if (installed.code !== 0)
    throw new UserError(
      `The packages that ${name}@${version} needs could not be installed: ${lastLine(installed.text)}`,
      'Install both versions into folders by hand, and give the two folders instead.',
    );
  rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true });
}

function notFetched(name: string, version: string, text: string): UserError {
  if (/E404|ETARGET|notarget|No matching version/.test(text))
    return new UserError(
      `${name}@${version} is not published.`,
      `See which versions there are:\n  npm view ${name} versions`,
    );
  return new UserError(`npm could not fetch ${name}@${version}: ${lastLine(text)}`, reachable);
}

export const lastLine = (text: string): string =>
  text
    .split('\n')
    .filter(line => /npm (ERR!|error)/.test(line) && !/A complete log/.test(line))
    .map(line => line.replace(/^npm (ERR!|error) ?/, ''))
    .find(line => line.length > 10) ?? 'it gave no reason';

export function npm(
  args: readonly string[],
  cwd: string,
  signal?: AbortSignal,
): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', [...args], {
      cwd,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let text = '';
    child.stdout.on('data', data => (text += data));
    child.stderr.on('data', data => (text += data));
    child.on('close', code => resolve({ code: code ?? 1, text }));
    child.on('error', error =>
      reject(
        signal?.aborted
          ? error
          : new UserError(
              'The command `npm` could not be started.',
              'Install npm, or give two folders instead of npm: versions.',
            ),
      ),
    );
  });
}

/** A package's tar file: plain files below one top folder, which is dropped. */
export function unpack(tar: Uint8Array, folder: string): void {
  for (const { name, type, header, content } of membersOfTar(tar)) {
    const inside = Buffer.from(name).toString('utf8').split('/').slice(1);
    if ((type !== '0' && type !== '7') || inside.length === 0 || inside.includes('..')) continue;
    const file = join(folder, ...inside);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: isExecutable(header) ? 0o755 : 0o644 });
  }
}
