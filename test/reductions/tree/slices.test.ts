/** Slices: what is kept of a large text is kept with everything that it uses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { all, empty, of } from '../../../src/core/index.js';
import { slices, slicesWithin } from '../../../src/reductions/tree/large/slices.js';
import { languageFor } from '../../../src/syntax/languages/index.js';
import { syntaxOf } from '../../../src/syntax/syntax.js';

const c = await syntaxOf(languageFor('a.c', undefined));
const cpp = await syntaxOf(languageFor('a.cpp', undefined));

const slicesOf = async (path: string, text: string, by: 'name' | 'place', keep?: RegExp) =>
  (await slices(path === 'a.c' ? c : cpp, text, {
    leastAt: () => 1,
    by,
    ...(keep === undefined ? {} : { keep }),
  }))!;

/** Functions that each call some of those before them. */
const program = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 3, maxLength: 12 })
  .map(calls =>
    calls
      .map((own, i) => `int f${i}() { return 0${own.map(n => (i > 0 ? ` + f${n % i}()` : '')).join('')}; }\n`)
      .join(''),
  );

describe('slices', () => {
  it('members of a class inside a function have no declaration that could be kept', async () => {
    const text =
      'struct a { int b; };\nint main() {\n  struct c { int telling; a d; } e;\n  e.telling = 1;\n  return 2;\n}\n';
    for (const circumstance of [(await slicesWithin(cpp, text))!, await slicesOf('a.cpp', text, 'name')])
      for (let i = 0; i < circumstance.count; i++) expect(circumstance.build(of([i]))).toBeDefined();
  });

  it('items of a list go with their commas: every candidate of a JSON file is JSON', async () => {
    const json = await syntaxOf(languageFor('a.json', undefined));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 9 }),
        fc.array(fc.nat(), { minLength: 1 }),
        async (rows, roots) => {
          const text = JSON.stringify(Object.fromEntries(rows.map((row, i) => [`k${i}`, row])), null, 2);
          const circumstance = (await slices(json, text, { leastAt: () => 1, by: 'place' }))!;
          const kept = of([...new Set(roots.map(root => root % circumstance.count))].sort((a, b) => a - b));
          expect(() => JSON.parse(circumstance.build(kept)!)).not.toThrow();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('the last declarations are in groups of their own, and comments go with what they are about', async () => {
    const large = `/* about it */\nint large[] = { ${'1, '.repeat(200)} };\n`;
    const text = `${large}int a;\nint g();\nint main() { return a + g(); }\n`;
    const leastAt = (start: number) => (text.length - start) / 4;
    const circumstance = (await slices(c, text, { leastAt, by: 'place' }))!;
    expect(circumstance.count).toBe(3);
    expect(circumstance.build([0, 2])).toBe(`${large}int a;\nint g();\n`);
    expect(circumstance.build([1, 3])).toBe(text.slice(large.length));
  });

  it('no candidate calls a function that it does not have', () =>
    fc.assert(
      fc.asyncProperty(program, fc.array(fc.nat({ max: 11 })), async (text, roots) => {
        const circumstance = await slicesOf('a.c', text, 'name');
        const kept = of([...new Set(roots.filter(root => root < circumstance.count))].sort((a, b) => a - b));
        const candidate = circumstance.build(kept)!;
        const defined = new Set([...candidate.matchAll(/int (f\d+)/g)].map(match => match[1]));
        for (const [, called] of candidate.matchAll(/(f\d+)\(\)[ ;]/g)) expect(defined).toContain(called);
        for (const root of roots) if (root < circumstance.count) expect(defined).toContain(`f${root}`);
        expect(circumstance.build(all(circumstance.count))).toBe(text);
      }),
      { numRuns: 20 },
    ));

  it('an overload stays only if its classes do', async () => {
    const text = `class vec {};
class map {};
void swap(int) {}
void swap(vec) {}
void swap(map) {}
vec x;
int main() { swap(x); }
`;
    const circumstance = await slicesOf('a.cpp', text, 'name');
    const last = circumstance.count - 1;
    expect(circumstance.build([last, last + 1])).toBe(
      text.replace('class map {};\n', '').replace('void swap(map) {}\n', ''),
    );
  });

  it('by place, the first declarations of a namespace stay without the last ones', async () => {
    const text = 'namespace n {\nint a;\nint b;\n}\nint c;\n';
    const circumstance = await slicesOf('a.cpp', text, 'place');
    expect(circumstance.count).toBe(3);
    expect(circumstance.build([0, 1])).toBe('namespace n {\nint a;\n}\n');
    expect(circumstance.build(empty)).toBe('');
  });

  it('what the user marked stays, with what it uses', async () => {
    const text = 'int a() { return 1; }\nint b() { return a(); }\nint c() { return 2; }\n';
    const circumstance = await slicesOf('a.c', text, 'name', /int b/);
    expect(circumstance.build(empty)).toBe('int a() { return 1; }\nint b() { return a(); }\n');
  });

  it('an operator stays if everything that it mentions stays', async () => {
    const text =
      'struct a {};\nstruct b {};\nbool operator==(a x, a y) { return true; }\nbool operator<(b x, b y) { return true; }\nbool f(a x) { return x == x; }\n';
    const circumstance = await slicesOf('a.cpp', text, 'name');
    const candidate = circumstance.build([4, 5]);
    expect(candidate).toContain('operator==');
    expect(candidate).not.toContain('operator<');
  });
});
