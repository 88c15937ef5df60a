import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readRecording } from '../../../src/oracle/schedules/recording.js';

const preload = fileURLToPath(new URL('../../../src/oracle/schedules/preload/index.cjs', import.meta.url));

/** Runs a program in the default order, in this Node; returns what it printed and what was recorded. */
function record(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, 'trace');
  mkdirSync(trace);
  writeFileSync(join(folder, 'schedule.json'), JSON.stringify({ slow: 100, epoch: 0, root: folder, trace }));
  writeFileSync(join(folder, 'app.js'), code);
  const env = { ...process.env, CULPRIT_SCHEDULE: join(folder, 'schedule.json'), UV_THREADPOOL_SIZE: '1' };
  const { stdout, stderr } = spawnSync(process.execPath, ['--require', preload, 'app.js'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const { events, order, notes } = readRecording(trace);
  const count = (kind: string) => order.filter(({ id }) => events[id]?.kind === kind).length;
  return { stdout, stderr, notes, count, events };
}

test('every step of a connection is an event, and the end of a stream is one event however often it is read', () => {
  const { stdout, stderr, notes, count } = record(`const net = require('net');
const server = net.createServer(socket => socket.resume().on('end', () => socket.end())).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.write(Buffer.alloc(8e6), () => console.log('written'));
    client.end();
  });
  client.resume().on('close', () => server.close());
});`);
  expect([stdout, stderr, notes]).toEqual(['written\n', '', []]);
  const kinds = ['connect', 'connection', 'write', 'shutdown', 'end of data', 'close'];
  expect(Object.fromEntries(kinds.map(kind => [kind, count(kind)]))).toEqual({
    connect: 1,
    connection: 1,
    write: 1,
    shutdown: 2,
    'end of data': 2,
    close: 2,
  });
  expect(count('data')).toBeGreaterThan(1);
});

test('a socket timeout that is set again stays on the clock of the schedule', () => {
  const { stdout, count } = record(`const { Socket } = require('net');
const socket = new Socket().on('timeout', () => console.log('timeout at', Math.trunc(performance.now())));
for (const duration of [60_000, 0, 30_000]) socket.setTimeout(duration);
setTimeout(() => console.log('end'), 40_000);`);
  expect(stdout).toBe('timeout at 30000\nend\n');
  expect(count('socket timeout')).toBe(1);
});

test('a file that the program changes has the time of the schedule, however it is changed', () => {
  const { stdout, stderr } = record(`const fs = require('fs');
const after = (seconds, run) => setTimeout(run, seconds * 1000);
const ages = () => fs.readdirSync('times').map(name => name + ' ' + (Date.now() - fs.statSync('times/' + name).mtimeMs));
fs.mkdirSync('times');
fs.writeFileSync('times/early', '');
after(3600, async () => {
  process.chdir('times');
  fs.writeFileSync('sync', 'x');
  fs.copyFileSync('early', 'copy');
  fs.mkdirSync('folder');
  fs.writeFile('callback', 'x', () => {});
  fs.mkdir('deep/er', { recursive: true }, () => {});
  fs.createWriteStream('stream').end('x');
  await fs.promises.appendFile('promise', 'x');
  process.chdir('..');
});
after(3610, () => {
  try { fs.mkdirSync('times/folder'); } catch {}
  fs.closeSync(fs.openSync('times/copy', 'a'));
  console.log(ages().map(age => age.replace(/\\.\\d+/, '')).join(', '));
});`);
  const later = ['callback', 'copy', 'deep', 'folder', 'promise', 'stream', 'sync'];
  const expected = [...later.map(name => `${name} 10000`), 'early 3610000'].sort();
  expect([stdout, stderr]).toEqual([`${expected.join(', ')}\n`, '']);
});

test('in a forked process, events have the same names however the messages of its parent arrive', () => {
  const timersOf = (second: string) => {
    const { stdout, stderr, events } = record(`const { fork } = require('child_process');
if (process.argv[2] === 'child')
  process.on('message', text => setTimeout(() => text === 'two' ? process.disconnect() : process.send('ran'), 5));
else {
  const child = fork(__filename, ['child']);
  child.send('one');
  ${second}
  child.on('exit', code => console.log('exit', code));
}`);
    expect([stdout, stderr]).toEqual(['exit 0\n', '']);
    const inChild = Object.values(events).filter(({ process, kind }) => process === 'main/1' && kind === 'timer');
    return inChild.map(({ id }) => id).sort();
  };
  const together = timersOf("child.send('two');");
  expect(together).toHaveLength(2);
  expect(timersOf("child.on('message', () => child.send('two'));")).toEqual(together);
});
