// `npm start`: the main job on a bundled example, with nothing else set up.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const extra = process.argv.slice(2);
const args = extra.length > 0 ? extra : ['explain', '--example', 'granularity'];
const { status } = spawnSync(process.execPath, [cli, ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
