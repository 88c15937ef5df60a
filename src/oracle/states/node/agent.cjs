/**
 * Loaded into the program under test by `--require`: records which statements run, and stops at the places that were asked for.
 * The debugger itself sits in a worker thread (session.cjs), because a paused thread cannot debug itself.
 */
'use strict';
const fs = require('node:fs');
const { join } = require('node:path');
const { isMainThread, Worker } = require('node:worker_threads');

const folder = process.env.CULPRIT_STATES;
if (isMainThread && folder !== undefined) start();

function start() {
  const ordinal = claim();
  const request = JSON.parse(fs.readFileSync(join(folder, 'request.json'), 'utf8'));
  if (request.process !== undefined && request.process !== ordinal) return;
  // The debugger can set a variable only in a frame that is not optimised, and only if no copy of it is read instead.
  const flags = [
    '--no-opt',
    '--no-ignition-reo',
    ...(Number.parseInt(process.versions.v8, 10) >= 12 ? ['--no-maglev'] : []),
  ];
  for (const flag of flags) require('node:v8').setFlagsFromString(flag);
  const { memory } = require('./memory.cjs');
  const out = name => join(folder, request.kind === 'look' ? `${name}-${ordinal}.json` : `${name}.json`);
  const agent = { ...memory(request), ...(request.kind === 'trace' ? tracer() : counter(request)), out, pending: [] };
  Object.defineProperty(globalThis, '__culprit_states__', { value: agent });
  const ready = new Int32Array(new SharedArrayBuffer(8));
  // The worker says what goes wrong in a file: the program's own output must stay what it is.
  const worker = new Worker(join(__dirname, 'session.cjs'), {
    workerData: { request, flags: ready, out: { look: out('look'), trouble: join(folder, 'trouble.json') } },
    execArgv: [],
    // Its own thread is not watched, nor put under a schedule.
    env: {},
    stdout: true,
    stderr: true,
  });
  worker.on('error', error => fs.writeFileSync(join(folder, 'trouble.json'), JSON.stringify(String(error))));
  worker.unref();
  await_(ready, 0);
  process.on('exit', () => {
    if (request.kind === 'trace') agent.flush();
    if (request.kind !== 'look') return;
    worker.postMessage('finish');
    await_(ready, 1);
  });
}

/** The number of this process among the Node processes of one run. */
function claim() {
  for (let n = 0; ; n++)
    try {
      fs.closeSync(fs.openSync(join(folder, `process-${n}`), 'wx'));
      return n;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
}

/** Waits in small steps: the inspector's messages are handled between them. */
function await_(flags, i) {
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let turns = 0; Atomics.load(flags, i) === 0 && turns < 60_000; turns++) Atomics.wait(still, 0, 0, 0.2);
}

/** Records each statement that is reached, with the depth of the stack. */
function tracer() {
  const file = fs.openSync(join(folder, 'trace.bin'), 'w');
  const chunk = new Int32Array(8192);
  let used = 0;
  let left = 1_000_000;
  const { captureStackTrace } = Error;
  const { writeSync } = fs;
  const flush = () => {
    writeSync(file, chunk, 0, used * 4);
    used = 0;
  };
  const depthOf = (_, frames) => frames.length;
  const probe = {};
  return {
    flush,
    hit(location) {
      if (left-- <= 0) return false;
      const { stackTraceLimit, prepareStackTrace } = Error;
      Error.stackTraceLimit = 200;
      Error.prepareStackTrace = depthOf;
      captureStackTrace(probe);
      const depth = probe.stack;
      Error.stackTraceLimit = stackTraceLimit;
      Error.prepareStackTrace = prepareStackTrace;
      chunk[used++] = location;
      chunk[used++] = depth;
      if (used === chunk.length) flush();
      return false;
    },
  };
}

/** Counts how often each location was reached; true at those that were asked for: the debugger then pauses. */
function counter({ places = [] }) {
  const wanted = new Map();
  for (const [i, { location, hit }] of places.entries()) {
    const hits = wanted.get(location) ?? { count: 0, at: new Map() };
    hits.at.set(hit, i);
    wanted.set(location, hits);
  }
  return {
    place: -1,
    hit(location) {
      const hits = wanted.get(location);
      if (hits === undefined) return false;
      const place = hits.at.get(hits.count++);
      if (place === undefined) return false;
      this.place = place;
      return true;
    },
  };
}
