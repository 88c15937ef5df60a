// Starts `go test -json` with the given words, prints what the tests print, and writes down how each test ended.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { plan, write } = require('./plan.cjs');
const { beforeAll, afterOthers } = require('./watch.cjs');
const words = process.argv.slice(2);

/** What the tests before the target leave behind: they run once by themselves. */
if (plan.watch) {
  const others = plan.arrangement.flatMap(({ tests }) => tests).filter(name => name !== plan.target.name);
  beforeAll();
  await run(
    words.map(word => (word.startsWith('-run=') ? `-run=^(${others.join('|')})$` : word)),
    () => {},
  );
  afterOthers();
}
const [code, signal] = await run(words, write);
if (signal) process.kill(process.pid, signal);
process.exitCode = code;

/** Each line is an event: https://pkg.go.dev/cmd/test2json. Subtests belong to their test. */
function run([program, ...args], report) {
  const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'inherit'] });
  const printed = new Map();
  createInterface({ input: child.stdout }).on('line', line => {
    let event;
    try {
      event = JSON.parse(line);
    } catch {
      process.stdout.write(`${line}\n`);
      return;
    }
    const { Action: action, Package: file, Test: full, Output: output = '' } = event;
    process.stdout.write(output);
    if (full === undefined) return;
    const [name] = full.split('/');
    const key = `${file}\0${name}`;
    if (action === 'output') printed.set(key, [...(printed.get(key) ?? []), output]);
    if (full !== name) return;
    if (action === 'pass') report({ file, name, state: 'passed' });
    if (action === 'fail') report({ file, name, state: 'failed', message: messageOf(printed.get(key) ?? []) });
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve([code, signal]));
  });
}

/** The first line that is the test's own. */
function messageOf(lines) {
  const own = lines.map(line => line.trim()).filter(line => line !== '' && !/^(=== |--- |FAIL$|PASS$)/.test(line));
  return (own[0] ?? 'failed').slice(0, 2000);
}
