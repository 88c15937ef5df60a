// `npm start`: the main job on a bundled example, with nothing else set up.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const extra = process.argv.slice(2);
const args =
  extra.length > 0
    ? extra
    : ['reduce', 'examples/mozilla/query.html', '--', process.execPath, 'examples/mozilla/print.js', '{}'];
const { status } = spawnSync(process.execPath, [cli, ...args], {
  stdio: 'inherit',
  cwd: fileURLToPath(new URL('..', import.meta.url)),
});
process.exit(status ?? 1);
