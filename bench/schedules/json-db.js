// A program that writes a value, and another one a little later. With node-json-db 2.0.0 one of them is lost in an unlucky order; 2.2.0
// has a lock.
// NJD names the package.
const name = process.env.NJD;
const { JsonDB, Config = require(`${name}/dist/lib/JsonDBConfig`).Config } = require(name);
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const assert = require('node:assert');
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'json-db-')), 'data.json');
fs.writeFileSync(file, '{}');
async function main() {
  const db = new JsonDB(new Config(file, true, false, '/'));
  const first = db.push('/a', 1);
  await new Promise(done => setTimeout(done, 5));
  await Promise.all([first, db.push('/b', 2)]);
  assert.deepStrictEqual(await db.getData('/'), { a: 1, b: 2 }, 'a value is lost');
}
main().catch(error => {
  console.error(error);
  process.exit(1);
});
