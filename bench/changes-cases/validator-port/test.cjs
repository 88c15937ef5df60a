// argv[2]: the folder of the package. Exit 0: as it should be. 1: the regression. 125: anything else.
const path = require('node:path');

const dir = path.resolve(process.argv[2]);
process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});

function outcomeOf(run) {
  try {
    return String(run());
  } catch (error) {
    if (error instanceof ReferenceError) throw error;
    return `${error.constructor.name}: ${error.message}`;
  }
}

function verdict(got, good, bad) {
  console.log(`got: ${got}`);
  process.exit(got === good ? 0 : got === bad ? 1 : 125);
}

const { default: isURL } = require(path.join(dir, 'lib/isURL.js'));
verdict(
  outcomeOf(() => isURL('example.com:80')),
  'true',
  'false',
);
