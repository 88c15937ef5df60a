/** Events in words: what they are, and the line of the user that asked for them. */
import type { RecordedEvent, Recording } from './recording.js';

/** Describes two events so that they differ: if the same line asked for both, by the lines that led there, or else by their numbers. */
export function describeBoth(
  recording: Recording,
  ids: readonly [string, string],
): [EventDescription, EventDescription] {
  const described = (depth: number) =>
    ids.map(id => describeEvent(recording, id, depth)) as [EventDescription, EventDescription];
  for (let depth = 1; depth < deepest; depth++) {
    const [a, b] = described(depth);
    if (a.text !== b.text) return [a, b];
  }
  const numbered = (event: EventDescription) => {
    const nth = recording.events[event.id]?.nth ?? 1;
    return { ...event, text: event.text.replace(/\)$/, `, no. ${nth})`) };
  };
  const [a, b] = described(1);
  return [numbered(a), numbered(b)];
}

/** An event as shown to people. */
export interface EventDescription {
  readonly id: string;
  /** `timer`, `callback of rename`, `close of a socket` … */
  readonly what: string;
  /** The line that asked for it, as precisely as possible. */
  readonly file: string;
  readonly line: number;
  /** The line of the user's own code that led there, if that is another one. */
  readonly via?: string;
  /** All in one text: `timer (client.js:7)`. */
  readonly text: string;
  /** The stack at the moment it was asked for, then that of the event before it, and so on. */
  readonly stack: readonly string[];
}

const isInternal = (place: string): boolean => place.startsWith('node:') || place === 'node' || place === '';
const isForeign = (place: string): boolean => isInternal(place) || /(^|\/)node_modules\//.test(place);
const placeOf = (frame: string): string => frame.replace(/^.*\(|\)$/g, '').replace(/:\d+$/, '');
/** How far back to follow the ancestors of an event, and how many lines to use to distinguish two events. */
const oldest = 64;
const deepest = 8;

/**
 * An event in words. Lines inside Node say little: the event's ancestors show which line of the program led there. `depth`:
 * how many lines of the user's own code are named.
 */
export function describeEvent(recording: Recording, id: string, depth = 1): EventDescription {
  const event = recording.events[id];
  if (!event) return { id, what: 'an event', file: '', line: 0, text: 'an event that was not recorded', stack: [] };
  const line = ancestry(recording, event);
  const places = line.flatMap(each => [each.place, ...each.stack.map(placeOf)]);
  const near = places.find(place => !isInternal(place)) ?? event.place;
  const own = [...new Set(places.filter(place => !isForeign(place)))];
  // Node reads a file in several steps, but the program asked for one.
  const asked = line.find(each => !isInternal(each.place)) ?? event;
  const what = whatOf(event.kind === asked.kind ? { ...event, call: asked.call } : event);
  const led = own.filter(place => place !== near).slice(0, isForeign(near) ? depth : depth - 1);
  const via = led.length === 0 ? undefined : led.join(' ← ');
  const [, file = near, number = '0'] = /^(.*):(\d+)$/.exec(near) ?? [];
  const stack = line.flatMap((each, i) => [...(i > 0 ? [`after ${whatOf(each)}`] : []), ...each.stack]);
  return {
    id,
    what,
    file,
    line: Number(number),
    ...(via === undefined ? {} : { via }),
    text: `${what} (${short(near)}${via ? `, for ${via}` : ''})`,
    stack: stack.map(frame => frame.replace(/[^ (]*node_modules\//, '')),
  };
}

function ancestry(recording: Recording, event: RecordedEvent): readonly RecordedEvent[] {
  const line = [event];
  for (let up = recording.events[event.parent]; up && line.length < oldest; up = recording.events[up.parent])
    line.push(up);
  return line;
}

/** A line in a package is described by the package, not by its path. */
const short = (place: string): string => place.replace(/^.*node_modules\//, '');

const kinds: Readonly<Record<string, string>> = {
  immediate: 'setImmediate',
  close: 'close of a handle',
  data: 'data of a stream',
  'end of data': 'end of a stream',
  connect: 'connect',
  connection: 'a new connection',
  shutdown: 'shutdown of a stream',
  write: 'the end of a write',
  dns: 'a DNS answer',
};

function whatOf({ kind, call }: RecordedEvent): string {
  if (kind === 'thread') return call;
  if (kind === 'fs' || kind === 'crypto' || kind === 'zlib') return `callback of ${call || kind}`;
  if (kind === 'close' && /socket|Socket|Pipe|TCP/.test(call)) return 'close of a socket';
  return kinds[kind] ?? kind;
}
