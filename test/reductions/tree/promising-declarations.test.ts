/** Declarations of a large program that may be all that keeps much of it. */
import { describe, expect, it } from 'vitest';
import { all, empty, minus } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { structureOf } from '../../../src/reductions/tree/index.js';

const cpp = await structureOf('a.cpp');

const names = Array.from({ length: 100 }, (_, i) => i);
/** A library that much mentions, and that is far from the end. */
const far = `struct stream { int state; };
${names.map(i => `struct printed${i} : stream { int w${i}; int x${i}; };\n`).join('')}struct all { ${names.map(i => `printed${i} p${i};`).join(' ')} };
struct first { all x; };
struct second { first x; };
struct third { second x; };
`;
/** One that is as large, and that the end mentions at once. */
const near = `struct base { int state; };
${names.map(i => `struct derived${i} : base { int y${i}; int z${i}; };\n`).join('')}struct direct { ${names.map(i => `derived${i} d${i};`).join(' ')} };
`;
const needed = 'struct needed { int state; };\n';
const end = `int main() {
${'  // nothing is removed from here\n'.repeat(32)}  user u;
  u.f();
  u.g();
  needed n;
}
`;
const text = `${far}${near}${needed}struct user { void f() { third x; } void g() { direct x; } };\n${end}`;

/** Each of them alone, the first one that is asked about first. */
async function withoutEach(program: string): Promise<readonly string[]> {
  const circumstance = (await cpp.promisingDeclarations(program))!;
  return Array.from(
    { length: circumstance.count },
    (_, i) => circumstance.build(minus(all(circumstance.count), [i, i + 1]))!,
  ).toReversed();
}

describe('promising declarations', () => {
  it('what is far from the end and mentioned by much comes first', async () => {
    const [first] = await withoutEach(text);
    expect(first).not.toContain('printed');
    expect(first).not.toContain('struct stream');
    expect(first).toContain(near);
  });

  it('two that remove the same are asked about once', async () => {
    const candidates = await withoutEach(text);
    expect(candidates.filter(each => !each.includes('printed'))).toHaveLength(1);
  });

  it('what the end cannot be without is none', async () => {
    for (const each of await withoutEach(text)) expect(each).toContain(needed);
  });

  it('all of them together are a text that can be traced', async () => {
    const circumstance = (await cpp.promisingDeclarations(text))!;
    expect(textOf(circumstance.trace!(empty), text)).toBe(circumstance.build(empty));
    expect(circumstance.build(all(circumstance.count))).toBe(text);
  });
});
