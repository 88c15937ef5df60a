/**
 * Several causes on models: distinct tests until the first cause, for each later one, and until all is proven. The full
 * configuration was tested before the search, and is not counted. Argument: how many seeds for the scattered models.
 */
import { all, type Configuration, has, key } from '../src/core/index.js';
import { marco } from '../src/strategies/index.js';

const seeds = Number(process.argv[2] ?? 20);

type Sets = readonly (readonly number[])[];

interface Measured {
  /** Tests at which each cause was complete. */
  readonly at: readonly number[];
  readonly tests: number;
  readonly ways: number;
  readonly complete: boolean;
  readonly seconds: number;
}

function measure(count: number, causes: Sets, limit?: number): Measured {
  const strategy = marco(limit === undefined ? {} : { limit });
  const fails = (configuration: Configuration) =>
    causes.some(cause => cause.every(delta => has(configuration, delta))) ? 'fail' : 'pass';
  const began = performance.now();
  const asked = new Set<string>();
  const at: number[] = [];
  let state = strategy.start(all(count));
  for (;;) {
    const step = strategy.next(state);
    if (step.kind === 'done') {
      const { passing, complete } = step.result;
      const seconds = (performance.now() - began) / 1000;
      return { at, tests: asked.size, ways: passing.length, complete, seconds };
    }
    asked.add(key(step.configuration));
    state = strategy.answer(state, fails(step.configuration));
    while (at.length < state.causes.length) at.push(asked.size);
  }
}

const triples = (five: readonly number[]): Sets =>
  five.flatMap((a, i) => five.slice(i + 1).flatMap((b, j) => five.slice(i + j + 2).map(c => [a, b, c])));

/** Different numbers below n, the same on every machine (xorshift, 32 bits). */
function scattered(n: number, wanted: number, seed: number): readonly number[] {
  let state = Math.imul(seed + 1, 0x9e3779b9) | 1;
  const found = new Set<number>();
  while (found.size < wanted) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    found.add((state >>> 0) % n);
  }
  return [...found];
}

const pairs = (deltas: readonly number[]): Sets =>
  Array.from({ length: deltas.length >> 1 }, (_, i) => [deltas[2 * i]!, deltas[2 * i + 1]!]);

const fixed: readonly (readonly [string, number, Sets, number?])[] = [
  ['{2, 6}, 8 deltas', 8, [[2, 6]]],
  ['Δ3 or Δ17, 32 deltas', 32, [[3], [17]]],
  ['{1, 2}, {2, 9} or {30}, 40 deltas', 40, [[1, 2], [2, 9], [30]]],
  ['four disjoint pairs, 64 deltas', 64, pairs([0, 1, 2, 3, 4, 5, 6, 7])],
  ['any three of five, 20 deltas', 20, triples([0, 1, 2, 3, 4])],
  ['Δ5 or Δ900, 1000 deltas', 1000, [[5], [900]]],
  ['50 pairs, 10,000 deltas, limit 60', 10_000, pairs(scattered(10_000, 100, 7)), 60],
];
console.log('| model | causes | first at | all found at | proven at | ways to avoid | complete | seconds |');
console.log('|---|--:|--:|--:|--:|--:|---|--:|');
for (const [name, count, causes, limit] of fixed) {
  const { at, tests, ways, complete, seconds } = measure(count, causes, limit);
  console.log(
    `| ${name} | ${at.length} | ${at[0]} | ${at.at(-1)} | ${tests} | ${ways} | ${complete ? 'yes' : 'no'} | ${seconds.toFixed(2)} |`,
  );
}

const mean = (values: readonly number[]) => (values.reduce((sum, each) => sum + each, 0) / values.length).toFixed(1);
const random: readonly (readonly [string, number, (seed: number) => Sets])[] = [
  ['one pair, 64 deltas', 64, seed => pairs(scattered(64, 2, seed))],
  ['four disjoint pairs, 64 deltas', 64, seed => pairs(scattered(64, 8, seed))],
  ['any three of five, 20 deltas', 20, seed => triples(scattered(20, 5, seed))],
  ['five single deltas, 1000 deltas', 1000, seed => scattered(1000, 5, seed).map(delta => [delta])],
];
console.log(`\n| scattered, mean of ${seeds} | first at | tests for each cause | proven at |`);
console.log('|---|--:|--:|--:|');
for (const [name, count, causesOf] of random) {
  const runs = Array.from({ length: seeds }, (_, seed) => measure(count, causesOf(seed)));
  const each = runs.map(({ at }) => at.at(-1)! / at.length);
  console.log(
    `| ${name} | ${mean(runs.map(({ at }) => at[0]!))} | ${mean(each)} | ${mean(runs.map(({ tests }) => tests))} |`,
  );
}
