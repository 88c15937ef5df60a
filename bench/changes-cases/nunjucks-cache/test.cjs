// argv[2]: the folder of the package. Exit 0: as it should be. 1: the regression. 125: anything else.
const Module = require('node:module');
const path = require('node:path');

const dir = path.resolve(process.argv[2]);
process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});
// What the package depends on is beside this file. chokidar is only used to watch templates.
process.env.NODE_PATH = path.join(__dirname, 'node_modules');
Module._initPaths();
const load = Module._load;
Module._load = (name, ...rest) => (name === 'chokidar' ? {} : load(name, ...rest));

const { Environment, Loader } = require(dir);
let reads = 0;
const Templates = Loader.extend({
  getSource(name) {
    reads++;
    return { src: 'hello {{ name }}', path: name, noCache: false };
  },
});
const environment = new Environment([new Templates()]);
const texts = ['a', 'b', 'c'].map(name => environment.render('hello.html', { name }));
if (texts.join() !== 'hello a,hello b,hello c') throw new Error(texts.join());
console.log(`reads: ${reads}`);
process.exit(reads === 1 ? 0 : reads === 3 ? 1 : 125);
