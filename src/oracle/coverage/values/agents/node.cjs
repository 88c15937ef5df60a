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
}

/** A longer call is not worth writing down. */
const longestCall = 2_000;
const mostCalls = 200;

/** A value in the form in which a program can write it; what has no such form is as good as nothing. */
function written(value, room, around) {
  const spend = text => {
    if ((room.left -= text.length) < 0) throw room;
    return text;
  };
  switch (typeof value) {
    case 'string':
      return value.length > longestCall ? spend(value) : spend(now(value));
    case 'number':
      return spend(Object.is(value, -0) ? '-0' : String(value));
    case 'bigint':
      return spend(`${value}n`);
    case 'boolean':
      return spend(String(value));
    case 'function':
      return spend('() => {}');
    case 'object':
      break;
    default:
      return spend('undefined');
  }
  if (value === null) return spend('null');
  if (value instanceof RegExp) return spend(String(value));
  if (value instanceof Date) return spend(`new Date(${value.getTime()})`);
  if (around.includes(value)) return spend('undefined');
  const inside = [...around, value];
  const each = one => written(one, room, inside);
  spend('[],');
  if (Array.isArray(value)) return `[${Array.from(value, each).join()}]`;
  if (value instanceof Map) return `new Map([${Array.from(value, pair => each([...pair])).join()}])`;
  if (value instanceof Set) return `new Set([${Array.from(value, each).join()}])`;
  const pairs = Object.keys(value).flatMap(key => {
    const own = Object.getOwnPropertyDescriptor(value, key);
    const name = /^[a-z_$][\w$]*$/i.test(key) ? key : now(key);
    return 'value' in own && key !== '__proto__' ? [`${spend(name)}: ${each(own.value)}`] : [];
  });
  return `{${pairs.join(', ')}}`;
}

const now = JSON.stringify;

function watchCalls() {
  const calls = [];
  const known = new Map();
  Object.defineProperty(globalThis, '__culprit_call', {
    value(id, given) {
      const own = known.get(id) ?? { times: 0, texts: new Set() };
      known.set(id, own);
      // A function that is called often is not looked at for ever.
      if (++own.times > 10 * mostCalls || own.texts.size >= mostCalls) return;
      try {
        const text = Array.from(given, one => written(one, { left: longestCall }, [])).join(', ');
        if (text.length > longestCall || own.texts.has(text)) return;
        own.texts.add(text);
        calls.push([id, text]);
      } catch {
        // Too long.
      }
    },
  });
  process.on('exit', () => writeFileSync(join(folder, `calls-${process.pid}-${threadId}.json`), now(calls)));
}

if (folder && process.env.CULPRIT_CALLS) watchCalls();
else if (folder && process.env.CULPRIT_PRINTED) {
  if (isMainThread) watchOutput();
} else if (folder) {
  Object.defineProperty(globalThis, '__culprit_value', { value: report });
  const now = JSON.stringify;
  process.on('exit', () => {
    const values = [...seen].map(([id, known]) => [id, known === none ? null : literalOf(known.value)]);
    writeFileSync(join(folder, `values-${process.pid}-${threadId}.json`), now(values));
  });
}
