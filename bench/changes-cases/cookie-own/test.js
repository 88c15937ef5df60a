// argv[2]: the folder of the package.
process.on('uncaughtException', error => {
  console.error((error && error.stack) || error);
  process.exit(125);
});
const path = require('path');
const dir = path.resolve(process.argv[2]);
/** Exit 0: as it should be. 1: the regression. 125: anything else. */
function verdict(got, good, bad) {
  console.log('got: ' + got);
  process.exit(got === good ? 0 : got === bad ? 1 : 125);
}
const outcomeOf = run => {
  try {
    return String(run());
  } catch (error) {
    if (error instanceof ReferenceError) throw error;
    return error.constructor.name + ': ' + error.message;
  }
};
const cookie = require(path.join(dir, 'index.js'));
verdict(
  outcomeOf(() => JSON.stringify(cookie.parse('hasOwnProperty=1; a=2'))),
  '{"a":"2"}',
  'TypeError: obj.hasOwnProperty is not a function',
);
