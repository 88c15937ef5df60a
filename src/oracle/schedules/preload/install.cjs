'use strict';
/** Puts the parts of the preload together. */
const Module = require('node:module');
const { clock, installClock } = require('./clock.cjs');
const { openNames, hash } = require('./names.cjs');
const { openOrder, latenessOf } = require('./order.cjs');
const { openLoop } = require('./loop.cjs');
const { openTrace } = require('./trace.cjs');
const { installTimers } = require('./timers.cjs');
const { installFiles } = require('./files.cjs');
const { installSockets } = require('./sockets.cjs');
const { installChildren } = require('./children.cjs');
const { installOnLoad, escapes } = require('./on-load.cjs');

/** Node's own objects for requests and handles. They are not documented: if one is missing, its events escape. */
function binding(name) {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    return process.binding(name);
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation;
  }
}

function install(schedule, processName) {
  const { slow = 100, epoch = 0, root = process.cwd() } = schedule;
  const late = schedule.late?.[processName] ?? {};
  const traceFile = schedule.trace && `${schedule.trace}/${processName.replaceAll('/', '-')}-${process.pid}.jsonl`;
  const trace = openTrace(traceFile, processName);
  const names = openNames({ root, process: processName, isRecording: traceFile !== undefined });
  const lateness = latenessOf({ late, seed: schedule.seed }, hash);
  const order = openOrder({ lateness, slow, clock, overtaken: trace.overtaken });
  const loop = openLoop({ order, clock, names, trace });
  const parts = { binding, loop, names, clock, processName };
  const missing = [...installFiles(parts), ...installSockets(parts), ...installChildren(parts)];
  const { Timeout } = installTimers(parts);
  installOnLoad({ ...parts, trace, Timeout });
  for (const part of missing) trace.note(escapes(part));
  installClock(globalThis, { start: epoch, seed: hash(processName)[0] });
  Module.syncBuiltinESMExports();
}

module.exports = { install };
