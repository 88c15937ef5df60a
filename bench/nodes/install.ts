/** Installs other versions of Node from npm, for benchmarks that run a program on each of them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The executable of this major version: the Node that runs, or one that is installed into .cache. */
export function nodeOf(line: string): string {
  if (process.versions.node.startsWith(`${line}.`)) return process.execPath;
  // Benchmarks run as bundles in .cache/bench.
  const folder = fileURLToPath(new URL(`../node/node-${line}`, import.meta.url));
  const node = join(folder, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(node)) npmInstall(folder, [`node@${line}`], []);
  return node;
}

export const versionOf = (node: string): string => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();

/** The major versions after `--nodes`. */
export function nodesIn(args: readonly string[]): readonly string[] {
  return args.includes('--nodes') ? args[args.indexOf('--nodes') + 1]!.split(',') : [];
}

export function npmInstall(
  folder: string,
  wanted: readonly string[],
  more: readonly string[] = ['--ignore-scripts'],
): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...more, ...wanted], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`Not installed: ${wanted.join(' ')}`);
}
