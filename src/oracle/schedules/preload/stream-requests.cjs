'use strict';
/** What is asked of a stream and completes once: connect, write and shutdown. */
const { completion } = require('./files.cjs');

const writes = ['writev', 'writeBuffer', 'writeUtf8String', 'writeAsciiString', 'writeLatin1String', 'writeUcs2String'];

/**
 * Some Nodes give each request a property `oncomplete` of its own. An accessor on the prototype never sees what is set there,
 * so these requests are hooked when they are passed to the stream.
 */
const hasOwnCallback = Request => Object.hasOwn(new Request(), 'oncomplete');

/** Hooks the requests; returns a function that hooks a stream (or the prototype of streams), and the names of what is missing. */
function installStreamRequests({ tcp, pipe, stream, loop, names, replace }) {
  const isSure = () => false;
  const missing = [];
  const passed = new Map();
  for (const [Request, kind, methods] of [
    [tcp.TCPConnectWrap, 'connect', []],
    [pipe?.PipeConnectWrap, 'connect', []],
    [stream.ShutdownWrap, 'shutdown', ['shutdown']],
    [stream.WriteWrap, 'write', writes],
  ]) {
    if (!Request) missing.push(`${kind} of sockets`);
    else if (!hasOwnCallback(Request)) completion(Request.prototype, 'oncomplete', { kind, isSure, loop, names });
    else if (methods.length === 0) missing.push(`${kind} of sockets`);
    for (const method of Request && hasOwnCallback(Request) ? methods : []) passed.set(method, kind);
  }

  function hookRequests(prototype) {
    for (const [method, kind] of passed)
      replace(
        prototype,
        method,
        native =>
          function ask(request, ...args) {
            const callback = request?.oncomplete;
            if (typeof callback === 'function') {
              const event = loop.ask(names.name(kind), false);
              request.oncomplete = function complete(...results) {
                loop.arrive(event, callback, this, results);
              };
            }
            const result = native.call(this, request, ...args);
            // Since 26, a write makes its request itself, and Node sets the callback on what it returns.
            if (result !== null && typeof result === 'object')
              completion(result, 'oncomplete', { kind, isSure, loop, names });
            return result;
          },
      );
  }
  return { hookRequests, missing };
}

module.exports = { installStreamRequests };
