/** What the end of a large program does not use by name, and may need all the same. */
import { describe, expect, it } from 'vitest';
import { all, empty } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { structureOf } from '../../../src/reductions/tree/index.js';

const cpp = await structureOf('a.cpp');

const used = 'struct used { int x; };\n';
const helper = 'struct helper { int y; };\n';
const others = Array.from({ length: 200 }, (_, i) => `struct other${i} { helper h${i}; int x${i}; void f${i}(); };\n`);
const end = `int main() {\n${'  // nothing is removed from here\n'.repeat(32)}  used u;\n}\n`;
const text = `${used}${helper}${others.join('')}${end}`;

describe('what the end does not use', () => {
  it('goes in parts, and a part that stays is there with what it uses', async () => {
    const circumstance = (await cpp.unusedByEnd(text))!;
    expect(circumstance.build(empty)).toBe(used + end);
    expect(circumstance.build(all(circumstance.count))).toBe(text);
    const last = circumstance.build([circumstance.count - 1, circumstance.count])!;
    expect(last.startsWith(used + helper)).toBe(true);
    expect(last).toContain(others.at(-1));
    expect(last).not.toContain(others[0]);
    expect(textOf(circumstance.trace!([1, 2]), text)).toBe(circumstance.build([1, 2]));
  });

  it('is no delta if it is little', async () => {
    const user = end.replace(
      'used u;',
      Array.from({ length: 200 }, (_, i) => `other${i} x${i}; x${i}.f${i}();`).join(' '),
    );
    expect(await cpp.unusedByEnd(`${used}${helper}${others.join('')}${user}`)).toBeUndefined();
  });
});
