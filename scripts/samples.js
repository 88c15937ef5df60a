// Writes the sample outputs of the README, docs/ and examples/ anew, from real runs: `node scripts/samples.js [page…]` after `npm run build`.
// A sample whose meaning is the same stays as it is, so a run without changes changes nothing. `--all` writes times and costs anew, too.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { make } from './samples/make.js';
import { samplesIn, stable } from './samples/read.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2).filter(word => word !== '--all');
const isAll = process.argv.includes('--all');
const inDocs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'));
const pages = [
  'README.md',
  ...inDocs.map(name => `docs/${name}`),
  ...readdirSync(join(root, 'examples')).map(name => `examples/${name}/README.md`),
];
for (const page of given.length > 0 ? given : pages) renew(page);

function renew(page) {
  let text = readFileSync(join(root, page), 'utf8');
  const samples = samplesIn(text);
  const made = new Map();
  for (const command of new Set(samples.map(sample => sample.command))) {
    console.log(`${page}: ${command}`);
    const shown = samples.filter(sample => sample.command === command);
    const folder = shown[0].folder ?? dirname(page);
    for (const [i, written] of make(shown, { root, main: join(root, 'dist/cli/main.js'), folder }).entries())
      made.set(shown[i], written);
  }
  // From the end, so that the places of the others stay true.
  for (const sample of samples.toReversed()) {
    const fresh = made.get(sample);
    if (!isAll && stable(fresh) === stable(sample.text)) continue;
    text = text.slice(0, sample.from) + fresh + text.slice(sample.to);
  }
  writeFileSync(join(root, page), text);
}
