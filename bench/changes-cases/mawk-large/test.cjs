// argv[2]: the folder of the program. Exit 0: as the old release prints it. 1: as the new one does. 125: anything else.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const program = path.resolve(process.argv[2], 'mawk');
const { stdout, error } = spawnSync(program, ['BEGIN { print 2147483648 }'], { encoding: 'utf8', timeout: 10_000 });
const got = error ? String(error) : stdout.trim();
console.log(`got: ${got}`);
process.exit(got === '2.14748e+09' ? 0 : got === '2147483648' ? 1 : 125);
