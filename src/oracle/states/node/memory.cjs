/**
 * The memory of a paused program as a graph, read and written without running any of the program's own code: no getter, no
 * Proxy trap, no patched method of a built-in. The format is described in circumstances/states/graph.ts.
 */
'use strict';
const fs = require('node:fs');
const { join } = require('node:path');
const { types } = require('node:util');

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, defineProperty, deleteProperty } = Reflect;
const { isArray } = Array;
const call = Function.prototype.call;
const uncurried = method => call.bind(method);
const mapEach = uncurried(Map.prototype.forEach);
const mapSet = uncurried(Map.prototype.set);
const mapDelete = uncurried(Map.prototype.delete);
const mapClear = uncurried(Map.prototype.clear);
const setEach = uncurried(Set.prototype.forEach);
const setAdd = uncurried(Set.prototype.add);
const setClear = uncurried(Set.prototype.clear);
const dateOf = uncurried(Date.prototype.getTime);
const setDate = uncurried(Date.prototype.setTime);
const sourceOf = uncurried(Function.prototype.toString);
const regexSource = uncurried(getOwnPropertyDescriptor(RegExp.prototype, 'source').get);
const regexFlags = uncurried(getOwnPropertyDescriptor(RegExp.prototype, 'flags').get);
const typedPrototype = getPrototypeOf(Uint8Array.prototype);
const bufferOf = uncurried(getOwnPropertyDescriptor(typedPrototype, 'buffer').get);
const offsetOf = uncurried(getOwnPropertyDescriptor(typedPrototype, 'byteOffset').get);
const lengthOf = uncurried(getOwnPropertyDescriptor(typedPrototype, 'byteLength').get);
const { write: writeOut } = { write: fs.writeFileSync };
const { Map: OwnMap, Set: OwnSet, Date: OwnDate, RegExp: OwnRegExp, Buffer: OwnBuffer, String: text } = globalThis;

/** Values beyond this are not captured. */
const mostValues = 300_000;
const longestString = 1_000_000;
const ofFunctions = new Set(['length', 'name', 'arguments', 'caller']);

exports.memory = request => {
  const known = builtIns();
  const folder = process.env.CULPRIT_STATES;
  let listed;
  let values;
  return {
    see(what, these) {
      listed = what;
      values = these;
    },
    capture() {
      const state = { ...listed, ...captured(listed.roots, values, known) };
      writeOut(join(folder, `state-${this.place}.json`), JSON.stringify(state));
    },
    apply() {
      const { assignments, targets } = changed(request, listed.roots, values, known.byName);
      this.pending = assignments;
      return JSON.stringify(targets);
    },
    applied() {
      writeOut(join(folder, 'applied.json'), 'true');
    },
  };
};

/** Everything that is there before the program starts: it is known by its name, and not looked into. */
function builtIns() {
  const byObject = new OwnMap();
  const byName = new OwnMap();
  const queue = [['globalThis', globalThis]];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, object] = next;
    if (byObject.has(object) || types.isProxy(object)) continue;
    byObject.set(object, name);
    byName.set(name, object);
    for (const key of ownKeys(object)) {
      const found = getOwnPropertyDescriptor(object, key);
      for (const part of ['value', 'get', 'set'])
        if (isObject(found?.[part]))
          queue.push([`${name}.${text(key)}${part === 'value' ? '' : `:${part}`}`, found[part]]);
    }
    const above = getPrototypeOf(object);
    if (above !== null) queue.push([`${name}.[[Prototype]]`, above]);
  }
  return { byObject, byName };
}

const isObject = value => (typeof value === 'object' && value !== null) || typeof value === 'function';

function captured(roots, values, known) {
  const ids = new OwnMap();
  const objects = [];
  let left = mostValues;
  const refer = value => {
    if (isObject(value)) {
      let id = ids.get(value);
      if (id === undefined) {
        if (objects.length >= mostValues) return ['o', 'beyond the limit'];
        id = objects.push(value) - 1;
        ids.set(value, id);
      }
      return ['r', id];
    }
    left--;
    return primitive(value);
  };
  const found = roots.map((root, i) => ({ ...root, value: refer(values[i]) }));
  const nodes = [];
  for (let i = 0; i < objects.length; i++)
    nodes.push(left > 0 ? nodeOf(objects[i], refer, known) : { k: 'opaque', c: 'beyond the limit' });
  return { roots: found, nodes, ...(left > 0 ? {} : { truncated: true }) };
}

function primitive(value) {
  switch (typeof value) {
    case 'string':
      return value.length > longestString ? ['o', 'a very long string'] : value;
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : ['u', Object.is(value, -0) ? '-0' : text(value)];
    case 'undefined':
      return ['u', 'undefined'];
    case 'bigint':
      return ['u', `${value}n`];
    case 'symbol':
      return ['o', text(value)];
    default:
      return null;
  }
}

function nodeOf(object, refer, known) {
  if (types.isProxy(object)) return { k: 'opaque', c: 'Proxy' };
  const name = known.byObject.get(object);
  if (name !== undefined) return { k: 'known', c: name };
  const above = getPrototypeOf(object);
  const p = above === null ? null : refer(above);
  if (typeof object === 'function') {
    const e = properties(object, refer).filter(([key]) => !ofFunctions.has(key));
    return { k: 'code', c: 'Function', x: short(sourceOf(object)), fixed: true, e };
  }
  const c = className(above);
  if (isArray(object)) {
    const a = [];
    const e = [];
    for (const [key, value] of properties(object, refer)) {
      if (key === text(a.length)) a.push(value);
      else if (key !== 'length') e.push([key, value]);
    }
    // A list with holes is kept as what it is: an object with numbers for keys.
    return a.length === object.length
      ? { k: 'list', c, p, a, e }
      : { k: 'object', c, p, e: [...a.entries()].map(([i, v]) => [text(i), v]).concat(e) };
  }
  const e = properties(object, refer);
  if (types.isMap(object)) {
    const m = [];
    mapEach(object, (value, key) => m.push([refer(key), refer(value)]));
    return { k: 'map', c, p, m, e };
  }
  if (types.isSet(object)) {
    const a = [];
    setEach(object, value => a.push(refer(value)));
    return { k: 'set', c, p, a, e };
  }
  if (types.isDate(object)) return { k: 'value', c: 'Date', p, x: text(dateOf(object)), e };
  if (types.isRegExp(object))
    return { k: 'value', c: 'RegExp', p, x: `/${regexSource(object)}/${regexFlags(object)}`, fixed: true, e };
  if (types.isTypedArray(object)) {
    const bytes = OwnBuffer.from(bufferOf(object), offsetOf(object), lengthOf(object));
    return { k: 'bytes', c, p, x: bytes.toString('base64'), e: [] };
  }
  if (isHandle(object)) return { k: 'opaque', c };
  // An error's stack says where it was made, which is another line in each run.
  return { k: 'object', c, p, e: types.isNativeError(object) ? e.filter(([key]) => key !== 'stack') : e };
}

/** What lives outside of JavaScript, or hides what it holds. */
const isHandle = object =>
  types.isExternal(object) ||
  types.isPromise(object) ||
  types.isWeakMap(object) ||
  types.isWeakSet(object) ||
  types.isAnyArrayBuffer(object) ||
  types.isDataView(object) ||
  types.isGeneratorObject(object) ||
  types.isModuleNamespaceObject(object) ||
  types.isBoxedPrimitive(object);

/** Own data properties with a name. A getter is not called, and a symbol is usually internal bookkeeping. */
function properties(object, refer) {
  const found = [];
  for (const key of ownKeys(object)) {
    if (typeof key !== 'string') continue;
    const property = getOwnPropertyDescriptor(object, key);
    if (property === undefined || !('value' in property)) continue;
    // A class is known by its prototype; the methods there are code and not state.
    if (key === 'constructor' && !property.enumerable) continue;
    found.push([key, refer(property.value)]);
  }
  return found;
}

function className(above) {
  const property =
    above === null ? undefined : types.isProxy(above) ? undefined : getOwnPropertyDescriptor(above, 'constructor');
  const made = property?.value;
  if (typeof made !== 'function' || types.isProxy(made)) return above === null ? 'null' : 'Object';
  const name = getOwnPropertyDescriptor(made, 'name')?.value;
  return typeof name === 'string' ? name : 'Object';
}

/** Enough of a text to distinguish two. */
const short = source =>
  source.length > 400 ? `${source.slice(0, 200)}…${source.length}…${source.slice(-200)}` : source;

/** Applies the changes in place. Everything is looked up before anything is changed. Variables are left to the debugger. */
function changed({ changes, live, fresh }, roots, values, builtIn) {
  const rootAt = ({ frame, scope, name }) => {
    const i = roots.findIndex(root => root.frame === frame && root.scope === scope && root.name === name);
    if (i < 0) throw new Error(`There is no variable ${name}.`);
    return values[i];
  };
  const at = ({ root, steps }) => steps.reduce(stepped, rootAt(root));
  const old = live.map(path => (path.known === undefined ? at(path) : builtIn.get(path.known)));
  const made = fresh.map(node => blank(node, old));
  const revived = value => {
    if (!isArray(value)) return value;
    const [kind, what] = value;
    if (kind === 'l') return old[what];
    if (kind === 'n') return made[what];
    return special(what);
  };
  for (const [i, node] of fresh.entries()) fill(made[i], node, revived);
  const assignments = [];
  const targets = [];
  const work = changes.map(change => {
    const { steps, root } = change.at;
    if (change.do !== 'set' && change.do !== 'delete') return [change, at(change.at)];
    return steps.length === 0 ? [change] : [change, at({ root, steps: steps.slice(0, -1) }), steps.at(-1)];
  });
  for (const [change, object, step] of work) {
    switch (change.do) {
      case 'set':
        if (object === undefined) {
          targets.push(change.at.root);
          assignments.push(revived(change.value));
        } else if (isArray(step)) mapSet(object, keyAt(object, step[1]), revived(change.value));
        else put(object, step, revived(change.value));
        break;
      case 'delete':
        if (isArray(step)) mapDelete(object, keyAt(object, step[1]));
        else deleteProperty(object, step);
        break;
      case 'insert':
        mapSet(object, revived(change.key), revived(change.value));
        break;
      case 'list':
        object.length = change.from;
        for (const value of change.values) object[object.length] = revived(value);
        break;
      case 'members':
        setClear(object);
        for (const value of change.values) setAdd(object, revived(value));
        break;
      case 'entries':
        mapClear(object);
        for (const [key, value] of change.entries) mapSet(object, revived(key), revived(value));
        break;
      case 'content':
        if (types.isDate(object)) setDate(object, Number(change.x));
        else
          OwnBuffer.from(bufferOf(object), offsetOf(object), lengthOf(object)).set(OwnBuffer.from(change.x, 'base64'));
        break;
      default:
        throw new Error(`The change ${change.do} is not known.`);
    }
  }
  return { assignments, targets };
}

function stepped(object, step) {
  if (!isArray(step)) {
    if (step === '[[Prototype]]') return getPrototypeOf(object);
    return getOwnPropertyDescriptor(object, step).value;
  }
  const [kind, i] = step;
  let found;
  let n = 0;
  if (kind === 's') setEach(object, member => n++ === i && (found = member));
  else mapEach(object, (value, key) => n++ === i && (found = kind === 'k' ? key : value));
  return found;
}

const keyAt = (map, i) => stepped(map, ['k', i]);

const special = word =>
  word === 'undefined'
    ? undefined
    : word === '-0'
      ? -0
      : /^-?\d+n$/.test(word)
        ? BigInt(word.slice(0, -1))
        : Number(word);

/** An object that is not there in the passing run, still empty: others may refer to it, and it to itself. */
function blank(node, old) {
  const made = emptyOf(node);
  if (isArray(node.p) && !OwnBuffer.isBuffer(made)) setPrototypeOf(made, old[node.p[1]]);
  else if (node.p === null) setPrototypeOf(made, null);
  return made;
}

function emptyOf({ k, c, x }) {
  if (k === 'list') return [];
  if (k === 'map') return new OwnMap();
  if (k === 'set') return new OwnSet();
  if (k === 'value' && c === 'Date') return new OwnDate(Number(x));
  if (k === 'value' && c === 'RegExp')
    return new OwnRegExp(x.slice(1, x.lastIndexOf('/')), x.slice(x.lastIndexOf('/') + 1));
  if (k === 'bytes') {
    const bytes = OwnBuffer.from(x, 'base64');
    const own = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    return c === 'Buffer' ? OwnBuffer.from(own) : new globalThis[c](own);
  }
  return {};
}

function fill(object, { a = [], m = [], e = [], k }, revived) {
  if (k === 'set') for (const value of a) setAdd(object, revived(value));
  else for (const value of a) object[object.length] = revived(value);
  for (const [key, value] of m) mapSet(object, revived(key), revived(value));
  for (const [key, value] of e) put(object, key, revived(value));
}

/** A value property is overwritten, whatever else it is; a setter is not called. */
function put(object, key, value) {
  const before = getOwnPropertyDescriptor(object, key);
  const done = defineProperty(object, key, { configurable: true, enumerable: true, writable: true, ...before, value });
  if (!done) throw new Error(`${key} cannot be set.`);
}
