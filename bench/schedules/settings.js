// A program that saves its settings whenever one changes. With write-file-atomic 1.1.4 and 2.1.0 an unlucky order leaves stale ones on
// disk; 2.4.3 and 3.0.3 are fixed. WFA names the package.
const write = require(process.env.WFA);
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const assert = require('node:assert');
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'settings-')), 'config.json');
const settings = {};
const saving = [];
function set(key, value) {
  settings[key] = value;
  saving.push(new Promise((ok, no) => write(file, JSON.stringify(settings), error => (error ? no(error) : ok()))));
}
set('a', 1);
set('b', 2);
setTimeout(() => {
  set('c', 3);
  Promise.all(saving).then(() =>
    assert.deepStrictEqual(JSON.parse(fs.readFileSync(file, 'utf8')), settings, 'saved settings are stale'),
  );
}, 5);
