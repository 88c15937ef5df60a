/* Loaded before the program: collects the values that its expressions report, or what it prints or calls, and writes that down when it ends. */
'use strict';
const { writeFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { join } = require('node:path');
const vm = require('node:vm');
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

/** The scripts of a page, and whatever else runs in a context of its own, see only what is in that context. */
const give = context => {
  const isContext = typeof context === 'object' && context !== null && Object.isExtensible(context);
  if (isContext && !Object.hasOwn(context, '__culprit_value'))
    Object.defineProperty(context, '__culprit_value', { value: report });
};

const giving = (owner, name, at) => {
  const plain = owner[name];
  owner[name] = function (...values) {
    while (values.length <= at) values.push(undefined);
    values[at] ??= {};
    give(values[at]);
    return Reflect.apply(plain, this, values);
  };
};

if (folder && process.env.CULPRIT_CALLS) require('./node-calls.cjs')(folder);
else if (folder && process.env.CULPRIT_PRINTED) {
  if (isMainThread) require('./node-output.cjs')(folder);
} else if (folder) {
  give(globalThis);
  giving(vm, 'createContext', 0);
  giving(vm, 'runInNewContext', 1);
  giving(vm.Script.prototype, 'runInNewContext', 0);
  syncBuiltinESMExports();
  const now = JSON.stringify;
  process.on('exit', () => {
    const values = [...seen].map(([id, known]) => [id, known === none ? null : literalOf(known.value)]);
    try {
      writeFileSync(join(folder, `values-${process.pid}-${threadId}.json`), now(values));
    } catch {
      // The program must end as it would without this.
    }
  });
}
