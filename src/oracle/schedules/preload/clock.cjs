'use strict';
/** A clock that moves only when the schedule moves it, and a random generator that gives the same numbers in every run. */

/** What it costs to ask for the time, in ms: a loop that waits for the clock must end. */
const glance = 0.001;

let now = 0;
let epoch = 0;
/** The time as the event loop saw it last: timers are armed by it, as libuv does. */
let loopTime = 0;

const clock = {
  now: () => now,
  /** The wall clock, in ms. */
  wall: () => Math.trunc(epoch + now),
  loopTime: () => loopTime,
  /** Never moves backwards. */
  moveTo(time) {
    if (time > now) now = time;
  },
  beginTurn() {
    loopTime = Math.trunc(now);
  },
};

const look = () => {
  now += glance;
  return now;
};

function installDate(global) {
  const Native = global.Date;
  const wall = () => Math.trunc(epoch + look());
  function VirtualDate(...parts) {
    if (!new.target) return new Native(wall()).toString();
    return Reflect.construct(
      Native,
      parts.length === 0 ? [wall()] : parts,
      new.target === VirtualDate ? Native : new.target,
    );
  }
  for (const key of Reflect.ownKeys(Native))
    if (key !== 'prototype') Object.defineProperty(VirtualDate, key, Object.getOwnPropertyDescriptor(Native, key));
  Object.defineProperty(VirtualDate, 'prototype', { value: Native.prototype, writable: false });
  Object.defineProperty(VirtualDate, 'now', { value: wall, writable: true, configurable: true });
  Object.defineProperty(Native.prototype, 'constructor', { value: VirtualDate, writable: true, configurable: true });
  Object.defineProperty(global, 'Date', { value: VirtualDate, writable: true, configurable: true });
}

function installHighResolution(global) {
  const nanoseconds = () => BigInt(Math.round(look() * 1e6));
  const hrtime = previous => {
    const time = nanoseconds() - (previous ? BigInt(previous[0]) * 1_000_000_000n + BigInt(previous[1]) : 0n);
    const seconds = time / 1_000_000_000n;
    const rest = time % 1_000_000_000n;
    return rest < 0n ? [Number(seconds) - 1, Number(rest) + 1e9] : [Number(seconds), Number(rest)];
  };
  hrtime.bigint = nanoseconds;
  process.hrtime = hrtime;
  process.uptime = () => look() / 1000;
  const { performance } = global;
  Object.defineProperty(performance, 'now', { value: look, writable: true, configurable: true });
  Object.defineProperty(performance, 'timeOrigin', { value: epoch, writable: true, configurable: true });
}

/** Mulberry32. */
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** `start`: the wall clock at the beginning, in ms. `seed`: differs between the processes of one run, and so do their numbers. */
function installClock(global, { start, seed }) {
  epoch = start;
  installDate(global);
  installHighResolution(global);
  Math.random = generator(seed);
}

module.exports = { clock, installClock };
