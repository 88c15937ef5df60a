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
    expect(await cpp.endWithUses(others + helper + library + end, 'statements')).toBeUndefined();
    expect(await cpp.endWithUses(helper + library + end, 'statements')).toBeUndefined();
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
    const circumstance = (await cpp.endWithUses(chain + caller, 'statements'))!;
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
    const circumstance = (await cpp.declarationsWithUsers(text))!;
    expect(circumstance.build(empty)).toBe(`int f${count - 1}() {}\n${caller}`);
  });
});
