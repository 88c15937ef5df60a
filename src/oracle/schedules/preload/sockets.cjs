'use strict';
/** Sockets, pipes and terminals: connections, data, the ends of writes, and `close`. */
const { callbackProperty, completion } = require('./files.cjs');

const isLoopback = address => /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(address ?? '');

function inherited(prototype, property) {
  for (let each = prototype; each; each = Object.getPrototypeOf(each)) {
    const descriptor = Object.getOwnPropertyDescriptor(each, property);
    if (descriptor) return { holder: each, descriptor };
  }
  return undefined;
}

function installSockets({ binding, loop, names }) {
  const [tcp, pipe, tty, stream, tls] = ['tcp_wrap', 'pipe_wrap', 'tty_wrap', 'stream_wrap', 'tls_wrap'].map(binding);
  if (!tcp?.TCP || !stream?.streamBaseState) return ['sockets'];
  const state = stream.streamBaseState;
  const { kReadBytesOrError = 0, kArrayBufferOffset = 1 } = stream;
  const handles = new WeakMap();
  /** Streams whose other end may be outside of this process, and that are read. */
  const reading = new Set();
  const ports = new Set();
  const stateOf = handle => {
    let known = handles.get(handle);
    if (!known)
      handles.set(handle, (known = { isClosed: false, isPaused: false, group: {}, origin: names.name('stream') }));
    return known;
  };

  /** Data and the end of a stream. Events of one stream stay in order; while it is paused they wait, and after `close` they are gone. */
  function hookReads(prototype) {
    const found = inherited(prototype, 'onread');
    if (!found?.descriptor.set) return;
    const { get, set } = found.descriptor;
    const originals = new WeakMap();
    Object.defineProperty(prototype, 'onread', {
      configurable: true,
      get() {
        return originals.get(this) ?? get.call(this);
      },
      set(callback) {
        if (typeof callback !== 'function') return set.call(this, callback);
        originals.set(this, callback);
        const known = stateOf(this);
        set.call(this, function arrive(...args) {
          if (known.isClosed) return;
          const [bytes, offset] = [state[kReadBytesOrError], state[kArrayBufferOffset]];
          const event = loop.ask(names.nameOf(known.origin, bytes < 0 ? 'end of data' : 'data', known.group), false);
          event.isHeld = () => known.isPaused && !known.isClosed;
          const deliver = function deliver(...late) {
            if (known.isClosed) return undefined;
            state[kReadBytesOrError] = bytes;
            state[kArrayBufferOffset] = offset;
            return callback.apply(this, late);
          };
          if (bytes < 0) reading.delete(this);
          loop.arrive(event, deliver, this, args);
        });
      },
    });
    replace(
      prototype,
      'readStart',
      readStart =>
        function start() {
          const known = stateOf(this);
          known.isPaused = false;
          reading.add(this);
          loop.wake();
          return readStart.call(this);
        },
    );
    replace(
      prototype,
      'readStop',
      readStop =>
        function stop() {
          stateOf(this).isPaused = true;
          reading.delete(this);
          return readStop.call(this);
        },
    );
  }

  function hookClose(prototype, isStream) {
    replace(
      prototype,
      'close',
      close =>
        function closeLater(callback) {
          const known = stateOf(this);
          const isFirst = !known.isClosed;
          known.isClosed = true;
          reading.delete(this);
          if (isStream && known.isOpen) {
            known.isOpen = false;
            loop.connected(-1);
          }
          if (known.port !== undefined) ports.delete(known.port);
          if (!isFirst || typeof callback !== 'function') return close.call(this, callback);
          const event = loop.ask(names.name('close'), true);
          return close.call(this, function closed(...args) {
            loop.arrive(event, callback, this, args);
          });
        },
    );
  }

  function opened(handle) {
    const known = stateOf(handle);
    if (known.isOpen || known.isClosed) return;
    known.isOpen = true;
    loop.connected(1);
  }

  for (const prototype of [tcp.TCP, pipe?.Pipe].filter(Boolean).map(each => each.prototype)) {
    hookReads(prototype);
    hookClose(prototype, true);
    // The HTTP server would read the socket by itself, past us; a stream that says that it is consumed is left to JavaScript.
    Object.defineProperty(prototype, '_consumed', { configurable: true, get: () => true, set() {} });
    callbackProperty(prototype, 'onconnection', (server, callback) => {
      const known = stateOf(server);
      return function arrive(...args) {
        const event = loop.ask(names.nameOf(known.origin, 'connection', known.group), false);
        const [, accepted] = args;
        if (accepted) {
          handles.set(accepted, { isClosed: false, isPaused: false, group: {}, origin: event });
          opened(accepted);
        }
        loop.arrive(event, callback, this, args);
      };
    });
    // Opened by its number: it was there before us, as stdin is.
    replace(
      prototype,
      'open',
      open =>
        function openForeign(...args) {
          loop.foreign.add(this);
          return open.apply(this, args);
        },
    );
    replace(
      prototype,
      'listen',
      listen =>
        function listenHere(...args) {
          const result = listen.apply(this, args);
          opened(this);
          const known = stateOf(this);
          const address = {};
          if (this.getsockname?.(address) === 0) known.port = address.port;
          if (known.port !== undefined) ports.add(known.port);
          return result;
        },
    );
    for (const connect of ['connect', 'connect6'])
      replace(
        prototype,
        connect,
        native =>
          function connectThere(request, ...args) {
            opened(this);
            stateOf(this).isNear = typeof args[1] === 'number' ? isLoopback(args[0]) : true;
            return native.call(this, request, ...args);
          },
      );
  }
  if (tty?.TTY) {
    hookReads(tty.TTY.prototype);
    loop.foreign.add(tty.TTY.prototype);
    hookClose(tty.TTY.prototype, false);
  }
  // What the prototype of a TLS stream has can't be replaced on newer Nodes, so each stream is hooked when it is made.
  if (typeof tls?.wrap === 'function') {
    const { wrap } = tls;
    tls.wrap = function wrapHooked(...args) {
      const made = wrap.apply(this, args);
      hookReads(made);
      return made;
    };
  }
  const unsure = () => false;
  for (const [Request, kind] of [
    [tcp.TCPConnectWrap, 'connect'],
    [pipe?.PipeConnectWrap, 'connect'],
    [stream.ShutdownWrap, 'shutdown'],
    [stream.WriteWrap, 'write'],
  ])
    if (Request) completion(Request.prototype, 'oncomplete', { kind, isSure: unsure, loop, names });

  /** A stream with a peer that is none of ours: a remote one, another process, a person. */
  const isForeign = handle => {
    if (loop.foreign.has(handle) || loop.foreign.has(Object.getPrototypeOf(handle))) return true;
    const known = stateOf(handle);
    if (known.isForeign !== undefined) return known.isForeign;
    const peer = {};
    if (handle.getpeername === undefined) return (known.isForeign = false);
    if (handle.getpeername(peer) !== 0) return false;
    const here = {};
    handle.getsockname(here);
    known.isForeign = !(isLoopback(peer.address) && (ports.has(peer.port) || ports.has(here.port)));
    return known.isForeign;
  };
  loop.outside.add(() => {
    for (const handle of reading) if (isForeign(handle)) return true;
    return false;
  });
  return [];
}

function replace(prototype, name, wrap) {
  const found = inherited(prototype, name);
  if (typeof found?.descriptor.value !== 'function') return;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value: wrap(found.descriptor.value),
  });
}

module.exports = { installSockets, replace };
