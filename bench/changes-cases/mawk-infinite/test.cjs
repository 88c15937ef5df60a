// argv[2]: the folder of the program. Exit 0: as the old release prints it. 1: as the new one does. 125: anything else.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const program = path.resolve(process.argv[2], 'mawk');
const { stdout, error } = spawnSync(program, ['BEGIN { print 1e300 * 1e300 }'], { encoding: 'utf8', timeout: 10_000 });
const got = error ? String(error) : stdout.trim();
console.log(`got: ${got}`);
process.exit(got === 'inf' ? 0 : got === '+inf' ? 1 : 125);
