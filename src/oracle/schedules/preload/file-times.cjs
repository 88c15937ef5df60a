'use strict';
/**
 * Files that the program changes get their time from the schedule's clock: programs compare the two, for example to see whether
 * a lock is too old.
 */
const { constants, futimesSync, utimesSync } = require('node:fs');
const { dirname, resolve } = require('node:path');

const byDescriptor = ([descriptor]) => descriptor;
/** Opening a file changes it only if it is created or emptied. A file that is opened to append changes when it is written. */
const isChangedByOpening = flags => (flags & constants.O_TRUNC) !== 0 || (flags & constants.O_EXCL) !== 0;

/** By the call: the descriptor or the path of what it changed, if anything. */
const changes = {
  open: ([, flags], descriptor) => (isChangedByOpening(flags) ? descriptor : undefined),
  openFileHandle: ([, flags], handle) => (isChangedByOpening(flags) ? handle.fd : undefined),
  writeBuffer: byDescriptor,
  writeBuffers: byDescriptor,
  writeString: byDescriptor,
  ftruncate: byDescriptor,
  writeFileUtf8: ([file]) => file,
  copyFile: ([, path]) => path,
  mkdir: ([path, , isRecursive], first) => (isRecursive ? foldersFrom(first, path) : path),
  mkdtemp: (_, path) => path,
};

/** With `recursive`, all folders from the first that was created; `undefined` if there was nothing to create. */
function foldersFrom(first, path) {
  const created = [];
  for (let each = resolve(path); first !== undefined && each.length >= resolve(first).length; each = dirname(each))
    created.push(each);
  return created;
}

/** stdin, stdout and stderr are shared with others. */
const isShared = file => typeof file === 'number' && file <= 2;

/** Up to Node 20, a synchronous call writes its error into its last argument. */
const hasFailed = args => args[args.length - 1]?.errno !== undefined;

/** Hooks the calls that change files. Returns what to call for a request that has no such call, and when a request completes. */
function installFileTimes(fs, clock) {
  const kChange = Symbol('change');
  const touch = file => {
    if (Array.isArray(file)) return file.forEach(touch);
    if (file === undefined || isShared(file)) return;
    const now = clock.wall() / 1000;
    try {
      if (typeof file === 'number') futimesSync(file, now, now);
      else utimesSync(file, now, now);
    } catch {
      // A pipe, or a file of someone else: it keeps the time that it has.
    }
  };
  for (const [name, changedBy] of Object.entries(changes)) {
    const native = fs[name];
    if (typeof native !== 'function') continue;
    fs[name] = function change(...args) {
      const request = args.find(arg => arg instanceof fs.FSReqCallback);
      if (request) request[kChange] = result => touch(changedBy(args, result));
      const result = native.apply(this, args);
      if (request) return result;
      if (result instanceof Promise)
        return result.then(value => {
          touch(changedBy(args, value));
          return value;
        });
      if (!hasFailed(args)) touch(changedBy(args, result));
      return result;
    };
  }
  return {
    willChange(request, file) {
      request[kChange] = () => touch(file);
    },
    completed(request, [error, result]) {
      if (!error) request[kChange]?.(result);
    },
  };
}

module.exports = { installFileTimes };
