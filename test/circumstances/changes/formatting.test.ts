import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareLines } from '../../../src/circumstances/changes/bare-lines.js';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { inertIn } from '../../../src/circumstances/changes/inert.js';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, empty, minus, of, size } from '../../../src/core/index.js';
import { type Blamed, blame } from '../../../src/plans/changes/levels/blame.js';
import { hierarchyOf } from '../../../src/plans/changes/levels/hierarchy.js';
import { identify } from '../../../src/sources/files.js';
import { folder, plain } from './folders.js';

const program = (indent: string, body: string): string =>
  Array.from({ length: 8 }, (_, i) =>
    [
      `function f${i}(a, b) {`,
      `${indent}if (a > ${i}) {`,
      `${indent}${indent}${i === 5 ? body : `b.push(a * ${i});`}`,
      `${indent}}`,
      `${indent}return b;`,
      '}',
      '',
    ].join('\n'),
  ).join('\n');

const labels = (path: string, old: string, now: string): readonly string[] =>
  changesBetween(folder({ [path]: old }), folder({ [path]: now })).changes.map(({ label }) => label);

test('in a file that was re-indented, what really changed is apart from its formatting', () => {
  const [old, now] = [program('    ', 'b.push(a);'), program('  ', 'b.pop();')];
  expect(labels('x.js', old, now)).toEqual(['x.js -38,1 +38,1', 'x.js formatting of 31 lines']);
  const changes = changesBetween(folder({ 'x.js': old }), folder({ 'x.js': now }));
  expect(inertIn(changes)).toEqual(of([1]));
  expect(plain(changes.build(of([0]))!.files)['x.js']).toBe(old.replace('        b.push(a);', '    b.pop();'));
});

test('what is wrapped into a function is not changed by it', () => {
  const old = program('  ', 'b.push(a);');
  const wrapped = `(function () {\n${program('  ', 'b.push(a);').replace(/^(?=.)/gm, '  ')}})();\n`;
  expect(labels('x.js', old, wrapped)).toEqual(['x.js -0,0 +1,1', 'x.js -55,0 +57,1', 'x.js formatting of 48 lines']);
});

test.each(['x.py', 'Makefile', 'x.yml', 'x.txt', 'x.css', 'x.c'])('%s is compared as it is', path => {
  const parts = changesBetween(
    folder({ [path]: program('    ', 'b.push(a);') }),
    folder({ [path]: program('  ', 'b.pop();') }),
  ).changes;
  expect(parts.map(({ kind }) => kind)).not.toContain('formatting');
});

test.each([
  ['x.js', '  a  =  f( b );', 'a=f(b)'],
  ['x.js', "x = 'a  b'", "x='a  b'"],
  ['x.js', 'x = "a  b";', "x='a  b'"],
  ['x.js', 'a + +b', 'a+ +b'],
  ['x.js', 'return  x', 'return x'],
  ['x.js', 'x.replace(/ "/, y)', 'x.replace(/ "/,y)'],
  ['x.c', '#define f (x)', '#define f (x)'],
  ['x.c', '  x = "a"; // it\'s  b', 'x="a";// it\'s b'],
])('in %s, %j is the same as %j', (path, line, bare) => {
  expect(bareLines(path, [`${line}\n`])).toEqual([bare]);
});

test.each([
  ['x.js', ['a = `', '  b', '` +  c']],
  ['x.go', ['a = `', '  b', '` +  c']],
  ['x.java', ['a = """', '  b', '""" +  c']],
  ['x.cpp', ['a = R"-(', '  b', ')-" +  c']],
  ['x.c', ['a = "\\', '  b" +  c']],
])('in %s, the white space of a string of several lines stays', (path, lines) => {
  const [, ...inside] = bareLines(
    path,
    lines.map(line => `${line}\n`),
  );
  expect(inside[0]).toContain('  b');
  expect(inside.at(-1)).not.toContain('  c');
});

const edits = fc.record({
  lines: fc.array(fc.constantFrom('a();', 'if (a) {', '}', 'b = "x  y";', '', 'c = `', '`;', '// d'), {
    maxLength: 14,
  }),
  indents: fc.array(fc.constantFrom('', ' ', '\t', '    '), { minLength: 14, maxLength: 14 }),
  changed: fc.array(fc.option(fc.constantFrom('', 'new();', '}', ' if (a) {'), { freq: 4 }), {
    minLength: 14,
    maxLength: 14,
  }),
  crlf: fc.boolean(),
  chosen: fc.infiniteStream(fc.boolean()),
});

test('however a file is reformatted: no change is old, all changes are new, and a mix has only lines of the two', () => {
  fc.assert(
    fc.property(edits, fc.constantFrom('hunk' as const, 'line' as const), (sample, granularity) => {
      const { lines, indents, changed, crlf, chosen } = sample;
      const old = lines.map(line => `  ${line}\n`);
      const now = lines.map((line, i) => `${indents[i]}${changed[i] ?? line}${crlf ? '\r\n' : '\n'}`);
      const versions = [folder({ 'x.js': old.join('') }), folder({ 'x.js': now.join('') })] as const;
      const changes = changesBetween(...versions, { granularity });
      expect(plain(changes.build(empty)!.files)).toEqual(plain(versions[0]));
      expect(plain(changes.build(all(changes.count))!.files)).toEqual(plain(versions[1]));
      const some = of([...changes.changes.keys()].filter(() => chosen.next().value));
      const mix = plain(changes.build(some)!.files)['x.js']!;
      const known = new Set([...old, ...now]);
      for (const line of mix.split(/(?<=\n)/)) expect(known.has(line) || line === '').toBe(true);
      // Each line is in one part at most.
      const touched = changes.changes.flatMap(({ parts }) =>
        parts.flatMap(({ oldStart, oldCount }) => Array.from({ length: oldCount }, (_, i) => oldStart + i)),
      );
      expect(new Set(touched).size).toBe(touched.length);
    }),
    { numRuns: 200 },
  );
});

const textIn = ({ files }: Artifact): string => plain(files)['x.js']!;

async function blamedFor(old: string, now: string, fails: (text: string) => boolean): Promise<Blamed> {
  const { levels, changes } = await hierarchyOf(
    { files: folder({ 'x.js': old }) },
    { files: folder({ 'x.js': now }) },
    'line',
  );
  const suspects = minus(all(changes.count), inertIn(changes));
  const judge = async (artifact: Artifact) => ({ outcome: fails(textIn(artifact)) ? 'fail' : 'pass' }) as const;
  const search = blame(levels, { suspects }, judge, { identify });
  for (;;) {
    const step = await search.next();
    if (step.done) return step.value;
  }
}

test('the revert of a line in a re-indented file is that line', async () => {
  const [old, now] = [program('    ', 'b.push(a);'), program('  ', 'b.pop();')];
  const { ended, back, level } = await blamedFor(old, now, text => text.includes('pop'));
  expect(ended).toBe('done');
  expect(level.changes(back).map(({ label }) => label)).toEqual(['x.js -38,1 +38,1']);
});

test('if the formatting itself is to blame, its line is found', async () => {
  const [old, now] = [program('    ', 'b.push(a);'), program('  ', 'b.pop();')];
  const { ended, back, level } = await blamedFor(old, now, text => text.includes('\n    b.push(a * 3)'));
  expect(ended).toBe('done');
  expect(size(back)).toBe(1);
  expect(level.changes(back).map(({ label }) => label)).toEqual(['x.js -24,1 +24,1']);
});
