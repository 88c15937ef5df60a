/** Damages a JSON text in thousands of ways, the same ones for the same seed. */

/** A small generator (mulberry32): the same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const others: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e300,
  3.5,
  '',
  'x',
  '\u0000',
  '//',
  'constructor',
  '__proto__',
  [],
  {},
  [null],
  [[]],
  { name: 1 },
  { length: -1 },
  { type: 'click' },
  'x'.repeat(5000),
];

type Holder = Record<string | number, unknown>;

/** Every place of a value: what holds it, and under which key. */
function placesIn(value: unknown): readonly (readonly [Holder, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap(key => [[value as Holder, key] as const, ...placesIn((value as Holder)[key])]);
}

/** The text with one to three pieces of damage: a value of another kind, a key that is gone or moved, or damaged letters. */
export function* mutationsOf(text: string, count: number, seed: number): Generator<string> {
  const below = random(seed);
  for (let n = 0; n < count; n++) {
    let damaged = text;
    for (let times = 1 + below(3); times > 0; times--)
      damaged = below(3) === 0 ? scratched(damaged, below) : (exchanged(damaged, below) ?? damaged);
    yield damaged;
  }
}

function exchanged(text: string, below: (n: number) => number): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const places = placesIn(value);
  if (places.length === 0) return JSON.stringify(others[below(others.length)]);
  const [holder, key] = places[below(places.length)]!;
  const [other, otherKey] = places[below(places.length)]!;
  switch (below(4)) {
    case 0:
      delete holder[key];
      break;
    case 1:
      holder[key] = structuredClone(other[otherKey]);
      break;
    default:
      holder[key] = others[below(others.length)];
  }
  return JSON.stringify(value);
}

function scratched(text: string, below: (n: number) => number): string {
  const [at, length] = [below(text.length + 1), below(8)];
  switch (below(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + length);
    case 2:
      return text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1);
    default:
      return text.slice(0, at) + text.slice(below(text.length + 1), at + length) + text.slice(at);
  }
}
