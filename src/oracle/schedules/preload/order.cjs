'use strict';
/**
 * The queue of events that are ready to run, and which of them is next. Without lateness that is the default order: as
 * Node has it, with immediates before I/O, I/O in the order in which it was asked for, and timers when no I/O waits.
 * A late event is overtaken by as many others as its lateness says, if that many can.
 */

/** How late each event is, by its name. `seed`: at random, but always the same for one seed and one name. */
function latenessOf({ late = {}, seed }, hash) {
  if (seed === undefined) return event => late[event.id] ?? 0;
  // Seeds differ in how many events are late and by how much: no single rate finds all races.
  const rate = [0.1, 0.25, 0.05, 0.5][seed % 4];
  const reach = [16, 4, 64][seed % 3];
  return event => {
    if (!event.isUsers) return 0;
    const [a, b] = hash(event.id, seed * 7919 + 1);
    return a / 4294967296 < rate ? 1 + Math.floor(-Math.log((b + 1) / 4294967297) * reach) : 0;
  };
}

const before = (a, b) => a.key < b.key || (a.key === b.key && a.seq < b.seq);

function insert(list, event) {
  let at = list.length;
  while (at > 0 && before(event, list[at - 1])) at--;
  list.splice(at, 0, event);
}

function openOrder({ lateness, slow, clock, overtaken }) {
  /** Ready to run, in the default order. */
  const ready = [];
  /** By the time that they are due. */
  const timers = [];
  let turn = 0;
  let seq = 0;
  /** A timer has just run: those that were due with it come before the immediates that it asked for. */
  let isInTimers = false;

  const overtake = (skipped, event) => {
    if (event.isOutside) return;
    for (const each of skipped) {
      each.late--;
      overtaken(each, event);
    }
  };

  const take = (list, event) => {
    if (list[0] === event) return list.shift();
    list.splice(list.indexOf(event), 1);
    return event;
  };

  /** The first in a list that is not late, is not behind a late one of its own group, and comes in time. */
  function firstIn(list, skipped, inTime) {
    const head = list[0];
    if (head && head.late === 0 && !head.isHeld?.() && inTime(head)) return head;
    const blocked = new Set();
    const block = ({ group }) => group !== undefined && blocked.add(group);
    for (const event of list) {
      if (!inTime(event)) return undefined;
      if (event.isHeld?.()) block(event);
      else if (event.late > 0 && !blocked.has(event.group)) {
        skipped.push(event);
        block(event);
      } else if (!blocked.has(event.group)) return event;
    }
    return undefined;
  }

  /** Until when all that is skipped may wait. */
  const deadline = skipped => Math.min(...skipped.map(event => event.since)) + slow;

  function nextTimer(skipped) {
    const first = firstIn(timers, skipped, event => skipped.length === 0 || event.due <= deadline(skipped));
    return first;
  }

  return {
    /** An I/O completion (or an immediate) that is ready to run. */
    add(event, isImmediate = false) {
      event.seq ??= ++seq;
      event.since = clock.now();
      event.late = lateness(event);
      event.key = 2 * (turn + 1) + (isImmediate ? 0 : 1);
      insert(ready, event);
    },
    /** Takes a place in the line when something is asked for; it is added when it is ready. */
    reserve(event) {
      event.seq = ++seq;
    },
    addTimer(event, due) {
      event.seq = ++seq;
      event.due = event.since = event.key = due;
      event.late = lateness(event);
      insert(timers, event);
    },
    remove(event) {
      for (const list of [ready, timers]) {
        const at = list.indexOf(event);
        if (at >= 0) list.splice(at, 1);
      }
    },
    get timers() {
      return timers;
    },
    get ready() {
      return ready;
    },
    /** What runs next of what is ready, if anything may; `undefined` means that only timers can continue. */
    next() {
      if (ready.length === 0) return undefined;
      const skipped = [];
      let event = firstIn(ready, skipped, () => true);
      const due = timers[0];
      if (event?.key % 2 === 0 && isInTimers && due && due.due <= clock.now() && due.late === 0) {
        overtake(skipped, due);
        return take(timers, due);
      }
      if (event === undefined && skipped.length > 0) {
        // All that is ready is late: a timer may come first, if what waits does not become too slow.
        const late = [...skipped];
        const timer = nextTimer(late);
        if (timer !== undefined) {
          overtake(late, timer);
          isInTimers = true;
          return take(timers, timer);
        }
        event = skipped.shift();
        skipped.length = 0;
      }
      if (event === undefined) return undefined;
      overtake(skipped, event);
      if (timers.length > 0)
        overtake(
          timers.filter(timer => timer.late > 0 && timer.due <= clock.now()),
          event,
        );
      turn = Math.max(turn, event.key >> 1);
      isInTimers = false;
      return take(ready, event);
    },
    /** The timer that is next, when nothing else is ready; it stays in the list until it is taken. */
    peekTimer() {
      const skipped = [];
      const timer = nextTimer(skipped) ?? timers[0];
      return timer && { timer, skipped: timer === skipped[0] ? [] : skipped };
    },
    takeTimer({ timer, skipped }) {
      overtake(skipped, timer);
      isInTimers = true;
      return take(timers, timer);
    },
  };
}

module.exports = { openOrder, latenessOf };
