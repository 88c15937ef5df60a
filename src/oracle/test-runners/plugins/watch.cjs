// Compares what tests share from one test to the next, and writes down what each of them changed.
const fs = require('node:fs');
const path = require('node:path');
const { randomUUID } = require('node:crypto');
const { isProxy } = require('node:util').types;
const { plan, write } = require('./plan.cjs');

const { readdirSync, lstatSync } = fs;
const most = 20_000;
/** Looking at files costs time: so many may be looked at between tests, and so many more between test files. */
const mostBetweenTests = 200_000;
const mostBetweenFiles = 1_000_000;
const skipped = new Set(['node_modules', '.git', '.culprit', '__pycache__', '.vite', '.vite-temp']);
const builtIns = { Object, Array, String, Number, Promise, Map, Set, Date, Math, JSON, console, process };
/** What the runners keep in the temporary folder themselves. */
const ownFiles = /^([\w-]{21}(\/ssr(\/|$)|$)|jest_)/;
/** Set by the runners themselves as they go from test to test. */
const ownKeys = /^(process\.exitCode|process\._|__vitest|__VITEST|VITEST)|\[Symbol\]/;
/** What is in memory ends with the process (or the worker thread): a change does not reach tests of another one. */
const session = randomUUID();
const here = process.cwd();

let looked = 0;

function filesIn(root, found = {}, under = '') {
  let items = [];
  try {
    items = readdirSync(path.join(root, under), { withFileTypes: true });
  } catch {
    // A folder that went away in the meantime.
  }
  for (const item of items) {
    if (skipped.has(item.name) || item.name.startsWith('culprit-plan') || looked > mostBetweenFiles + most) continue;
    looked++;
    const name = under ? `${under}/${item.name}` : item.name;
    if (item.isDirectory()) filesIn(root, found, name);
    const stats = lstatSync(path.join(root, name), { throwIfNoEntry: false });
    if (stats) found[name] = stats.isDirectory() ? 'folder' : `${stats.size} ${stats.mtimeMs}`;
  }
  return found;
}

const allFiles = () => ({
  file: filesIn(here),
  'temporary file': process.env.TMPDIR ? filesIn(process.env.TMPDIR) : {},
});

const ids = new WeakMap();
let nextId = 0;
/** What is in these is compared under their own names. */
const comparedElsewhere = new Set([globalThis, process.env, ...Object.values(builtIns)]);
const isObject = value => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** A value in a word that changes if the value does: objects by identity and by what is in them. */
function word(value) {
  if (!isObject(value)) return `${typeof value} ${String(value).slice(0, 200)}`;
  if (!ids.has(value)) ids.set(value, ++nextId);
  return `#${ids.get(value)} ${contentOf(value, 3, { left: 100 })}`;
}

/** What is in an object, as far as it can be read without running any of its code. */
function contentOf(value, depth, budget) {
  if (!isObject(value)) return typeof value === 'string' ? value.slice(0, 200) : String(value);
  if (isProxy(value) || comparedElsewhere.has(value)) return typeof value;
  if (depth === 0 || budget.left-- <= 0) return typeof value;
  if (value instanceof Date) return String(Date.prototype.getTime.call(value));
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  const items = [];
  if (value instanceof Map || value instanceof Set) {
    items.push(value.size);
    for (const item of value) {
      if (budget.left <= 0) break;
      items.push(contentOf(item, depth - 1, budget));
    }
  }
  for (const key of Object.keys(value)) {
    if (budget.left <= 0) break;
    const property = Object.getOwnPropertyDescriptor(value, key);
    items.push(`${key}:${property && 'value' in property ? contentOf(property.value, depth - 1, budget) : 'get'}`);
  }
  return items.join();
}

function propertiesOf(object, prefix, found) {
  if (isProxy(object)) return;
  for (const key of Object.getOwnPropertyNames(object)) {
    const property = Object.getOwnPropertyDescriptor(object, key);
    // A getter may do anything: it is compared, and never called.
    if (property) found[prefix + key] = 'value' in property ? word(property.value) : `get ${word(property.get)}`;
  }
}

function globals() {
  const found = {};
  propertiesOf(globalThis, '', found);
  for (const [name, object] of Object.entries(builtIns)) {
    propertiesOf(object, `${name}.`, found);
    if (object.prototype) propertiesOf(object.prototype, `${name}.prototype.`, found);
  }
  return found;
}

/** What modules of the project export. What they keep for themselves can't be seen from here. */
function modules() {
  const found = {};
  for (const [id, module] of Object.entries(require.cache ?? {})) {
    if (!module?.loaded || id.includes('node_modules') || id.startsWith(__dirname)) continue;
    const name = path.relative(here, id);
    found[name] = 'loaded';
    if (isObject(module.exports)) propertiesOf(module.exports, `${name}: `, found);
  }
  for (const [id, { exports } = {}] of globalThis.__vitest_worker__?.evaluatedModules?.idToModuleMap ?? []) {
    if (!isObject(exports) || id.includes('node_modules') || !path.isAbsolute(id)) continue;
    const name = path.relative(here, id);
    found[name] = 'loaded';
    exportsOf(exports, `${name}: `, found);
  }
  return found;
}

/** In vitest, an export of an ES module is read by a getter, which does nothing else. */
function exportsOf(exports, prefix, found) {
  for (const key of Object.keys(exports)) {
    try {
      found[prefix + key] = word(exports[key]);
    } catch {
      // Not initialised yet.
    }
  }
}

const timers = () =>
  (process.getActiveResourcesInfo?.() ?? []).filter(name => name === 'Timeout' || name === 'Immediate').length;

const inMemory = () => ({
  'environment variable': { ...process.env },
  global: globals(),
  'module state': modules(),
  'working directory': { cwd: process.cwd() },
  timers: { pending: String(timers()) },
});

/** Each change as its kind, its name, and the value before and after: a missing value is `null`. */
function difference(old, now, ignored = []) {
  const changes = [];
  for (const kind of Object.keys(now)) {
    if (ignored.includes(kind)) continue;
    const [was, is] = [old[kind], now[kind]];
    const removed = Object.keys(was).filter(name => !(name in is));
    for (const name of [...Object.keys(is), ...removed].sort()) {
      if (was[name] === is[name] || (kind === 'global' && ownKeys.test(name))) continue;
      if (kind === 'temporary file' && ownFiles.test(name)) continue;
      // A module that is loaded for the first time has changed nothing.
      if (kind === 'module state' && !(name.split(': ')[0] in was)) continue;
      changes.push([kind, name, digest(was[name]), digest(is[name])]);
    }
  }
  return changes;
}

/** Values are only compared: what is in them is nobody's business. */
function digest(value) {
  if (value === undefined) return null;
  let sum = 0;
  for (let i = 0; i < value.length; i++) sum = (Math.imul(sum, 31) + value.charCodeAt(i)) | 0;
  return `${sum}.${value.length}`;
}

let last;
/** The test that ran since the last look. */
let owner;

function look(next, isBetweenFiles, ignored) {
  const affordable = looked <= (isBetweenFiles ? mostBetweenFiles : mostBetweenTests);
  const files = !last || affordable ? allFiles() : { file: last.file, 'temporary file': last['temporary file'] };
  const now = { ...inMemory(), ...files };
  const by = owner ?? next;
  if (last && by) {
    const changes = difference(last, now, ignored);
    if (changes.length > 0) write({ by, session, changes });
  }
  owner = next;
  // What happens between two groups belongs to the next test: its group sets something up.
  if (by || !last) last = now;
}

/** To be called before each test. `ignored`: kinds that the runner itself changes from test to test. */
module.exports.beforeTest = (file, name, ignored) => {
  if (plan.watch && file !== undefined) look({ file, name }, owner !== undefined && owner.file !== file, ignored);
};

/** To be called before and after each group of tests, with what it sets up and what it cleans up. */
module.exports.atEdge = (isFile, ignored) => {
  if (plan.watch) look(undefined, isFile, ignored);
};

/** For runners that start a process for each file: only files outlive it. */
module.exports.beforeFile = (file, stateFile) => {
  if (!plan.watch) return;
  const now = allFiles();
  if (!fs.existsSync(stateFile)) fs.writeFileSync(stateFile, JSON.stringify(now));
  else if (plan.target?.file === file) leave(difference(JSON.parse(fs.readFileSync(stateFile, 'utf8')), now));
};

/** For runners that can't stop between two tests: files before the others ran by themselves, and after. */
module.exports.beforeAll = () => {
  last = allFiles();
};
module.exports.afterOthers = () => leave(difference(last, allFiles()).filter(([, name]) => !/^go-build/.test(name)));

const leave = changes => write({ session, changes });
