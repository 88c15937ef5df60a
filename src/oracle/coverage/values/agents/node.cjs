/* Loaded before the program: collects the values that its expressions report, or what it prints, and writes them down when it ends. */
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { isMainThread, threadId } = require('node:worker_threads');

const folder = process.env.CULPRIT_VALUES;
/** A value that changes, or that no literal is short enough for. */
const none = {};
const seen = new Map();

const isPlain = value => value === null || (typeof value !== 'object' && typeof value !== 'function');

const report = (id, value) => {
  const known = seen.get(id);
  if (known === undefined) seen.set(id, isPlain(value) ? { value } : none);
  else if (known !== none && !Object.is(known.value, value)) seen.set(id, none);
  return value;
};

const longest = 60;

function literalOf(value) {
  if (value === undefined) return '0[0]';
  if (typeof value === 'string') return value.length > longest ? null : JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? String(value) : null;
  return value === null || typeof value === 'boolean' ? String(value) : null;
}

/** A longer output is no shorter than the program. */
const most = 200_000;

function watchOutput() {
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
  process.on('exit', exit => {
    if (size > most || !process.argv[1]) return;
    const report = { main: process.argv[1], writes, exit };
    writeFileSync(join(folder, `printed-${began}-${process.pid}.json`), now(report));
  });
}

if (folder && process.env.CULPRIT_PRINTED) {
  if (isMainThread) watchOutput();
} else if (folder) {
  Object.defineProperty(globalThis, '__culprit_value', { value: report });
  const now = JSON.stringify;
  process.on('exit', () => {
    const values = [...seen].map(([id, known]) => [id, known === none ? null : literalOf(known.value)]);
    writeFileSync(join(folder, `values-${process.pid}-${threadId}.json`), now(values));
  });
}
