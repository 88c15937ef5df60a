// tsc for the code, then a copy of the assets that are read at run time.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';

const root = new URL('..', import.meta.url);
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync(new URL('dist', root), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
for (const assets of ['report/page/assets', 'oracle/test-runners/plugins'])
  cpSync(new URL(`src/${assets}`, root), new URL(`dist/${assets}`, root), { recursive: true });
chmodSync(new URL('dist/cli/main.js', root), 0o755);
