'use strict';
/**
 * Runs the events one at a time, each in its own macrotask. Before each choice, everything that is sure to come has come:
 * so what there is to choose from does not depend on how fast the machine is.
 */
const { AsyncResource } = require('node:async_hooks');

const native = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: performance.now.bind(performance),
};
/** How often the event loop polls before everything counts as arrived: data within this process needs one poll. */
const looks = 2;
/** An expected event may never come (an address that does not answer): after this many ms, waiting for it ends. */
const patience = 2000;
/** Events that run in one turn of the native loop; Node runs ticks and microtasks after each. */
const batch = 64;

function openLoop({ order, clock, names, trace }) {
  /** Asked for, sure to come, not here yet. */
  const awaited = new Set();
  /** Steps that the native loop will take. */
  let steps = 0;
  let looked = 0;
  /** Sockets are open: data may be on its way within this process. */
  let connections = 0;
  /** Something outside of this process may have news: while it lives, timers keep real time. */
  const outside = new Set();
  let impatience;
  let pacing;

  const wake = (wanted = 1) => {
    for (; steps < wanted; steps++) native.setImmediate(step);
  };

  const stopPacing = () => {
    if (pacing === undefined) return;
    native.clearTimeout(pacing);
    pacing = undefined;
  };

  function step() {
    steps--;
    stopPacing();
    if (awaited.size > 0) {
      impatience ??= native.setTimeout(giveUp, patience).unref();
      return;
    }
    if (connections > 0 && looked < looks) {
      // Only the last step of a turn comes right before the loop looks for news.
      if (steps > 0) return;
      looked++;
      wake();
      return;
    }
    const event = order.next() ?? nextTimer();
    if (event === undefined) return;
    looked = 0;
    // Before it runs: if it throws, the others must go on.
    wake(Math.min(batch, order.ready.length + 1));
    run(event);
  }

  function giveUp() {
    impatience = undefined;
    awaited.clear();
    wake();
  }

  /** Timers fire when nothing else can happen. Whoever waits for others sees time pass as they do. */
  function nextTimer() {
    const found = order.peekTimer();
    if (found === undefined) return undefined;
    const isKept = order.timers.some(timer => timer.isRefed());
    if (isKept && !isOutsideAlive()) return order.takeTimer(found);
    const { due, start, armed } = found.timer;
    const wait = Math.ceil(due - start - (native.now() - armed));
    if (due <= clock.now() || wait <= 0) return order.takeTimer(found);
    pacing = native.setTimeout(() => wake(), wait);
    if (!isKept) pacing.unref();
    return undefined;
  }

  function isOutsideAlive() {
    for (const isAlive of outside) if (isAlive()) return true;
    return false;
  }

  function run(event) {
    if (event.due !== undefined) clock.moveTo(event.due);
    clock.beginTurn();
    names.enter(event);
    trace.ran(event, clock.now());
    event.run();
  }

  return {
    wake: () => wake(),
    outside,
    /** Streams that lead to another process. */
    foreign: new WeakSet(),
    native,
    connected: n => {
      connections += n;
    },
    /** Something was asked for. `isSure`: it will come by itself, and soon. */
    ask(event, isSure) {
      order.reserve(event);
      if (isSure) awaited.add(event);
      return event;
    },
    /** It will not come after all. */
    forget(event) {
      if (awaited.delete(event)) wake();
    },
    /** It came: its callback waits for its turn, in the context in which Node would have called it. */
    arrive(event, callback, self, args) {
      awaited.delete(event);
      if (awaited.size === 0 && impatience !== undefined) {
        native.clearTimeout(impatience);
        impatience = undefined;
      }
      looked = 0;
      const context = new AsyncResource('culprit');
      event.run = () => context.runInAsyncScope(callback, self, ...args);
      order.add(event);
      wake();
    },
    /** The same for a promise, which carries its context itself. */
    settle(event, run) {
      awaited.delete(event);
      event.run = run;
      order.add(event);
      wake();
    },
    immediate(event) {
      order.add(event, true);
      wake();
    },
    timer(event, due) {
      event.armed = native.now();
      event.start = clock.loopTime();
      order.addTimer(event, due);
      wake();
    },
    remove: event => order.remove(event),
  };
}

module.exports = { openLoop, native };
