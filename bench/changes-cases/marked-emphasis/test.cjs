// argv[2]: the folder of the package. Exit 0: as the old version does it. 1: as the new one does. 125: anything else.
const path = require('node:path');

process.on('uncaughtException', error => {
  console.error(error.stack);
  process.exit(125);
});
const marked = require(path.resolve(process.argv[2], 'lib/marked.js'));
const got = marked('*a **b***');
console.log(`got: ${got}`);
process.exit(got === '<p><em>a *</em>b***</p>\n' ? 0 : got === '<p><em>a <strong>b</strong></em></p>\n' ? 1 : 125);
