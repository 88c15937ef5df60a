import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupsOf, joinSignatures } from '../../../src/plans/triage/groups.js';
import { fromKnown, toKnown } from '../../../src/plans/triage/known.js';
import { keyOf, type Reduction, signatureOf, stackOf, type TestedFile } from '../../../src/plans/triage/model.js';
import { distance, editDistance, furthestFirst } from '../../../src/plans/triage/order.js';
import { matchReports } from '../../../src/plans/triage/reports.js';
import { printable } from '../../../src/plans/triage/result.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const reduction = (signature: string, form: string, loose?: readonly [string, string]): Reduction => ({
  signature,
  from: 'crash-1',
  name: 'input',
  form: bytes(form),
  minimal: ['byte'],
  isDone: true,
  ...(loose ? { loose: { signature: loose[0], form: bytes(loose[1]) } } : {}),
});
const mapOf = (...all: readonly Reduction[]) => new Map(all.map(each => [each.signature, each]));
const file = (path: string, signature: string): TestedFile => ({
  path,
  name: 'input',
  identity: path,
  bytes: 3,
  outcome: 'fail',
  signature,
  text: keyOf(signature),
});
const [a, b, c] = ['a', 'b', 'c'].map(name => signatureOf('SIGSEGV · f', ['f', name])) as [string, string, string];

test('a signature is a key and a stack, and gives both back', () => {
  expect(keyOf(a)).toBe('SIGSEGV · f');
  expect(stackOf(a)).toBe('f ← a');
  expect(stackOf(signatureOf('exit 3', []))).toBe('');
});

test('variants are joined if they end in the same text', () => {
  const found = joinSignatures(
    [a, b, c],
    mapOf(reduction(a, 'xy', [a, 'x']), reduction(b, 'xz', [a, 'x']), reduction(c, 'w')),
  );
  expect(found).toEqual([[a, b], [c]]);
});

test('variants are joined if each slips into the other, and not if only one does', () => {
  expect(joinSignatures([a, b], mapOf(reduction(a, 'xy', [b, 'x']), reduction(b, 'zw', [a, 'z'])))).toEqual([[a, b]]);
  expect(joinSignatures([a, b], mapOf(reduction(a, 'xy', [b, 'x']), reduction(b, 'zw', [b, 'zw'])))).toEqual([
    [a],
    [b],
  ]);
});

test('a form that was not reduced to the end joins nothing', () => {
  expect(joinSignatures([a, b], mapOf(reduction(a, 'x'), { ...reduction(b, 'x'), isDone: false }))).toEqual([[a], [b]]);
});

test('joining is a partition, and a chain of joins is one set', () => {
  const signatures = fc
    .uniqueArray(fc.nat(30), { maxLength: 12 })
    .map(all => all.map(n => signatureOf('k', [String(n)])));
  fc.assert(
    fc.property(signatures, fc.infiniteStream(fc.nat(5)), (all, texts) => {
      const forms = mapOf(...all.map(each => reduction(each, String(texts.next().value))));
      const sets = joinSignatures(all, forms);
      expect(sets.flat().sort()).toEqual([...all].sort());
      for (const set of sets) expect(new Set(set.map(each => String(forms.get(each)!.form))).size).toBe(1);
      expect(new Set(sets.map(set => String(forms.get(set[0]!)!.form))).size).toBe(sets.length);
    }),
  );
});

test('groups are by key, with the smallest form of each variant', () => {
  const other = signatureOf('exit 3', []);
  const files = [file('1', a), file('2', b), file('3', a), file('4', other)];
  const found = groupsOf({
    files,
    reductions: mapOf(reduction(a, 'xy', [b, 'x']), reduction(b, 'x'), reduction(other, 'q')),
  });
  expect(found.map(({ key, count }) => [key, count])).toEqual([
    ['SIGSEGV · f', 3],
    ['exit 3', 1],
  ]);
  expect(found[0]!.variants).toHaveLength(1);
  expect(String(found[0]!.variants[0]!.reduction!.form)).toBe(String(bytes('x')));
});

const group = fc.record({
  key: fc.constantFrom('SIGSEGV: f', 'SIGABRT: g', 'exit 3: h', 'exit 3: f'),
  count: fc.nat(5),
  form: fc.string({ maxLength: 6 }),
});
const groupsFrom = (all: readonly { readonly key: string; readonly count: number; readonly form: string }[]) =>
  all.map(({ key, count, form }, i) => {
    const signature = signatureOf(`${key}${i}`, [key]);
    return {
      key: `${key}${i}`,
      count,
      variants: [{ signatures: [signature], files: [], text: key, reduction: reduction(signature, form) }],
    };
  });

test('the order begins with most files, and each group is furthest from those before it', () => {
  fc.assert(
    fc.property(fc.array(group, { maxLength: 8 }), all => {
      const groups = groupsFrom(all);
      const ordered = furthestFirst(groups);
      expect([...ordered].sort((x, y) => (x.key < y.key ? -1 : 1))).toEqual(
        groups.sort((x, y) => (x.key < y.key ? -1 : 1)),
      );
      expect(ordered[0]?.count ?? 0).toBe(Math.max(0, ...groups.map(({ count }) => count)));
      const traits = ordered.map(({ key, variants: [first] }) => ({
        words: new Set([...key.split(/[\s·←:()]+/), ...stackOf(first!.signatures[0]!).split(' ← ')].filter(Boolean)),
        form: Buffer.from(first!.reduction!.form).toString('latin1'),
      }));
      const nearest = (i: number, before: number) =>
        Math.min(...traits.slice(0, before).map(other => distance(traits[i]!, other)));
      for (let i = 1; i < traits.length; i++)
        for (let later = i + 1; later < traits.length; later++)
          expect(nearest(i, i)).toBeGreaterThanOrEqual(nearest(later, i));
    }),
    { numRuns: 50 },
  );
});

test('the distance of two texts is a metric', () => {
  const text = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(text, text, text, (x, y, z) => {
      expect(editDistance(x, x)).toBe(0);
      expect(editDistance(x, y)).toBe(editDistance(y, x));
      expect(editDistance(x, z)).toBeLessThanOrEqual(editDistance(x, y) + editDistance(y, z));
    }),
  );
});

test('what is left for the next triage gives the same triage', () => {
  const others = [{ from: 'crash-9', form: bytes('\xff') }];
  const triage = {
    files: [file('1', a)],
    reductions: mapOf({ ...reduction(a, 'xy', [b, 'x']), others }),
    containing: new Set<string>(),
  };
  const again = fromKnown(JSON.parse(JSON.stringify(toKnown(triage, ['./t', '{}'], 'digest'))));
  expect(groupsOf(again)).toMatchObject([{ count: 1, variants: [{ signatures: [a] }] }]);
  expect([...again.reductions.get(a)!.others![0]!.form]).toEqual([...others[0]!.form]);
});

test('a report contains a form whatever its blank space, and a short form is not looked for', () => {
  const groups = groupsFrom([
    { key: 'k', count: 2, form: 'if (x) { y }' },
    { key: 'l', count: 1, form: 'ab' },
  ]);
  const reports = [
    { path: 'one.md', title: 'One', code: ['ab', 'int z;\n  if (x)\n  {\n    y\n  }\n'] },
    { path: 'two.md', title: 'Two', code: ['ab'] },
  ];
  expect(matchReports(reports, groups).map(each => each.groups)).toEqual([[1], []]);
});

test('bytes that are no text are shown as escapes', () => {
  expect(printable(bytes('a\tb\n'))).toBe('a\tb\n');
  expect(printable(Uint8Array.of(0x61, 0xff, 0x00))).toBe('a\\xff\\x00');
});
