'use strict';
/** setTimeout, setInterval, setImmediate and what is built on them, on the schedule's clock. */
const { AsyncResource } = require('node:async_hooks');
const timersModule = require('node:timers');
const { promisify } = require('node:util');

const longest = 2 ** 31 - 1;

function installTimers({ loop, names, clock }) {
  const nativeClear = timersModule.clearTimeout;
  const nativeClearImmediate = timersModule.clearImmediate;
  const nativeTimeout = timersModule.setTimeout;
  const nativeImmediate = timersModule.setImmediate;
  const byId = new Map();
  let ids = 0;

  const kCallback = Symbol('callback');
  class Timeout {
    constructor(callback, after, args, options) {
      let duration = Number(after);
      if (!(duration >= 1 && duration <= longest)) {
        if (duration > longest)
          process.emitWarning(
            `${duration} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`,
            'TimeoutOverflowWarning',
          );
        duration = 1;
      }
      this._idleTimeout = duration;
      this._repeat = options.repeats ? duration : null;
      this._destroyed = false;
      this[kCallback] = callback;
      this._timerArgs = args;
      hide(this, 'refed', options.refed !== false);
      hide(this, 'context', new AsyncResource('Timeout'));
      hide(this, 'event', undefined);
      hide(this, 'last', undefined);
      hide(this, 'kind', options.kind ?? 'timer');
      this.#arm();
    }
    get _onTimeout() {
      return this[kCallback];
    }
    /** Node's own clearTimeout sets this to null. */
    set _onTimeout(callback) {
      this[kCallback] = callback;
      if (callback === null) this.close();
    }
    #arm() {
      const event = names.name(this.kind, `timer ${Math.trunc(this._idleTimeout)}`, this.last);
      this.last = event;
      event.isRefed = () => this.refed;
      event.run = () => this.#fire();
      this.event = event;
      loop.timer(event, clock.loopTime() + Math.trunc(this._idleTimeout));
    }
    #fire() {
      this.event = undefined;
      const { context, _timerArgs } = this;
      const callback = this[kCallback];
      if (typeof callback !== 'function') return;
      if (this._repeat === null) this._destroyed = true;
      try {
        context.runInAsyncScope(callback, this, ...(_timerArgs ?? []));
      } finally {
        if (this._repeat !== null && !this._destroyed && this.event === undefined) this.#arm();
      }
    }
    refresh() {
      if (this._destroyed && this[kCallback] === null) return this;
      this._destroyed = false;
      if (this.event) loop.remove(this.event);
      this.#arm();
      return this;
    }
    ref() {
      this.refed = true;
      loop.wake();
      return this;
    }
    unref() {
      this.refed = false;
      return this;
    }
    hasRef() {
      return this.refed;
    }
    close() {
      this._destroyed = true;
      this._repeat = null;
      this[kCallback] = null;
      if (this.event) loop.remove(this.event);
      this.event = undefined;
      if (this.id !== undefined) byId.delete(this.id);
      return this;
    }
    [Symbol.toPrimitive]() {
      if (this.id === undefined) hide(this, 'id', ++ids);
      byId.set(this.id, this);
      return this.id;
    }
  }
  if (Symbol.dispose)
    Timeout.prototype[Symbol.dispose] = function dispose() {
      this.close();
    };

  class Immediate {
    constructor(callback, args) {
      this._onImmediate = callback;
      this._argv = args;
      this._destroyed = false;
      hide(this, 'refed', true);
      const context = new AsyncResource('Immediate');
      const event = names.name('immediate', 'immediate');
      hide(this, 'event', event);
      event.run = () => {
        this._destroyed = true;
        context.runInAsyncScope(callback, this, ...args);
      };
      loop.immediate(event);
    }
    ref() {
      this.refed = true;
      return this;
    }
    unref() {
      this.refed = false;
      return this;
    }
    hasRef() {
      return this.refed;
    }
  }

  const setTimeout = (callback, after, ...args) =>
    typeof callback === 'function' ? new Timeout(callback, after, args, {}) : nativeTimeout(callback);
  const setInterval = (callback, after, ...args) =>
    typeof callback === 'function' ? new Timeout(callback, after, args, { repeats: true }) : nativeTimeout(callback);
  const setImmediate = (callback, ...args) =>
    typeof callback === 'function' ? new Immediate(callback, args) : nativeImmediate(callback);
  const clearTimeout = timer => {
    if (timer instanceof Timeout) timer.close();
    else if (typeof timer === 'number' || typeof timer === 'string') {
      const known = byId.get(Number(timer));
      if (known) known.close();
      else nativeClear(timer);
    } else nativeClear(timer);
  };
  const clearImmediate = immediate => {
    if (!(immediate instanceof Immediate)) return nativeClearImmediate(immediate);
    if (!immediate._destroyed) loop.remove(immediate.event);
    immediate._destroyed = true;
  };

  const promises = promised({ setTimeout, clearTimeout, setInterval, setImmediate, clearImmediate });
  const publish = (holder, entries) => {
    for (const [name, value] of Object.entries(entries))
      Object.defineProperty(holder, name, { ...Object.getOwnPropertyDescriptor(holder, name), value });
  };
  const callbacks = {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout,
    clearInterval: clearTimeout,
    clearImmediate,
  };
  for (const [name, value] of Object.entries(callbacks)) Object.defineProperty(value, 'name', { value: name });
  for (const name of ['setTimeout', 'setImmediate'])
    Object.defineProperty(callbacks[name], promisify.custom, { value: promises[name], enumerable: true });
  for (const [name, value] of Object.entries(callbacks))
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: true, configurable: true });
  publish(timersModule, callbacks);
  const nativePromises = require('node:timers/promises');
  const { wait, yield: yieldTurn, ...plain } = promises;
  publish(nativePromises, plain);
  if (nativePromises.scheduler)
    Object.assign(Object.getPrototypeOf(nativePromises.scheduler), { wait, yield: yieldTurn });
  AbortSignal.timeout = delay => {
    const stop = new AbortController();
    const abort = () => stop.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    new Timeout(abort, delay, [], { refed: false });
    return stop.signal;
  };
  return { Timeout };
}

function hide(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, configurable: true });
}

function promised({ setTimeout, clearTimeout, setInterval, setImmediate, clearImmediate }) {
  const aborted = signal =>
    Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
      name: 'AbortError',
      code: 'ABORT_ERR',
    });
  /** A promise of something that can be called off by a signal. */
  const promise = (begin, stop, value, { signal, ref = true } = {}) =>
    signal?.aborted
      ? Promise.reject(aborted(signal))
      : new Promise((resolve, reject) => {
          const callOff = () => {
            stop(begun);
            reject(aborted(signal));
          };
          const begun = begin(() => {
            signal?.removeEventListener('abort', callOff);
            resolve(value);
          });
          if (!ref) begun.unref();
          signal?.addEventListener('abort', callOff, { once: true });
        });
  const after = (delay, value, options) => promise(done => setTimeout(done, delay), clearTimeout, value, options);
  return {
    setTimeout: after,
    setImmediate: (value, options) => promise(setImmediate, clearImmediate, value, options),
    async *setInterval(delay, value, { signal, ref = true } = {}) {
      if (signal?.aborted) throw aborted(signal);
      let due = 0;
      let tell = () => {};
      const interval = setInterval(() => {
        due++;
        tell();
      }, delay);
      if (!ref) interval.unref();
      const callOff = () => tell();
      signal?.addEventListener('abort', callOff, { once: true });
      try {
        for (;;) {
          if (signal?.aborted) throw aborted(signal);
          if (due === 0)
            await new Promise(resolve => {
              tell = resolve;
            });
          if (signal?.aborted) throw aborted(signal);
          for (; due > 0; due--) yield value;
        }
      } finally {
        clearTimeout(interval);
        signal?.removeEventListener('abort', callOff);
      }
    },
    wait: (delay, options) => after(delay, undefined, options),
    yield: () => promise(setImmediate, clearImmediate),
  };
}

module.exports = { installTimers };
