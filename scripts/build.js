// tsc for the code, then a copy of the assets that are read at run time.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

const root = new URL('..', import.meta.url);
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync(new URL('dist', root), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
// Everything that is not TypeScript: the page's own code, and the agents that watch programs.
cpSync(new URL('src', root), new URL('dist', root), {
  recursive: true,
  filter: path => statSync(path).isDirectory() || !path.endsWith('.ts'),
});
chmodSync(new URL('dist/cli/main.js', root), 0o755);
