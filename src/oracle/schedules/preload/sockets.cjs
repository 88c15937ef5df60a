'use strict';
/** Sockets, pipes and terminals: connections, data, the ends of writes, and `close`. */
const { callbackProperty } = require('./files.cjs');
const { installStreamRequests } = require('./stream-requests.cjs');

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
    // Up to Node 20 this accessor looks like plain data, so it is reached through its holder and not through its descriptor.
    const holder = inherited(prototype, 'onread')?.holder;
    if (holder === undefined) return false;
    const originals = new WeakMap();
    Object.defineProperty(prototype, 'onread', {
      configurable: true,
      get() {
        return originals.get(this) ?? Reflect.get(holder, 'onread', this);
      },
      set(callback) {
        if (typeof callback !== 'function') return void Reflect.set(holder, 'onread', callback, this);
        originals.set(this, callback);
        const known = stateOf(this);
        const arrive = function arrive(...args) {
          const [bytes, offset] = [state[kReadBytesOrError], state[kArrayBufferOffset]];
          // A stream that is read again after its end reports the end again.
          if (known.isClosed || known.end === bytes) return;
          if (bytes < 0) known.end = bytes;
          const event = loop.ask(names.nameOf(known.origin, bytes < 0 ? 'end of data' : 'data', known.group), false);
          event.isHeld = () => known.isPaused && !known.isClosed;
          if (isForeign(this)) fromOutside(event, known.origin);
          // A channel between processes gets the handle that was sent with a message this way.
          const { pendingHandle } = this;
          if (pendingHandle) this.pendingHandle = null;
          const deliver = function deliver(...late) {
            if (known.isClosed) return undefined;
            if (pendingHandle) this.pendingHandle = pendingHandle;
            state[kReadBytesOrError] = bytes;
            state[kArrayBufferOffset] = offset;
            return callback.apply(this, late);
          };
          if (bytes < 0) reading.delete(this);
          loop.arrive(event, deliver, this, args);
        };
        Reflect.set(holder, 'onread', arrive, this);
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
    return true;
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

  const { hookRequests, missing } = installStreamRequests({ tcp, pipe, stream, loop, names, replace });

  /** Some Nodes give each server an `onconnection` of its own, which hides that of the prototype. */
  const connectionHook = (server, callback) => {
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
  };

  for (const prototype of [tcp.TCP, pipe?.Pipe].filter(Boolean).map(each => each.prototype)) {
    if (!hookReads(prototype)) missing.push('data of sockets');
    hookRequests(prototype);
    hookClose(prototype, true);
    // The HTTP server would read the socket by itself, past us; a stream that says that it is consumed is left to JavaScript.
    Object.defineProperty(prototype, '_consumed', { configurable: true, get: () => true, set() {} });
    callbackProperty(prototype, 'onconnection', connectionHook);
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
          if (Object.hasOwn(this, 'onconnection') && !stateOf(this).isOpen && typeof this.onconnection === 'function')
            this.onconnection = connectionHook(this, this.onconnection);
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
    hookRequests(tty.TTY.prototype);
    loop.foreign.add(tty.TTY.prototype);
    hookClose(tty.TTY.prototype, false);
  }
  // What the prototype of a TLS stream has can't be replaced on newer Nodes, so each stream is hooked when it is made.
  if (typeof tls?.wrap === 'function') {
    const { wrap } = tls;
    tls.wrap = function wrapHooked(...args) {
      const made = wrap.apply(this, args);
      hookReads(made);
      hookRequests(made);
      return made;
    };
  }
  // A forked process reads the channel to its parent before any preload is loaded, so its callback is set once more.
  const channel = process[Object.getOwnPropertySymbols(process).find(each => each.description === 'kChannelHandle')];
  if (channel) {
    loop.foreign.add(channel);
    const { onread } = channel;
    channel.onread = onread;
  }
  /** A stream with a peer that is none of ours: a remote one, another process, a person. */
  function isForeign(handle) {
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
  }
  loop.outside.add(() => {
    for (const handle of reading) if (isForeign(handle)) return true;
    return false;
  });
  return [...new Set(missing)];
}

/**
 * How a peer's data is split into chunks, and when they come, differs from run to run. So what a chunk leads to is named
 * after the stream, and no event is late by the number of chunks that overtake it.
 */
function fromOutside(event, stream) {
  event.isOutside = true;
  event.scope = stream;
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
