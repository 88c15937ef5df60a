/* Collects what functions are given, in the form in which a program can write it, and writes it down at the end. */
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');

const now = JSON.stringify;

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
  // A program that gets bytes could do with a text, and as an object with numbers they are neither.
  if (ArrayBuffer.isView(value) || around.includes(value)) return spend('undefined');
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

module.exports = function watchCalls(folder) {
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
  process.on('exit', () => {
    try {
      writeFileSync(join(folder, `calls-${process.pid}-${threadId}.json`), now(calls));
    } catch {
      // The program must end as it would without this.
    }
  });
};
