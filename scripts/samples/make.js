// Runs the command of a sample in a copy of its folder, and reads what the sample shows.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

/** `root`: the repository. `main`: the culprit to run. Returns the text of each sample; the command runs once. */
export function make(samples, { root, main, folder }) {
  const place = mkdtempSync(join(tmpdir(), 'culprit-sample-'));
  try {
    const [{ command }] = samples;
    const cwd = join(place, basename(folder));
    cpSync(join(root, folder), cwd, { recursive: true, filter: path => !/\/(\.culprit|node_modules)$/.test(path) });
    // What the example would install.
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    if (existsSync(join(cwd, 'package.json'))) symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
    const printed = run(command, { cwd, main, place });
    return samples.map(({ kind, name }) => {
      const text = kind === 'file' ? readFileSync(join(cwd, name), 'utf8') : summaryOf(printed);
      return readable(text.endsWith('\n') ? text : `${text}\n`, { cwd, place, main });
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function run(command, { cwd, main, place }) {
  const bin = join(place, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'culprit'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(join(bin, 'culprit'), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR', 'CULPRIT_WORKSPACE']) delete env[name];
  const { status, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`\`${command}\` ended with exit ${status}:\n${stderr}`);
  return stderr;
}

/** From the line that says what was proven. The lines before it depend on the speed of the machine. */
function summaryOf(printed) {
  const at = printed.search(/^[✓■] /m);
  if (at < 0) throw new Error(`No summary was printed:\n${printed}`);
  return printed.slice(at);
}

/** Without the places of this machine, and without what was run ahead of need. */
const readable = (text, { cwd, place, main }) =>
  text
    .replaceAll(`file://${cwd}/`, 'file:///…/')
    .replaceAll(`${cwd}/`, '')
    .replaceAll(place, '…')
    .replaceAll(dirname(dirname(main)), '…/culprit/dist')
    .replaceAll(/(?<![\w.-])\/[\w./-]*\/node(?= )/g, 'node')
    .replaceAll(/; also [\d,]+ speculative runs?, unused/g, '');
