// Compares what tests share before the first of them and just before the target: what the tests between left behind.
const fs = require('node:fs');
const path = require('node:path');
const { plan, write, isTarget } = require('./plan.cjs');

const { readdirSync, lstatSync } = fs;
const most = 20_000;
const skipped = new Set(['node_modules', '.git', '.culprit', '__pycache__', '.vite', '.vite-temp']);
const builtIns = { Object, Array, String, Number, Promise, Map, Set, Date, Math, JSON, console, process };
/** What the runners keep in the temporary folder themselves. */
const ownFiles = /^([\w-]{21}(\/ssr(\/|$)|$)|jest_)/;
/** Set by the runners themselves as they go from test to test. */
const ownKeys = /^(process\.exitCode|process\._|__vitest|__VITEST|VITEST)|\[Symbol\]/;
let before;

function filesIn(root, found = {}, under = '') {
  let items = [];
  try {
    items = readdirSync(path.join(root, under), { withFileTypes: true });
  } catch {
    // A folder that went away in the meantime.
  }
  for (const item of items) {
    if (skipped.has(item.name) || item.name.startsWith('culprit-plan') || Object.keys(found).length >= most) continue;
    const name = under ? `${under}/${item.name}` : item.name;
    if (item.isDirectory()) filesIn(root, found, name);
    const stats = lstatSync(path.join(root, name), { throwIfNoEntry: false });
    if (stats) found[name] = stats.isDirectory() ? 'folder' : `${stats.size} ${stats.mtimeMs}`;
  }
  return found;
}

const kinds = { object: 'object', function: 'function' };
const ids = new WeakMap();
let nextId = 0;

/** A value in a word that changes if the value does: objects by identity and, if they are plain, by content. */
function word(value) {
  if (!kinds[typeof value] || value === null) return `${typeof value} ${String(value).slice(0, 200)}`;
  if (!ids.has(value)) ids.set(value, ++nextId);
  return `#${ids.get(value)} ${contentOf(value)}`;
}

function contentOf(value) {
  if (value instanceof Map || value instanceof Set) return `size ${value.size}`;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return '';
  try {
    return JSON.stringify(value)?.slice(0, 2000) ?? '';
  } catch {
    return '';
  }
}

function propertiesOf(object, prefix, found) {
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    // A getter may do anything: it is compared, and never called.
    found[prefix + key] = 'value' in property ? word(property.value) : `get ${word(property.get)}`;
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

/** What CommonJS modules of the project export. The state of other modules can't be seen from here. */
function modules() {
  const found = {};
  for (const [id, module] of Object.entries(require.cache ?? {})) {
    if (!module?.loaded || id.includes('node_modules') || id.startsWith(__dirname)) continue;
    const name = path.relative(process.cwd(), id);
    const { exports } = module;
    found[name] = 'loaded';
    if (exports && kinds[typeof exports]) propertiesOf(exports, `${name}: `, found);
  }
  return found;
}

const timers = () =>
  (process.getActiveResourcesInfo?.() ?? []).filter(name => name === 'Timeout' || name === 'Immediate').length;

const snapshot = () => ({
  'environment variable': { ...process.env },
  global: globals(),
  'module state': modules(),
  file: filesIn(process.cwd()),
  'temporary file': process.env.TMPDIR ? filesIn(process.env.TMPDIR) : {},
  'working directory': { cwd: process.cwd() },
  timers: { pending: String(timers()) },
});

function difference(old, now, ignored = []) {
  const traces = [];
  for (const kind of Object.keys(now)) {
    const names = [...new Set([...Object.keys(old[kind]), ...Object.keys(now[kind])])].sort();
    for (const name of names) {
      const [was, is] = [old[kind][name], now[kind][name]];
      if (was === is || (kind === 'global' && ownKeys.test(name))) continue;
      if (ignored.includes(kind) || (kind === 'temporary file' && ownFiles.test(name))) continue;
      // A module that is loaded for the first time has changed nothing.
      if (kind === 'module state' && !(name.split(': ')[0] in old[kind])) continue;
      traces.push({ kind, name, change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed' });
    }
  }
  return traces;
}

/** To be called before each test. `ignored`: kinds that the runner itself changes from test to test. */
module.exports.beforeTest = (file, name, ignored) => {
  if (!plan.watch) return;
  if (isTarget(file, name)) {
    if (before) write({ left: difference(before, snapshot(), ignored) });
    before = undefined;
  } else before ??= snapshot();
};

/** For runners that start a process for each file: only files outlive it. */
module.exports.beforeFile = (file, stateFile) => {
  if (!plan.watch) return;
  const now = { file: filesIn(process.cwd()), 'temporary file': filesIn(process.env.TMPDIR ?? process.cwd()) };
  if (!fs.existsSync(stateFile)) fs.writeFileSync(stateFile, JSON.stringify(now));
  else if (plan.target.file === file) write({ left: difference(JSON.parse(fs.readFileSync(stateFile, 'utf8')), now) });
};

/** For runners that can't stop between two tests: files before the others ran by themselves, and after. */
const onlyFiles = () => ({
  file: filesIn(process.cwd()),
  'temporary file': filesIn(process.env.TMPDIR ?? process.cwd()),
});
module.exports.beforeAll = () => {
  before = onlyFiles();
};
module.exports.afterOthers = () =>
  write({ left: difference(before, onlyFiles()).filter(({ name }) => !/^go-build/.test(name)) });
