// argv[2]: the folder of the program. Exit 0: no error, as in the old release. 1: an error, as in the new one. 125: anything else.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const program = path.resolve(process.argv[2], 'src/lua');
const script = 'for position in utf8.codes("a\\x80") do end print("no error")';
const { stdout, stderr, error } = spawnSync(program, ['-e', script], { encoding: 'utf8', timeout: 10_000 });
console.log(`got: ${error ?? (stdout + stderr).trim()}`);
process.exit(stdout === 'no error\n' ? 0 : /invalid UTF-8 code/.test(stderr) ? 1 : 125);
