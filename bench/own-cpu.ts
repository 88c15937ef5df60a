/**
 * What a search costs culprit itself: processor time, and the longest processor time in which it hears no signal.
 *   npm run bench -- own-cpu <file> <text that must stay>... [--level semantic]
 * The test is free: the candidate contains all of these texts, in this order.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Artifact, bytesOf } from '../src/core/artifact.js';
import { Counter } from '../src/engine/index.js';
import { type Level, reducePasses } from '../src/plans/reduce/passes.js';
import { simplify } from '../src/plans/simplify.js';
import { identify, identifyIgnoringWhitespace } from '../src/sources/files.js';

const words = process.argv.slice(2);
const at = words.indexOf('--level');
const level = at < 0 ? undefined : (words.splice(at, 2)[1] as Level);
const [file, ...needed] = words;
if (file === undefined || needed.length === 0) {
  console.error('Which file, and which texts must stay? npm run bench -- own-cpu <file> <text>... [--level semantic]');
  process.exit(2);
}
const bytes = readFileSync(file);
const artifact: Artifact = { files: new Map([[basename(file), { kind: 'file', bytes }]]) };

const holds = (text: string): boolean => {
  let from = 0;
  for (const each of needed) {
    const found = text.indexOf(each, from);
    if (found < 0) return false;
    from = found + each.length;
  }
  return true;
};
if (!holds(bytes.toString('latin1'))) {
  console.error(`${file} does not contain these texts in this order.`);
  process.exit(2);
}

let pass = 'start';
let last = process.cpuUsage();
let isRunning = true;
const stalls = new Map<string, number>();
const tick = (): void => {
  const now = process.cpuUsage();
  stalls.set(pass, Math.max(stalls.get(pass) ?? 0, (now.user + now.system - last.user - last.system) / 1e3));
  last = now;
  if (isRunning) setImmediate(tick);
};
setImmediate(tick);

const began = process.cpuUsage();
const cost = (): number => {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
};
const costs = new Map<string, number>();
const counter = new Counter();
const search = simplify(
  artifact,
  await reducePasses(artifact, level === undefined ? {} : { level }),
  async candidate => {
    const [entry] = candidate.files.values();
    const text = entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1') : '';
    return { outcome: holds(text) ? 'fail' : 'pass' };
  },
  { identify, identifyIgnoringWhitespace, measure: bytesOf, counter },
);
let spent = cost();
for (;;) {
  const step = await search.next();
  costs.set(pass, (costs.get(pass) ?? 0) + cost() - spent);
  spent = cost();
  if (step.done) {
    isRunning = false;
    console.log(
      `${bytes.length} → ${bytesOf(step.value.artifact)} bytes, ${counter.spent} tests, ${cost().toFixed(1)} s of CPU`,
    );
    break;
  }
  if (step.value.type === 'pass') pass = step.value.pass;
}
const worst = [...stalls].sort((a, b) => b[1] - a[1]).slice(0, 5);
console.log(`longest without a yield: ${worst.map(([name, ms]) => `${ms.toFixed(0)} ms (from ${name})`).join(', ')}`);
const dear = [...costs].sort((a, b) => b[1] - a[1]).slice(0, 6);
console.log(`dearest: ${dear.map(([name, s]) => `${name} ${s.toFixed(1)} s`).join(', ')}`);
