// argv[2]: the folder with the file. Exit 0: as the old version does it. 1: as the new one does. 125: anything else.
const path = require('node:path');

process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});

const validator = require(path.resolve(process.argv[2], 'validator.min.js'));
const got = validator.isBase64('');
console.log(`valid: ${got}`);
process.exit(got === false ? 0 : got === true ? 1 : 125);
