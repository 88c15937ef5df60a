// argv[2]: the folder of the package. Exit 0: as the old version does it. 1: as the new one does. 125: anything else.
const Module = require('node:module');
const path = require('node:path');

const dir = path.resolve(process.argv[2]);
process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});
// Only needed for functions and for the command line.
const load = Module._load;
Module._load = (name, ...rest) => (name === 'esprima' || name === 'argparse' ? {} : load(name, ...rest));

const yaml = require(dir);
const got = JSON.stringify(yaml.dump({ list: [1, { name: 'x' }] }));
console.log(`got: ${got}`);
process.exit(got === '"list: \\n  - 1\\n  - name: x\\n"' ? 0 : got === '"list:\\n  - 1\\n  - name: x\\n"' ? 1 : 125);
