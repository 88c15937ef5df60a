// argv[2]: the folder of the program. Exit 0: there is no such option. 1: the last line gets a line break. 125: anything else.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const program = path.resolve(process.argv[2], 'dos2unix');
const { stdout, error } = spawnSync(program, ['-q', '-e'], { input: 'one\r\ntwo', encoding: 'utf8', timeout: 10_000 });
console.log(`got: ${error ?? JSON.stringify(stdout.slice(0, 20))}`);
process.exit(stdout.startsWith('Usage:') ? 0 : stdout === 'one\ntwo\n' ? 1 : 125);
