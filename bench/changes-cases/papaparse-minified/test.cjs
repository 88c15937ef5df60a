// argv[2]: the folder of the package. Exit 0: as it should be. 1: the regression. 125: anything else.
const path = require('node:path');

process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});

const { parse } = require(path.resolve(process.argv[2], 'papaparse.min.js'));
let calls = 0;
const transformHeader = name => {
  calls++;
  return name;
};
parse('a,b\n1,2\n3,4', { header: true, transformHeader });
console.log(`transformHeader was called ${calls} times`);
process.exit(calls === 2 ? 0 : calls === 4 ? 1 : 125);
