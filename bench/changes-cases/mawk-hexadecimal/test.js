const { spawnSync } = require('child_process');
const path = require('path');
/** Exit 0: as the old release prints it. 1: as the new one does. 125: anything else. */
const { stdout = '', error } = spawnSync(path.resolve(process.argv[2], 'mawk'), ['BEGIN { print "0x1A" + 0 }'], {
  encoding: 'utf8',
  timeout: 10_000,
});
const got = error ? String(error) : stdout.trim();
console.log('got: ' + got);
process.exit(['26'].includes(got) ? 0 : ['0'].includes(got) ? 1 : 125);
