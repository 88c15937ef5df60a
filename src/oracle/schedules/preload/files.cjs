'use strict';
/** Completions of fs, fs.promises and dns, and of the jobs that Node gives to its thread pool. */

const { installFileTimes } = require('./file-times.cjs');

/** An accessor in the place of a property that Node sets on a request: what it sets is the callback of an event. */
function callbackProperty(prototype, property, wrap) {
  // A symbol on the request itself: a WeakMap costs more than all the rest of a small request.
  const kCallback = Symbol(property);
  Object.defineProperty(prototype, property, {
    configurable: true,
    enumerable: true,
    get() {
      return this[kCallback];
    },
    set(callback) {
      this[kCallback] = typeof callback === 'function' ? wrap(this, callback) : callback;
    },
  });
}

/** A request that completes once. */
function completion(prototype, property, { kind, isSure, copied = args => args, loop, names }) {
  callbackProperty(prototype, property, (request, callback) => {
    const event = loop.ask(names.name(kind), isSure(request));
    if (property === 'ondone') requests.set(request, event);
    return function complete(...args) {
      loop.arrive(event, callback, this, copied(args, request));
    };
  });
}
const requests = new WeakMap();

function installFiles({ binding, loop, names, clock }) {
  const fs = binding('fs');
  const missing = [];
  if (!fs?.FSReqCallback) return ['fs'];
  // Node fills one array for all results of stat; an event that waits for its turn needs a copy.
  const shared = new Set([fs.statValues, fs.bigintStatValues, fs.statFsValues, fs.bigintStatFsValues]);
  const isShared = arg => ArrayBuffer.isView(arg) && (shared.has(arg) || arg.buffer === fs.statValues?.buffer);
  const times = installFileTimes(fs, clock);
  const copied = (args, request) => {
    times.completed(request, args);
    return args.map(arg => (isShared(arg) || arg instanceof BigInt64Array ? arg.slice() : arg));
  };
  const isSure = () => true;
  completion(fs.FSReqCallback.prototype, 'oncomplete', { kind: 'fs', isSure, copied, loop, names });
  for (const job of ['ReadFileJob', 'WriteFileJob', 'CpDirJob']) {
    const prototype = fs[job]?.prototype;
    if (!prototype) continue;
    completion(prototype, 'ondone', { kind: 'fs', isSure, copied, loop, names });
    const { run } = prototype;
    prototype.run = function runJob(...args) {
      if (job === 'WriteFileJob') times.willChange(this, args[0]);
      const refused = run.apply(this, args);
      if (refused !== undefined && requests.has(this)) loop.forget(requests.get(this));
      return refused;
    };
  }
  if (fs.kUsePromises === undefined || !fs.FileHandle) missing.push('fs.promises');
  else promisesOf(fs, { loop, names });
  const dns = binding('cares_wrap');
  if (!dns) missing.push('dns');
  for (const request of ['GetAddrInfoReqWrap', 'GetNameInfoReqWrap'])
    if (dns?.[request]) completion(dns[request].prototype, 'oncomplete', { kind: 'dns', isSure, loop, names });
  if (dns?.QueryReqWrap)
    completion(dns.QueryReqWrap.prototype, 'oncomplete', { kind: 'dns', isSure: () => false, loop, names });
  return missing;
}

/** fs.promises asks for a promise in the place of a request; it settles when its turn comes. */
function promisesOf(fs, { loop, names }) {
  const later = promise => {
    const event = loop.ask(names.name('fs'), true);
    return new Promise((resolve, reject) =>
      promise.then(
        value => loop.settle(event, () => resolve(value)),
        error => loop.settle(event, () => reject(error)),
      ),
    );
  };
  const { kUsePromises } = fs;
  for (const [name, native] of Object.entries(fs)) {
    if (typeof native !== 'function' || /^internal|^[A-Z]|^get|^legacy/.test(name)) continue;
    fs[name] = function ask(...args) {
      const result = native.apply(this, args);
      return args.length > 0 && args[args.length - 1] === kUsePromises && result instanceof Promise
        ? later(result)
        : result;
    };
  }
  const { close } = fs.FileHandle.prototype;
  fs.FileHandle.prototype.close = function closeLater(...args) {
    const result = close.apply(this, args);
    return result instanceof Promise ? later(result) : result;
  };
}

/** Public functions whose last argument is called when a job of the thread pool is done: crypto has no request to hook on every Node. */
function installCallbacks(module, functions, kind, { loop, names }) {
  for (const name of functions) {
    const native = module[name];
    if (typeof native !== 'function') continue;
    const wrapped = function ask(...args) {
      const callback = args[args.length - 1];
      if (typeof callback !== 'function') return native.apply(this, args);
      const event = loop.ask(names.name(kind), true);
      args[args.length - 1] = function complete(...results) {
        loop.arrive(event, callback, this, results);
      };
      try {
        return native.apply(this, args);
      } catch (error) {
        loop.forget(event);
        throw error;
      }
    };
    Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(native));
    module[name] = wrapped;
  }
}

module.exports = { installFiles, installCallbacks, callbackProperty, completion };
