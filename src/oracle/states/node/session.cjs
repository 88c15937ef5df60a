/** The debugger in its own thread: sets breakpoints in the main thread, and reads and changes variables while it is paused. */
'use strict';
const fs = require('node:fs');
const { Session } = require('node:inspector');
const { dirname } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { parentPort, workerData } = require('node:worker_threads');

const { request, flags, out } = workerData;
const session = new Session();
session.connectToMainThread();
const post = (method, params = {}) =>
  new Promise((resolve, reject) =>
    session.post(method, params, (error, result) =>
      error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
    ),
  );
const trouble = error => fs.writeFileSync(out.trouble, JSON.stringify(String(error?.message ?? error)));

/** Frames beyond this are not captured: a deep recursion has thousands. */
const mostFrames = 40;
const scopeTypes = new Set(['local', 'block', 'catch', 'closure', 'module', 'eval']);
const ofEveryModule = new Set(['exports', 'require', 'module', '__filename', '__dirname', 'arguments']);
const scripts = new Map();
/** What culprit itself loads into the program is no part of it. */
const ours = `${dirname(dirname(__dirname))}/`;

session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params));
session.on('Debugger.paused', ({ params }) => void paused(params));
parentPort.on(
  'message',
  () =>
    void finish()
      .catch(trouble)
      .finally(() => Atomics.store(flags, 1, 1)),
);
void begin()
  .catch(trouble)
  .finally(() => Atomics.store(flags, 0, 1));

async function begin() {
  await post('Debugger.enable');
  if (request.kind === 'look') {
    await post('Profiler.enable');
    await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return;
  }
  const wanted = request.places && new Set(request.places.map(({ location }) => location));
  const setting = [];
  for (const [i, { path, line, column }] of request.locations.entries()) {
    if (wanted && !wanted.has(i)) continue;
    const condition = `__culprit_states__.hit(${i})`;
    const url = pathToFileURL(path).href;
    setting.push(
      post('Debugger.setBreakpointByUrl', { url, lineNumber: line - 1, columnNumber: column - 1, condition }),
    );
  }
  await Promise.all(setting);
}

/** A look is over: which statements ran, how often, and in which function. */
async function finish() {
  const { result } = await post('Profiler.takePreciseCoverage');
  const found = [];
  for (const { scriptId, url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const path = fileURLToPath(url);
    if (path.startsWith(ours)) continue;
    const { scriptSource } = await post('Debugger.getScriptSource', { scriptId });
    const starts = [0];
    for (let at = scriptSource.indexOf('\n'); at >= 0; at = scriptSource.indexOf('\n', at + 1)) starts.push(at + 1);
    const locations = await breakable(scriptId);
    const ran = innermost(functions);
    const statements = [];
    let last = { line: -1, column: -1 };
    for (const { lineNumber: line, columnNumber: column = 0, type } of locations) {
      // A function returns behind its last character.
      const { count, name } = ran(starts[line] + column - (type === 'return' ? 1 : 0));
      // A statement that begins with a call is listed as that call; further calls in a line are parts of a statement.
      const isPart = line === last.line && (type === 'call' || column === last.column);
      if (isPart || count === 0) continue;
      last = { line, column };
      statements.push([line + 1, column + 1, count, name]);
    }
    const longest = starts.reduce((most, at, i) => Math.max(most, (starts[i + 1] ?? scriptSource.length) - at), 0);
    if (statements.length > 0) found.push({ path, longest, statements });
  }
  fs.writeFileSync(out.look, JSON.stringify(found));
}

/** Where a script can be paused, in order. V8 lists at most a thousand at a time. */
async function breakable(scriptId) {
  const all = [];
  for (let start = { scriptId, lineNumber: 0, columnNumber: 0 }; ; ) {
    const { locations } = await post('Debugger.getPossibleBreakpoints', { start });
    locations.sort((a, b) => a.lineNumber - b.lineNumber || a.columnNumber - b.columnNumber);
    all.push(...locations);
    const last = locations.at(-1);
    if (last === undefined || locations.length < 1000) return all;
    start = { scriptId, lineNumber: last.lineNumber, columnNumber: last.columnNumber + 1 };
  }
}

/** The count and the function of the innermost range that holds an offset. */
function innermost(functions) {
  const ranges = functions
    .flatMap(({ functionName, ranges }) => ranges.map(range => ({ ...range, name: functionName })))
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const open = [];
  let next = 0;
  return offset => {
    for (; next < ranges.length && ranges[next].startOffset <= offset; next++) open.push(ranges[next]);
    while (open.length > 0 && open.at(-1).endOffset <= offset) open.pop();
    return open.at(-1) ?? { count: 0, name: '' };
  };
}

let left = request.places?.length ?? 0;

async function paused({ callFrames, hitBreakpoints = [] }) {
  try {
    if (hitBreakpoints.length > 0 && left > 0) {
      await atPlace(callFrames);
      left--;
    }
  } catch (error) {
    trouble(error);
  }
  await post('Debugger.resume').catch(() => {});
  // Nothing is left to stop for: the rest runs as fast as without a debugger.
  if (left === 0 && hitBreakpoints.length > 0) await post('Debugger.disable').catch(() => {});
}

async function atPlace(callFrames) {
  const { result: agent } = await post('Runtime.evaluate', { expression: '__culprit_states__' });
  const call = (functionDeclaration, args = []) =>
    post('Runtime.callFunctionOn', { objectId: agent.objectId, functionDeclaration, arguments: args }).then(
      ({ result, exceptionDetails }) => {
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result;
      },
    );
  const { frames, roots, values } = await rootsOf(callFrames);
  const listed = JSON.stringify({ frames, roots });
  await call('function (listed, ...values) { this.see(JSON.parse(listed), values) }', [{ value: listed }, ...values]);
  if (request.kind === 'capture') return void (await call('function () { this.capture() }'));
  const { value } = await call('function () { return this.apply() }');
  for (const [i, { frame, scope, name }] of JSON.parse(value).entries()) {
    const newValue = argumentOf(await call('function (i) { return this.pending[i] }', [{ value: i }]));
    const { callFrameId } = callFrames[frame];
    await post('Debugger.setVariableValue', { scopeNumber: scope, variableName: name, newValue, callFrameId });
  }
  await call('function () { this.applied() }');
}

/** The variables of all frames, with their values as the inspector knows them. `scope` −1 is `this`. */
async function rootsOf(callFrames) {
  const [frames, roots, values] = [[], [], []];
  const captured = new Set();
  for (const [frame, { functionName, url, location, scopeChain, this: receiver }] of callFrames.entries()) {
    const from = url || scripts.get(location.scriptId)?.url || '';
    if (frames.length >= mostFrames || !from.startsWith('file:')) continue;
    const path = fileURLToPath(from);
    if (path.startsWith(ours)) continue;
    frames.push({ frame, function: functionName || '(top)', path, line: location.lineNumber + 1 });
    if (receiver?.type === 'object' && receiver.className !== 'global') {
      roots.push({ frame, scope: -1, name: 'this' });
      values.push(argumentOf(receiver));
    }
    for (const [scope, { type, object, startLocation }] of scopeChain.entries()) {
      if (!scopeTypes.has(type)) continue;
      const { result } = await post('Runtime.getProperties', { objectId: object.objectId, ownProperties: true });
      for (const { name, value } of result) {
        if (value === undefined || ofEveryModule.has(name)) continue;
        // A variable that an inner function captured is seen from there and from its own frame: once is enough.
        const slot =
          startLocation &&
          `${startLocation.scriptId}:${startLocation.lineNumber}:${startLocation.columnNumber}:${name}`;
        if (slot && captured.has(slot)) continue;
        if (slot && (type === 'closure' || type === 'module')) captured.add(slot);
        roots.push({ frame, scope, name, ...(type === 'closure' || type === 'module' ? { outer: true } : {}) });
        values.push(argumentOf(value));
      }
    }
  }
  return { frames, roots, values };
}

function argumentOf({ objectId, unserializableValue, type, subtype, value }) {
  if (objectId !== undefined) return { objectId };
  if (unserializableValue !== undefined) return { unserializableValue };
  return type === 'undefined' && subtype === undefined ? {} : { value };
}
