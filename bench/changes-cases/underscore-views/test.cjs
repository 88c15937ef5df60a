// argv[2]: the folder with the file. Exit 0: as the old version does it. 1: as the new one does. 125: anything else.
const path = require('node:path');

process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});

const _ = require(path.resolve(process.argv[2], 'underscore.js'));
const got = _.isEqual(new Uint8Array([9, 1, 2]).subarray(1), new Uint8Array([1, 2]));
console.log(`equal: ${got}`);
process.exit(got === true ? 0 : got === false ? 1 : 125);
