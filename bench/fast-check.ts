/**
 * `npm run bench -- fast-check`: a failing property over documents of about 20 KB. What fast-check's own shrinker makes of the value, and
 * what culprit makes of the value that fast-check began with, in characters and seconds. fast-check gets a minute.
 */
import * as fc from 'fast-check';
import { reduceCounterexample } from '../src/library/fast-check.js';

interface Subject {
  readonly language: string;
  /** A document with a part in it that breaks the property. */
  readonly documents: fc.Arbitrary<string>;
  /** Whether the property holds. */
  holds(text: string): boolean;
}

const letters = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 3, maxLength: 12 });
const many = <T>(each: fc.Arbitrary<T>, count: number) => fc.array(each, { minLength: count, maxLength: count });
const parses = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const subjects: readonly Subject[] = [
  {
    language: 'json',
    documents: many(
      fc.record({ id: fc.nat(), name: letters, tags: fc.array(letters), price: fc.option(fc.nat()) }),
      250,
    ).map(items => JSON.stringify(items)),
    holds(text) {
      const items = parses(text);
      return !Array.isArray(items) || !items.some(item => item?.price === null);
    },
  },
  {
    language: 'html',
    documents: many(fc.tuple(fc.constantFrom('p', 'div', 'em', 'table'), letters, letters), 600).map(
      items =>
        `<html><body>${items.map(([tag, id, text]) => `<${tag} id="${id}">${text}</${tag}>`).join('\n')}</body></html>`,
    ),
    holds: text => !/<table[^>]*>[^<]*<\/table>/.test(text),
  },
  {
    language: 'js',
    documents: many(fc.tuple(letters, fc.nat(99), letters), 500).map(items =>
      items.map(([name, n, text], i) => `function ${name}${i}(x) { return x + ${n} + "${text}"; }`).join('\n'),
    ),
    holds(text) {
      try {
        new Function(text);
      } catch {
        return true;
      }
      return !/return x \+ 4\d/.test(text);
    },
  },
];

const seconds = (began: number) => ((performance.now() - began) / 1000).toFixed(1);
console.log('| language | generated | fast-check | seconds | culprit | seconds | runs of the property |');
console.log('|---|--:|--:|--:|--:|--:|--:|');
for (const { language, documents, holds } of subjects) {
  const property = fc.property(documents, text => {
    if (!holds(text)) throw new Error('the document breaks it');
  });
  const first = fc.check(property, { seed: 7, endOnFailure: true });
  const generated = first.counterexample![0];
  let began = performance.now();
  const shrunk = fc.check(property, { seed: 7, interruptAfterTimeLimit: 60_000 });
  const own = [shrunk.counterexample?.[0].length ?? 0, seconds(began)];
  began = performance.now();
  const { counterexample, tests } = await reduceCounterexample(property, first, { language });
  console.log(
    `| ${language} | ${generated.length} | ${own.join(' | ')} | ${counterexample[0].length}: \`${counterexample[0]}\` | ${seconds(began)} | ${tests} |`,
  );
}
