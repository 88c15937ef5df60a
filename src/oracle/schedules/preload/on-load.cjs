'use strict';
/** What is hooked only when a program loads it: requiring it for everybody would cost more than all the rest. */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { installCallbacks } = require('./files.cjs');

const cryptoJobs = [
  'randomBytes',
  'randomFill',
  'randomInt',
  'pbkdf2',
  'scrypt',
  'hkdf',
  'generateKeyPair',
  'generateKey',
  'generatePrime',
  'checkPrime',
  'sign',
  'verify',
];
const zlibJobs = [
  'deflate',
  'inflate',
  'gzip',
  'gunzip',
  'unzip',
  'deflateRaw',
  'inflateRaw',
  'brotliCompress',
  'brotliDecompress',
];

/** Node's internals differ between versions: what has no hook is named. */
const escapes = what => `escapes: ${what} (no hook in Node ${process.version})`;

function installOnLoad({ loop, names, trace, Timeout }) {
  const hooks = {
    net: net => hookSocketTimeouts(net, Timeout) || trace.note(escapes('socket timeouts')),
    crypto: crypto => installCallbacks(crypto, cryptoJobs, 'crypto', { loop, names }),
    zlib: zlib => installCallbacks(zlib, zlibJobs, 'zlib', { loop, names }),
    dgram: () => trace.note('escapes: UDP'),
    http2: () => trace.note('escapes: timeouts of http2'),
    worker_threads: workers => watchWorkers(workers, loop, trace),
  };
  /** What is loaded with what. */
  const needs = {
    http: ['net'],
    https: ['net'],
    tls: ['net'],
    http2: ['net', 'http2'],
    net: ['net'],
    crypto: ['crypto'],
    zlib: ['zlib'],
    dgram: ['dgram'],
    worker_threads: ['worker_threads'],
  };
  const load = Module._load;
  const hook = name => {
    for (const part of needs[name] ?? []) {
      const install = hooks[part];
      if (!install) continue;
      delete hooks[part];
      install(load(part));
      Module.syncBuiltinESMExports();
    }
  };
  Module._load = function loadHooked(request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    hook(typeof request === 'string' ? request.replace(/^node:/, '') : '');
    return loaded;
  };
  const fs = load('fs');
  const { watch } = fs;
  fs.watch = function watchNoted(...args) {
    trace.note('escapes: fs.watch');
    return watch.apply(this, args);
  };
  // ES modules load built-in ones by another way. Loading them first costs some milliseconds, so it is done for these only.
  if (isModule(process.argv[1])) for (const name of ['net', 'crypto', 'worker_threads']) hook(name);
}

function isModule(main) {
  if (main === undefined || main.endsWith('.cjs')) return false;
  if (/\.m[jt]s$/.test(main)) return true;
  for (let folder = dirname(main); ; folder = dirname(folder)) {
    const text = readIf(join(folder, 'package.json'));
    if (text !== undefined) return /"type"\s*:\s*"module"/.test(text);
    if (folder === dirname(folder)) return false;
  }
}

function readIf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Socket timeouts are timers inside Node; here they are timers of the schedule. */
function hookSocketTimeouts({ Socket }, Timeout) {
  const kTimeout = Object.getOwnPropertySymbols(new Socket()).find(symbol => symbol.description === 'timeout');
  if (kTimeout === undefined) return false;
  const { setTimeout } = Socket.prototype;
  Socket.prototype.setTimeout = function setSocketTimeout(duration, callback) {
    const previous = this[kTimeout];
    // Since 24, Node uses a cleared timer again for the next timeout: it would put ours into its own list, out of our sight.
    if (previous instanceof Timeout && !this.destroyed && Number.isFinite(duration) && duration >= 0) {
      previous.close();
      this[kTimeout] = null;
    }
    const result = setTimeout.call(this, duration, callback);
    const native = this[kTimeout];
    if (this.destroyed || !(duration > 0) || !native || native instanceof Timeout) return result;
    clearTimeout(native);
    this[kTimeout] = new Timeout(() => this._onTimeout(), duration, [], { refed: false, kind: 'socket timeout' });
    return result;
  };
  return true;
}

/** A worker thread has events that are not under control here: while one lives, timers keep real time. */
function watchWorkers(workers, loop, trace) {
  let alive = 0;
  const { Worker } = workers;
  workers.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      if (alive++ === 0) trace.note(`escapes: worker threads, each of which has an order of its own`);
      this.once('exit', () => alive--);
    }
  };
  Object.defineProperty(workers.Worker, 'name', { value: 'Worker' });
  loop.outside.add(() => alive > 0);
}

module.exports = { installOnLoad, escapes };
