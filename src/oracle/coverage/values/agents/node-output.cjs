/* Keeps what the program prints and how it ends, and writes it down then. */
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** A longer output is no shorter than the program. */
const most = 200_000;

module.exports = function watchOutput(folder) {
  const began = Date.now();
  const writes = [];
  let size = 0;
  for (const [stream, name] of [
    [1, 'stdout'],
    [2, 'stderr'],
  ]) {
    const own = process[name].write;
    process[name].write = function (chunk, ...rest) {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      size += text.length;
      if (size <= most) writes.push([stream, text]);
      return own.call(this, chunk, ...rest);
    };
  }
  const now = JSON.stringify;
  let thrown;
  // Of other classes, the program that only prints knows nothing.
  process.on('uncaughtExceptionMonitor', error => {
    const name = error?.constructor?.name;
    if (error instanceof Error && globalThis[name] === error.constructor) thrown = [name, error.message];
  });
  process.on('exit', exit => {
    if (size > most || !process.argv[1]) return;
    const report = { main: process.argv[1], writes, exit, thrown };
    writeFileSync(join(folder, `printed-${began}-${process.pid}.json`), now(report));
  });
};
