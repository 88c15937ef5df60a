// argv[2]: the folder of the package. Exit 0: as the old version does it. 1: as the new one does. 125: anything else.
const Module = require('node:module');
const path = require('node:path');

const dir = path.resolve(process.argv[2]);
process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});
// The only dependency: on a current Node it is the same as Buffer.
const load = Module._load;
Module._load = (name, ...rest) => (name === 'safer-buffer' ? { Buffer } : load(name, ...rest));

const iconv = require(dir);
const encoder = iconv.getEncoder('utf8');
const chunks = [encoder.write('a\ud83d'), encoder.write('\ude00b'), encoder.end()];
const got = Buffer.concat(chunks.map(chunk => chunk ?? Buffer.alloc(0))).toString('hex');
console.log(`got: ${got}`);
process.exit(got === '61efbfbdefbfbd62' ? 0 : got === '61f09f988062' ? 1 : 125);
