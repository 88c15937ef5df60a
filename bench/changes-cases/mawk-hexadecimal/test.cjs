// argv[2]: the folder of the program. Exit 0: as the old release prints it. 1: as the new one does. 125: anything else.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const program = path.resolve(process.argv[2], 'mawk');
const { stdout, error } = spawnSync(program, ['BEGIN { print "0x1A" + 0 }'], { encoding: 'utf8', timeout: 10_000 });
const got = error ? String(error) : stdout.trim();
console.log(`got: ${got}`);
process.exit(got === '26' ? 0 : got === '0' ? 1 : 125);
