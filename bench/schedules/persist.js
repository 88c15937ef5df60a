// A program that keeps its last position. With node-persist 3.1.0 an unlucky order leaves a damaged file; 3.1.3 queues the writes.
// NP names the package.
const persist = require(process.env.NP);
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const assert = require('node:assert');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'persist-'));
async function main() {
  const store = persist.create({ dir });
  await store.init();
  await Promise.all([store.setItem('position', 'short'), store.setItem('position', 'a longer text')]);
  const [name] = fs.readdirSync(dir);
  const saved = JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8'));
  assert.strictEqual(saved.value, 'a longer text', 'an older position was saved last');
}
main().catch(error => {
  console.error(error);
  process.exit(1);
});
