// A program that writes two values at the same time. With node-json-db 2.0.0 one of them is lost in most orders; 2.2.0 has a lock.
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
  await Promise.all([db.push('/a', 1), db.push('/b', 2)]);
  assert.deepStrictEqual(await db.getData('/'), { a: 1, b: 2 }, 'a value is lost');
}
main().catch(error => {
  console.error(error);
  process.exit(1);
});
