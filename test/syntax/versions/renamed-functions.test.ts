import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languageNamed } from '../../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { matchedFunctions } from '../../../src/syntax/versions/matched-functions.js';
import { oldFunctions } from '../../../src/syntax/versions/old-functions.js';
import { restorationsIn } from '../../../src/syntax/versions/restorations.js';

async function trees(old: string, now: string, language: string) {
  const syntax = await syntaxOf(languageNamed(language)!);
  return [hostTree(old, syntax)!, hostTree(now, syntax)!] as const;
}

const oldItem = `static int processItems(reader *r) {
    task *cur = &(r->stack[r->index]);
    long long elements;
    if (parse(r, &elements) && readLine(r)) {
        if (elements < -1 || elements > INT_MAX) {
            setError(r, "length out of range");
            return ERR;
        }
        moveToNextTask(r);
    }
    return OK;
}
`;
const newItem = oldItem
  .replace('processItems', 'processAggregate')
  .replace('&(r->stack[r->index])', 'r->task[r->index]')
  .replace('elements > INT_MAX', 'elements > r->most');

test('the old form of a condition is found in a function that has another name', async () => {
  const [old, now] = await trees(oldItem, newItem, 'c');
  const texts = (await restorationsIn(old, now)).map(span => apply(newItem, { spans: [span] }));
  expect(texts).toContain(newItem.replace('elements > r->most', 'elements > INT_MAX'));
});

test('a renamed function can be taken back as a whole, under its new name', async () => {
  const old = 'function checkWidth(node, width) { const most = limitOf(node); return width > most ? most : width; }';
  const now =
    'function clampWidth(node, width) { const most = limitOf(node); return width >= most ? most - 1 : width; }';
  const text = apply(now, { spans: await oldFunctions(...(await trees(old, now, 'javascript'))) });
  expect(text).toBe(old.replace('checkWidth', 'clampWidth'));
});

test('functions that say something else are not the same one', async () => {
  const old = 'function first(a, b) { open(a); write(b, header); close(a); return true; }';
  const now = 'function second(list) { return list.map(item => item.name).filter(Boolean).join(separator); }';
  expect((await matchedFunctions(...(await trees(old, now, 'javascript')), [])).named).toEqual([]);
});

test('a function is in one pair at most, and a name that both have is never given away', async () => {
  const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa');
  const file = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('f', 'g', 'h', 'k', 'm'),
      words: fc.array(word, { minLength: 4, maxLength: 9 }),
    }),
    { selector: each => each.name, minLength: 1 },
  );
  const write = (functions: readonly { readonly name: string; readonly words: readonly string[] }[]) =>
    functions
      .map(({ name, words }) => `function ${name}() { ${words.map(each => `${each}();`).join(' ')} }\n`)
      .join('');
  await fc.assert(
    fc.asyncProperty(file, file, async (before, after) => {
      const [old, now] = await trees(write(before), write(after), 'javascript');
      const { named } = await matchedFunctions(old, now, []);
      for (const side of [0, 1] as const) expect(new Set(named.map(pair => pair[side])).size).toBe(named.length);
      const nameAt = ({ text, start }: typeof old, node: number) => /^function (\w)/.exec(text.slice(start[node]))![1]!;
      const [olds, news] = [before, after].map(side => new Set<string>(side.map(({ name }) => name)));
      for (const [a, b] of named) {
        const [from, to] = [nameAt(old, a), nameAt(now, b)];
        if (from !== to) expect([news!.has(from), olds!.has(to)]).toEqual([false, false]);
      }
    }),
    { numRuns: 50 },
  );
});
