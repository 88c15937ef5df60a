/** What a line of a journal must contain to be accepted. */
import {
  array,
  boolean,
  Mismatch,
  number,
  object,
  oneOf,
  optional,
  type Reader,
  string,
  such,
} from '../core/schema.js';
import type { Event } from '../engine/events.js';
import type { Line } from './journal-file.js';

const outcome = oneOf('pass', 'fail', 'unresolved');
const count = such(number, value => Number.isSafeInteger(value) && value >= 0, 'a count');
const size = object({ deltas: count, bytes: optional(number) });
const verdict = object({
  outcome,
  reason: optional(string),
  signature: optional(string),
  seconds: optional(number),
});

const events: Readonly<Record<Event['type'], Reader<unknown>>> = {
  began: object({
    job: string,
    before: size,
    signature: optional(string),
    rule: optional(string),
    command: optional(string),
  }),
  pass: object({ pass: string, round: number, deltas: count, strategy: string, bytes: optional(number) }),
  answered: object({
    step: number,
    configuration: array(count),
    outcome,
    known: boolean,
    bytes: optional(number),
    n: optional(number),
    part: optional(string),
    rule: optional(string),
    reason: optional(string),
    left: optional(count),
    proof: optional(boolean),
  }),
  reduced: object({ step: number, size }),
  noticed: object({ what: string, text: string, path: optional(string) }),
  ended: object({
    ended: oneOf('done', 'budget', 'interrupted'),
    minimal: array(string),
    size,
    counts: object({ tests: count, executed: count, cached: count, unresolved: count, speculative: optional(count) }),
    seconds: number,
    sentence: optional(string),
  }),
};

/** An event as a journal holds it. */
export const readEvent: Reader<Event> = (value, path = '') => {
  const { type } = object({ type: string })(value, path);
  if (!Object.hasOwn(events, type)) throw new Mismatch(`${path}.type`, 'the type of an event', type);
  events[type as Event['type']](value, path);
  return value as Event;
};

const header = object({ culprit: oneOf(2), job: string, argv: array(string), cwd: string, versions: object({}) });
const tested = object({ test: string, verdict });
const happened = object({ event: readEvent, at: number });
const noted = object({ noted: string });

/** The line, or a `Mismatch` that says what is wrong with it. */
export const readLine: Reader<Line> = (value, path = '') => {
  const line = object({})(value, path);
  const reader = 'culprit' in line ? header : 'test' in line ? tested : 'event' in line ? happened : noted;
  return reader(value, path) as Line;
};
