// argv[2]: the folder with the file. Exit 0: as the old version does it. 1: as the new one does. 125: anything else.
const path = require('node:path');

process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});

const _ = require(path.resolve(process.argv[2], 'lodash.min.js'));
const sorted = _.sortBy(
  [
    { a: 1, n: 1 },
    { a: 2, n: 2 },
  ],
  [['a', 1]],
);
const got = sorted.map(({ n }) => n).join();
console.log(`order: ${got}`);
process.exit(got === '2,1' ? 0 : got === '1,2' ? 1 : 125);
