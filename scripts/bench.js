// `npm run bench -- <name>`: bundles bench/<name>.ts and runs it, so that benchmarks read the sources, not an old build.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { sourceAddresses } from './source-addresses.js';

const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(new URL('../bench', import.meta.url))
  .filter(file => file.endsWith('.ts'))
  .map(file => file.slice(0, -3));
if (!name || !names.includes(name)) {
  console.error(`Which benchmark? npm run bench -- <name> [options]; there are: ${names.join(', ')}`);
  process.exit(2);
}
const folder = new URL('../.cache/bench/', import.meta.url);
mkdirSync(folder, { recursive: true });
const outfile = new URL(`${name}.mjs`, folder).pathname;
await build({
  entryPoints: [new URL(`../bench/${name}.ts`, import.meta.url).pathname],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  plugins: [sourceAddresses],
  logLevel: 'error',
});
const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...rest], { stdio: 'inherit' });
process.exit(status ?? 1);
