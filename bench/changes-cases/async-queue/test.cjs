// argv[2]: the folder of the package. Exit 0: an array in a queue stays one task. 1: it is flattened. 125: anything else.
const path = require('node:path');

process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});
const { queue } = require(path.resolve(process.argv[2], 'index.js'));
const seen = [];
const tasks = queue((task, done) => {
  seen.push(task);
  setImmediate(done);
}, 1);
tasks.push([[1, 2], [3]]);
setTimeout(() => {
  const got = JSON.stringify(seen);
  console.log(`got: ${got}`);
  process.exit(got === '[[1,2],[3]]' ? 0 : got === '[1,2,3]' ? 1 : 125);
}, 60);
