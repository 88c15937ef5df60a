// tsc for the code, a copy of the assets that are read at run time, then the bundle.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bundle, joinPreload } from './bundle.js';
import { vendor } from './vendor.js';

const root = new URL('..', import.meta.url);
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync(new URL('dist', root), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
// Everything that is not TypeScript: the page's own code, and the agents that watch programs.
cpSync(new URL('src', root), new URL('dist', root), {
  recursive: true,
  filter: path => statSync(path).isDirectory() || !path.endsWith('.ts'),
});
const dist = fileURLToPath(new URL('dist', root));
await vendor(dist);
// The man page comes from the commands themselves.
const [{ program }, { manualOf, examplesOf }] = await Promise.all([
  import(new URL('dist/cli/program.js', root).href),
  import(new URL('dist/cli/manual.js', root).href),
]);
const culprit = program();
writeFileSync(new URL('dist/culprit.1', root), manualOf(culprit, examplesOf(culprit)));
const { bin, exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const targets = [bin.culprit, ...Object.values(exports).map(each => each.default ?? '')];
await bundle(
  dist,
  targets.filter(path => path.endsWith('.js')).map(path => path.replace(/^\.?\/?dist\//, '')),
);
await joinPreload(dist);
chmodSync(new URL('dist/cli/main.js', root), 0o755);
