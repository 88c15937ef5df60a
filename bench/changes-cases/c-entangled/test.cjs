// argv[2]: the folder of the program. Exit 0: the number of the old version. 1: that of the new one. 125: anything else.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const { stdout, error } = spawnSync(path.resolve(process.argv[2], 'program'), { encoding: 'utf8', timeout: 10_000 });
const got = error ? String(error) : stdout.trim();
console.log(`got: ${got}`);
process.exit(got === '6263' ? 0 : got === '6244' ? 1 : 125);
