/** Predicts which questions a strategy will probably ask next. */
import { type Configuration, key } from './configuration.js';
import type { Outcome } from './outcome.js';
import type { Step, Strategy } from './strategy.js';

/** How probable each outcome is for a question of this sort. */
export type Forecast = (sort: string | undefined) => Readonly<Record<Outcome, number>>;

/**
 * The questions that will probably be asked next, the most probable first; the first one is the question that is asked now.
 * The state is a value: both answers are tried on copies of it, and the likeliest future is always explored first (best-first
 * over futures, after DustMite's prediction; Panteleev's lookahead is binary, dd and add need all three outcomes).
 *
 * @example
 * ```ts
 * const forecast = () => ({ fail: 0.2, pass: 0.8, unresolved: 0 });
 * const ahead = lookahead(ddmin(), ddmin().start(all(8)), () => undefined, { forecast });
 * ahead.next().value; // → { configuration: [0, 4], probability: 1 }
 * ahead.next().value; // → { configuration: [4, 8], probability: 0.8 }
 * ```
 */
export function* lookahead<State, Result>(...given: Parameters<typeof stepsAhead<State, Result>>): Generator<Ahead> {
  for (const ahead of stepsAhead(...given)) if (ahead) yield ahead;
}

export interface AheadOptions {
  readonly forecast: Forecast;
  /** How many futures are walked at most. */
  readonly breadth?: number;
  /** A future that is less probable than this is not walked. */
  readonly least?: number;
}

export interface Ahead {
  readonly configuration: Configuration;
  readonly probability: number;
}

/**
 * The same, with `undefined` for each question whose answer is known: finding that out may take a while, so callers can
 * pause.
 *
 * @example
 * ```ts
 * const forecast = () => ({ fail: 0.2, pass: 0.8, unresolved: 0 });
 * const ahead = stepsAhead(ddmin(), ddmin().start(all(8)), () => undefined, { forecast });
 * ahead.next().value; // → { configuration: [0, 4], probability: 1 }
 * ahead.next().value; // → { configuration: [4, 8], probability: 0.8 }
 * ```
 */
export function* stepsAhead<State, Result>(
  strategy: Strategy<State, Result>,
  state: State,
  known: (configuration: Configuration) => Outcome | undefined,
  { forecast, breadth = 4096, least = 1e-6 }: AheadOptions,
): Generator<Ahead | undefined> {
  const outcomes: readonly Outcome[] = strategy.twoValued ? ['fail', 'pass'] : ['fail', 'pass', 'unresolved'];
  const given = new Set<string>();
  const walk = walkAhead(strategy, state, { known, breadth, least }, ({ questionKind }) => {
    const chances = forecast(questionKind);
    const pass = strategy.twoValued ? chances.pass + chances.unresolved : chances.pass;
    return outcomes.map(outcome => [outcome, outcome === 'pass' ? pass : chances[outcome]]);
  });
  for (const { probability, step, isKnown } of walk) {
    if (step.kind === 'done') continue;
    if (isKnown) {
      yield undefined;
      continue;
    }
    for (const configuration of step.sure ? [step.configuration, ...step.sure] : [step.configuration]) {
      const name = key(configuration);
      if (given.has(name) || (configuration !== step.configuration && known(configuration))) continue;
      given.add(name);
      yield { configuration, probability };
    }
  }
}

/** A way in which a search may end. */
export interface End<State> {
  readonly state: State;
  readonly probability: number;
}

/**
 * How a search will probably end, the likeliest way first. Passing and unresolved answers are not told apart: hardly any
 * strategy does, and there would be too many ways.
 *
 * @example
 * ```ts
 * const forecast = () => ({ fail: 0.2, pass: 0.8, unresolved: 0 });
 * const ends = endsAhead(ddmin(), ddmin().start(all(1)), () => undefined, { forecast });
 * [...ends].map(({ probability }) => probability); // → [1]
 * ```
 */
export function* endsAhead<State, Result>(
  strategy: Strategy<State, Result>,
  state: State,
  known: (configuration: Configuration) => Outcome | undefined,
  { forecast, breadth = 1024, least = 1e-6 }: AheadOptions,
): Generator<End<State>> {
  const walk = walkAhead(strategy, state, { known, breadth, least }, ({ questionKind }) => {
    const chances = forecast(questionKind);
    const quiet = strategy.twoValued || chances.pass >= chances.unresolved ? 'pass' : 'unresolved';
    return [
      [quiet, 1 - chances.fail],
      ['fail', chances.fail],
    ];
  });
  for (const { state: end, probability, step } of walk) if (step.kind === 'done') yield { state: end, probability };
}

interface Walk {
  readonly known: (configuration: Configuration) => Outcome | undefined;
  readonly breadth: number;
  readonly least: number;
}

/**
 * The futures of a search, the likeliest first, each with its next step. After a question whose answer is not known, the
 * futures of its possible answers follow.
 */
function* walkAhead<State, Result>(
  strategy: Strategy<State, Result>,
  start: State,
  { known, breadth, least }: Walk,
  chancesOf: (question: Extract<Step<Result>, { kind: 'ask' }>) => readonly (readonly [Outcome, number])[],
) {
  const futures = new Heap<State>();
  futures.push(1, start);
  for (let budget = breadth; budget > 0; budget--) {
    const future = futures.pop();
    if (!future || future.probability < least) return;
    const { state, probability } = future;
    const step = strategy.next(state);
    const certain = step.kind === 'done' ? undefined : known(step.configuration);
    if (certain) futures.push(probability, strategy.answer(state, certain));
    yield { state, probability, step, isKnown: certain !== undefined };
    if (step.kind === 'done' || certain) continue;
    for (const [outcome, chance] of chancesOf(step))
      if (chance > 0) futures.push(probability * chance, strategy.answer(state, outcome));
  }
}

/** A binary heap, largest probability first; of equal ones the older first, so that the order is always the same. */
class Heap<State> {
  readonly #items: { probability: number; age: number; state: State }[] = [];
  #age = 0;

  push(probability: number, state: State): void {
    const items = this.#items;
    items.push({ probability, age: this.#age++, state });
    for (let i = items.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#before(i, parent)) break;
      this.#swap(i, parent);
      i = parent;
    }
  }

  pop(): { readonly probability: number; readonly state: State } | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (!top || !last || items.length === 0) return top;
    items[0] = last;
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      const right = left + 1;
      let best = i;
      if (left < items.length && this.#before(left, best)) best = left;
      if (right < items.length && this.#before(right, best)) best = right;
      if (best === i) return top;
      this.#swap(i, best);
      i = best;
    }
  }

  #before(a: number, b: number): boolean {
    const x = this.#items[a]!;
    const y = this.#items[b]!;
    return x.probability !== y.probability ? x.probability > y.probability : x.age < y.age;
  }

  #swap(a: number, b: number): void {
    const items = this.#items;
    [items[a], items[b]] = [items[b]!, items[a]!];
  }
}
