'use strict';
/** Child processes: their exit is an event, and each child gets a name, so that a schedule can speak of its events. */
const { callbackProperty } = require('./files.cjs');
const { replace } = require('./sockets.cjs');

function installChildren({ binding, loop, names, processName }) {
  const Process = binding('process_wrap')?.Process;
  if (!Process) return ['child processes'];
  const alive = new Set();
  callbackProperty(Process.prototype, 'onexit', (child, callback) => {
    const origin = names.name('child');
    return function exited(...args) {
      alive.delete(child);
      loop.arrive(loop.ask(names.nameOf(origin, 'exit of a child'), false), callback, this, args);
    };
  });
  hookSpawn(Process, processName, (child, pipes) => {
    alive.add(child);
    for (const pipe of pipes) loop.foreign.add(pipe);
  });
  loop.outside.add(() => alive.size > 0);
  // Whoever started us by fork may send at any time.
  loop.outside.add(() => process.channel?.hasRef?.() ?? process.connected === true);
  return [];
}

/** Newer Nodes give the options of a child one by one. */
const isList = options => options === null || typeof options !== 'object';

function hookSpawn(Process, processName, started) {
  let children = 0;
  replace(
    Process.prototype,
    'spawn',
    spawn =>
      function spawnNamed(...args) {
        const [options] = args;
        const name = `${processName}/${++children}`;
        const given = isList(options) ? args[3] : options.envPairs;
        const stdio = (isList(options) ? args[4] : options.stdio) ?? [];
        const pairs = given?.filter(pair => !pair.startsWith('CULPRIT_PROCESS='));
        if (pairs?.some(pair => pair.startsWith('CULPRIT_SCHEDULE='))) pairs.push(`CULPRIT_PROCESS=${name}`);
        if (pairs && isList(options)) args[3] = pairs;
        else if (pairs) args[0] = { ...options, envPairs: pairs };
        const result = spawn.apply(this, args);
        if (result === 0) started(this, stdio.map(each => each?.handle).filter(Boolean));
        return result;
      },
  );
}

/** For a process that only starts others. */
function nameChildren(processName) {
  const { Process } = process.binding('process_wrap');
  hookSpawn(Process, processName, () => {});
}

module.exports = { installChildren, nameChildren };
