/** The parts and the details of the end of a large program, with what only they use. */
import { describe, expect, it } from 'vitest';
import { all, empty, minus } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { structureOf } from '../../../src/reductions/tree/index.js';

const cpp = await structureOf('a.cpp');

const chain = Array.from({ length: 400 }, (_, i) => `int f${i}() { return ${i === 0 ? '0' : `f${i - 1}()`}; }\n`).join(
  '',
);
const end = `struct report {
  report(int n) : m(n) {}
  int m;
  int k = 1;
  void print() {
    auto a = f399();
    auto b = a + k;
    if (b > 1) note();
  }
};
int main() {
  report r(1);
  for (int i : {1, 2}) r.print();
}
`;
const text = `${chain}void note();\n${end}`;

describe('the parts of the end', () => {
  it('one part is kept with what contains it and with what it uses, and the constructor of its class is not', async () => {
    const circumstance = (await cpp.slicesOfEnd(text))!;
    const single = Array.from({ length: circumstance.count }, (_, i) => circumstance.build([i, i + 1])!);
    expect(single).toContain('struct report {\n  int k = 1;\n};\n');
    expect(single).toContain(
      `${chain}void note();\nstruct report {\n  int k = 1;\n  void print() {\n    auto a = f399();\n    auto b = a + k;\n    if (b > 1) note();\n  }\n};\n`,
    );
    expect(circumstance.build(all(circumstance.count))).toBe(text);
  });

  it('a loop over a range is a part', async () => {
    const circumstance = (await cpp.slicesOfEnd(text))!;
    const without = Array.from(
      { length: circumstance.count },
      (_, i) => circumstance.build(minus(all(circumstance.count), [i, i + 1]))!,
    );
    expect(without).toContain(text.replace('  for (int i : {1, 2}) r.print();\n', ''));
  });

  it('they can be traced to the text', async () => {
    const circumstance = (await cpp.slicesOfEnd(text))!;
    expect(textOf(circumstance.trace!([3, 4]), text)).toBe(circumstance.build([3, 4]));
  });
});

describe('the details of the end', () => {
  it('the most promising one leaves out little of the end and much before it', async () => {
    const circumstance = (await cpp.detailsOfEnd(text))!;
    const last = circumstance.count - 1;
    const without = circumstance.build([0, last])!;
    expect(without.length).toBeLessThan(text.length / 10);
    expect(without).toContain('note();');
  });

  it('a condition gives way to what depends on it, with the variables that only it used', async () => {
    const circumstance = (await cpp.detailsOfEnd(text))!;
    const without = Array.from(
      { length: circumstance.count },
      (_, i) => circumstance.build(minus(all(circumstance.count), [i, i + 1]))!,
    );
    const left = without.map(each => each.replace(/\s+/g, ' '));
    expect(left.some(each => each.includes('void print() { note(); }'))).toBe(true);
  });

  it('what gains nothing worth a test is no delta', async () => {
    const circumstance = (await cpp.detailsOfEnd(text))!;
    for (let i = 0; i < circumstance.count; i++)
      expect(circumstance.build(minus(all(circumstance.count), [i, i + 1]))!.length).toBeLessThan(text.length - 20);
  });

  it('all of them together are still a text that can be traced', async () => {
    const circumstance = (await cpp.detailsOfEnd(text))!;
    expect(textOf(circumstance.trace!(empty), text)).toBe(circumstance.build(empty));
  });
});
