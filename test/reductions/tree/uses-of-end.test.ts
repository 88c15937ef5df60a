/** The end of a large program with what it uses. */
import { describe, expect, it } from 'vitest';
import { all, empty, minus } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { structureOf } from '../../../src/reductions/tree/index.js';

const cpp = await structureOf('a.cpp');

/** Something that the end does not use, so that the end is a small part of the text. */
const others = Array.from({ length: 200 }, (_, i) => `struct other${i} { int member${i}; void method${i}(); };\n`).join(
  '',
);

const library = `struct used { int size() { return helper(); } };
`;
const helper = `int helper() { return 1${' + 1'.repeat(500)}; }
`;
/** The end of a text is at least a thousand characters. */
const comments = '  // nothing is removed from here\n'.repeat(32);
const end = `int main() {
${comments}  used u;
  return u.size();
}
`;

describe('what the end uses', () => {
  it('is first kept without large bodies of functions that it does not call itself, and then with them', async () => {
    const text = others + helper + library + end;
    const circumstance = (await cpp.layersOfUse(text))!;
    expect(circumstance.build(empty)).toBe(`int helper();\n${library}${end}`);
    expect(circumstance.build(all(circumstance.count))).toBe(text);
    const layers = Array.from({ length: circumstance.count }, (_, i) => circumstance.build(i === 0 ? empty : [0, i])!);
    expect(layers.at(-1)).toBe(helper + library + end);
  });

  it('can be traced to the text', async () => {
    const text = others + helper + library + end;
    const circumstance = (await cpp.layersOfUse(text))!;
    expect(textOf(circumstance.trace!(empty), text)).toBe(circumstance.build(empty));
  });

  it('is not looked for if the user marked something to keep', async () => {
    expect(await cpp.layersOfUse(`// culprit-keep\n${others}${end}`)).toBeUndefined();
    expect(await (await structureOf('a.cpp', { keep: /x/ })).layersOfUse(others + end)).toBeUndefined();
  });

  it('the parts of the end are searched only after what they do not use is gone', async () => {
    expect(await cpp.endWithUses(others + helper + library + end)).toBeUndefined();
    expect(await cpp.endWithUses(helper + library + end)).toBeUndefined();
  });
});

/** Enough that is used, so that the end is a small part of it. */
const count = 200;
const chain = Array.from(
  { length: count },
  (_, i) => `int f${i}() { return ${i === 0 ? '0' : `f${i - 1}()`}; }\n`,
).join('');
const caller = `int main() {
${comments}  f${count - 1}();
  return 0;
}
`;

describe('a program whose end uses all of it', () => {
  it('without a statement of the end, what only this one used is left out', async () => {
    const circumstance = (await cpp.endWithUses(chain + caller))!;
    const statement = Array.from({ length: circumstance.count }, (_, i) => i).find(
      i => circumstance.build(minus(all(circumstance.count), [i, i + 1])) === caller.replace(/ {2}f\d+\(\);\n/, ''),
    );
    expect(statement).toBeDefined();
  });

  it('without the body of a function, what only this one used is left out', async () => {
    const circumstance = (await cpp.bodiesWithUses(chain + caller))!;
    const shortest = circumstance.build(empty)!;
    expect(shortest).toBe(`int f${count - 1}() {}\n${caller}`);
    expect(circumstance.build(all(circumstance.count))).toBe(chain + caller);
  });

  it('without a declaration, the bodies that mention it are empty', async () => {
    const text = chain + caller;
    const circumstance = (await cpp.declarationsWithUsers(text, 'single'))!;
    expect(circumstance.build(empty)).toBe(`int f${count - 1}() {}\n${caller}`);
  });
});

/** Classes and functions that the end uses through each other, so that nearly all of the text is used. */
const parts = Array.from(
  { length: 100 },
  (_, i) => `struct inner${i} { int x; };\nstruct part${i} { inner${i} member${i}; };\n`,
).join('');
const all100 = Array.from({ length: 100 }, (_, i) => `part${i}`);
const whole = `struct whole : part0 { ${all100.map(name => `${name} of_${name};`).join(' ')} };\n`;
const userOfWhole = `int main() {
${comments}  whole w;
}
`;

describe('declarations alone', () => {
  it('a class without its members, and what only they used, are one delta', async () => {
    const text = parts + whole + userOfWhole;
    const circumstance = (await cpp.declarationsAlone(text, 'outer'))!;
    // The largest is the last one.
    const without = circumstance.build([0, circumstance.count - 1])!;
    expect(without).toBe(`struct whole {};\n${userOfWhole}`);
    expect(circumstance.build(all(circumstance.count))).toBe(text);
  });

  it('what mentions a class stays as it is if the class loses its members', async () => {
    const text = parts + whole + userOfWhole;
    const circumstance = (await cpp.declarationsAlone(text, 'outer'))!;
    const built = Array.from(
      { length: circumstance.count },
      (_, i) => circumstance.build(minus(all(circumstance.count), [i, i + 1]))!,
    );
    expect(built).toContain(text.replace(/struct inner7 .*\nstruct part7 .*\n/, 'struct part7 {};\n'));
  });

  it('functions, specialisations and members are removed', async () => {
    const template = `template<class T> struct box {};
template<> struct box<int> { int special; };
struct holder { box<int> a; void used(); void used(int); };
int overloaded(int);
int overloaded(holder);
`;
    const user = userOfWhole.replace('whole w;', 'whole w; holder h; h.used(); overloaded(h);');
    const text = parts + whole + template + user;
    const leftIn = async (which: 'outer' | 'members') => {
      const circumstance = (await cpp.declarationsAlone(text, which))!;
      return Array.from(
        { length: circumstance.count },
        (_, i) => circumstance.build(minus(all(circumstance.count), [i, i + 1]))!,
      );
    };
    const outer = await leftIn('outer');
    expect(outer).toContain(text.replace('template<> struct box<int> { int special; };\n', ''));
    expect(outer).toContain(text.replace('int overloaded(int);\n', ''));
    expect(await leftIn('members')).toContain(text.replace(' void used(int);', ''));
  });
});

describe('what the end does not use, and is there', () => {
  it('stays in every candidate, with what it uses', async () => {
    const other = 'struct hidden { inner7 x; };\n';
    const text = parts + other + whole + userOfWhole;
    const circumstance = (await cpp.declarationsAlone(text, 'outer'))!;
    const without = circumstance.build([0, circumstance.count - 1])!;
    expect(without).toBe(`struct inner7 { int x; };\n${other}struct whole {};\n${userOfWhole}`);
  });
});

describe('declarations with their users', () => {
  const users = `struct needed {};\nvoid helper(needed);\n`;
  const text = `${chain}${users}${caller.replace('return 0;', 'needed n; return 0;')}`;

  it('what the end cannot be without is no delta', async () => {
    for (const which of ['large parts', 'single'] as const) {
      const circumstance = (await cpp.declarationsWithUsers(text, which))!;
      for (let i = 0; i < circumstance.count; i++) {
        const candidate = circumstance.build(minus(all(circumstance.count), [i, i + 1]));
        expect(candidate).toContain('struct needed {};');
      }
    }
  });
});
