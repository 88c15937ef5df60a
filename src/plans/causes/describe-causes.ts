/** Causes and ways to avoid them in words: sentences, lines and a table. */

import { type Circumstance, type Configuration, deltasOf, empty, has, minus, size, union } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import type { AllCauses } from './search.js';

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
export function sentenceOf(found: AllCauses, words: (delta: number) => string): string {
  const { causes, avoid, complete, ended, unstable } = found;
  const several = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
  const some = several(causes.length, 'cause', 'causes');
  if (unstable > 0)
    return `${causes.length === 0 ? 'Nothing is proven' : `At least ${some}`}: ${several(unstable, 'result', 'results')} did not hold when tested again, so the test is not stable. Try --repeat or --timeout.`;
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
  if (unknown.length > 0) return `${counted(unknown.length, 'combination')} could not be judged, and may hide more`;
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
