/* Keeps what the program prints and how it ends, and writes it down then. */
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { StringDecoder } = require('node:string_decoder');

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
    const decoder = new StringDecoder();
    process[name].write = function (chunk, ...rest) {
      const [encoding] = rest;
      const bytes =
        typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : chunk;
      const text = decoder.write(Buffer.from(bytes));
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
    try {
      writeFileSync(join(folder, `printed-${began}-${process.pid}.json`), now(report));
    } catch {
      // The program must end as it would without this.
    }
  });
};
