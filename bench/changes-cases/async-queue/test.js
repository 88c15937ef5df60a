// argv[2]: the folder of the package. Exit 0: an array pushed into a queue stays one task; 1: it is flattened; 125: anything else.
process.on('uncaughtException', error => {
  console.error((error && error.stack) || error);
  process.exit(125);
});
const path = require('path');
const async = require(path.resolve(process.argv[2], 'index.js'));
const seen = [];
const queue = async.queue((task, done) => {
  seen.push(task);
  setImmediate(done);
}, 1);
const finish = () => {
  const text = JSON.stringify(seen);
  console.log('got: ' + text);
  process.exit(text === '[[1,2],[3]]' ? 0 : text === '[1,2,3]' ? 1 : 125);
};
queue.push([[1, 2], [3]]);
setTimeout(finish, 60);
