// argv[2]: the folder of the version. Compiles it without any flag, in a folder of its own.
// Exit 0: <search> stays in its paragraph, as in the old release. 1: it begins a block, as in the new one. 125: anything else.
const { spawnSync } = require('node:child_process');
const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const root = path.resolve(process.argv[2]);
const made = mkdtempSync(path.join(tmpdir(), 'md4c-'));
const sources = ['src', 'md2html'].flatMap(folder =>
  readdirSync(path.join(root, folder))
    .filter(name => name.endsWith('.c'))
    .map(name => path.join(folder, name)),
);
const version = ['MAJOR', 'MINOR', 'RELEASE'].map(name => `-DMD_VERSION_${name}=0`);
const program = path.join(made, 'md2html');
const built = spawnSync('cc', ['-w', '-Isrc', ...version, '-o', program, ...sources], { cwd: root, encoding: 'utf8' });
const run = spawnSync(program, [], { input: 'foo\n<search>\n', encoding: 'utf8', timeout: 10_000 });
rmSync(made, { recursive: true, force: true });
console.log(`got: ${built.status === 0 ? (run.stdout ?? '') : built.stderr}`);
process.exit(
  built.status !== 0
    ? 125
    : /foo\n<search><\/p>/.test(run.stdout)
      ? 0
      : /foo<\/p>\n<search>/.test(run.stdout)
        ? 1
        : 125,
);
