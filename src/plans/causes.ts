/** Every cause of a failure, and every way to avoid it, over any circumstance: the search, and what can be said of its end. */
import {
  all,
  type Circumstance,
  type Configuration,
  deltasOf,
  empty,
  has,
  isSubset,
  key,
  minus,
  type Strategy,
  size,
  type Test,
  union,
} from '../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../engine/index.js';
import { type Contradiction, causesIn, type Marco, marco } from '../strategies/index.js';

export interface AllCauses {
  readonly ended: Ended;
  /** Each is enough by itself, and nothing in it can be left out. In the order in which they were found. */
  readonly causes: readonly Configuration[];
  /** What to leave out so that no cause is left; tested, the smallest first. */
  readonly avoid: readonly Configuration[];
  /** Leaving out these can't be judged: another cause may hide there. */
  readonly unknown: readonly Configuration[];
  /** Deltas without which nothing can be judged: they are always there, and are part of no cause. */
  readonly needed: Configuration;
  /** With what is needed in place, these are all causes and all ways to avoid them, if the test is monotone. */
  readonly complete: boolean;
  readonly stopped?: 'limit' | 'effort';
  readonly contradiction?: Contradiction;
}

export interface AllCausesOptions<Artifact> extends ExploreOptions<Artifact> {
  /** At most so many causes, and so many ways to avoid them. */
  readonly limit?: number;
  /** How a failing set is shrunk (default: sweep). */
  readonly list?: Strategy<unknown>;
}

/** Finds all causes. Each is told in an event as soon as it is found. */
export async function* allCauses<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  { limit, list, ...options }: AllCausesOptions<Artifact> = {},
): AsyncGenerator<Event, AllCauses> {
  const whole = all(circumstance.count);
  const strategy = marco<unknown>({ ...(limit === undefined ? {} : { limit }), ...(list ? { list } : {}) });
  const { name, count } = circumstance;
  yield { type: 'pass', pass: `causes by ${name}`, round: 1, deltas: count, strategy: strategy.name };
  const run = explore(strategy, circumstance, test, options);
  // The same answers lead the same way: what is known is read from the strategy's own state, however the search ends.
  let state = strategy.start(whole);
  const said = new Set<string>();
  for (;;) {
    const step = await run.next();
    if (step.done) return concluded(state, whole, step.value.ended);
    yield step.value;
    if (step.value.type !== 'answered') continue;
    state = strategy.answer(state, step.value.outcome);
    for (const cause of state.causes) {
      if (said.has(key(cause))) continue;
      said.add(key(cause));
      const text = `cause ${said.size}: ${listed(cause, wordsOf(circumstance))}`;
      yield { type: 'noticed', what: 'cause', text, configuration: cause };
    }
  }
}

function concluded(state: Marco<unknown>, whole: Configuration, ended: Ended): AllCauses {
  const { causes, passing, unknown, stopped, contradiction } = causesIn(state);
  const without = (sets: readonly Configuration[]) =>
    sets.map(each => minus(whole, each)).sort((a, b) => size(a) - size(b));
  const avoid = without(passing);
  const unjudged = without(unknown);
  // Leaving out one delta can't be judged, and no way was found to do without it: the command needs it to say anything at all.
  const needed = unjudged
    .filter(each => size(each) === 1 && !avoid.some(set => isSubset(each, set)))
    .reduce(union, empty);
  const open = unjudged.filter(each => !isSubset(each, needed));
  const others = causes.map(cause => minus(cause, needed));
  return {
    ended,
    // A failure that needs nothing but what is always there keeps its deltas: an empty cause would say nothing.
    causes: causes.map((cause, i) => (size(others[i]!) === 0 ? cause : others[i]!)),
    avoid,
    unknown: open,
    needed,
    complete: ended === 'done' && !stopped && !contradiction && open.length === 0,
    ...(stopped ? { stopped } : {}),
    ...(contradiction ? { contradiction } : {}),
  };
}

/** A delta in words. */
export const wordsOf =
  (circumstance: Circumstance<unknown>) =>
  (delta: number): string =>
    circumstance.describe?.(delta) ?? `${circumstance.name} ${delta + 1}`;

/** `a`, `a and b`, `a, b and c`; with semicolons if the names have commas; `nothing` for the empty set. */
export function listed(configuration: Configuration, words: (delta: number) => string): string {
  const names = [...deltasOf(configuration)].map(delta => words(delta).trim());
  if (names.length === 0) return 'nothing';
  const comma = names.some(name => name.includes(',')) ? '; ' : ', ';
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(comma)} and ${names.at(-1)}`;
}

/** What was proven, in a sentence or two. */
export function toldOf(found: AllCauses, words: (delta: number) => string): string {
  const { causes, avoid, complete, ended } = found;
  const several = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
  const some = several(causes.length, 'cause', 'causes');
  if (causes.length === 0)
    return `${ended === 'budget' ? 'The budget is used up' : 'Interrupted'} before the first cause was found.`;
  if (complete) {
    const ways =
      avoid.length === 0 ? 'nothing avoids the failure' : several(avoid.length, 'way to avoid it', 'ways to avoid it');
    return causes.length === 1 ? `Done. This is the only cause; ${ways}.` : `Done. These are all ${some}; ${ways}.`;
  }
  return [`At least ${some}; ${whyMore(found)}.`, ...notMonotone(found, words)].join(' ');
}

function whyMore({ ended, stopped, unknown, contradiction }: AllCauses): string {
  if (ended === 'budget') return 'the budget is used up';
  if (ended === 'interrupted') return 'interrupted';
  if (stopped === 'limit') return 'stopped at the limit';
  if (stopped === 'effort') return 'there are too many combinations to find the next one to test';
  if (unknown.length > 0)
    return `${unknown.length} ${unknown.length === 1 ? 'combination' : 'combinations'} could not be judged, and may hide more`;
  return contradiction ? 'there may be more' : 'the rest is not proven';
}

function notMonotone({ contradiction }: AllCauses, words: (delta: number) => string): readonly string[] {
  if (!contradiction) return [];
  const extra = minus(contradiction.passing, contradiction.failing);
  const few = (set: Configuration, many: string) => (size(set) <= 4 ? listed(set, words) : `${size(set)} ${many}`);
  const [failing, which] = [few(contradiction.failing, 'together'), few(extra, 'others')];
  return [
    `The test is not monotone: ${failing} fails, but passes together with ${which}. Each cause and each way to avoid it was tested and holds.`,
  ];
}

/** Causes and ways to avoid them, one to a line. */
export function linesOf(found: AllCauses, words: (delta: number) => string): readonly string[] {
  const { causes, avoid, unknown, needed } = found;
  return [
    ...causes.map((cause, i) => `cause ${i + 1}: ${listed(cause, words)}`),
    ...(size(needed) > 0 ? [`always needed: ${listed(needed, words)}`] : []),
    ...avoid.map((set, i) => `${i === 0 ? 'to avoid it, leave out' : 'or'} ${listed(set, words)}`),
    ...unknown.map(set => `can't be judged without ${listed(set, words)}`),
  ];
}

/** Which deltas matter: those of some cause, or of some way to avoid it. */
export const involved = ({ causes, avoid }: AllCauses): readonly number[] => [
  ...deltasOf([...causes, ...avoid].reduce(union, empty)),
];

/** A matrix for people: a row for each delta that matters, a column for each cause and each way to avoid it. */
export function matrixOf(found: AllCauses, words: (delta: number) => string, most = 12) {
  const [causes, avoid] = [found.causes.slice(0, most), found.avoid.slice(0, most)];
  const mark = (set: Configuration, delta: number, sign: string) => (has(set, delta) ? sign : '');
  const rows = involved({ ...found, causes, avoid });
  return {
    columns: ['', ...causes.map((_, i) => `cause ${i + 1}`), ...avoid.map((_, i) => `way out ${i + 1}`)],
    rows: rows.map(delta => [
      words(delta).trim(),
      ...causes.map(set => mark(set, delta, '●')),
      ...avoid.map(set => mark(set, delta, 'leave out')),
    ]),
    remaining: rows.flatMap((delta, i) => (causes.some(set => has(set, delta)) ? [i] : [])),
  };
}
