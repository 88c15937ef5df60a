/** What one run with coverage suggests, and when another one is made. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, type Configuration, empty, minus, of } from '../../../src/core/index.js';
import type { Unexecuted } from '../../../src/oracle/coverage/index.js';
import type { Pass } from '../../../src/plans/pass.js';
import { entriesIn } from '../../../src/plans/reduce/entries.js';
import { passesForExecuted } from '../../../src/plans/reduce/executed.js';
import { unexecutedPass } from '../../../src/plans/reduce/idle-code.js';
import { keepEntry } from '../../../src/plans/reduce/keep-entry.js';
import { emptiedMembers } from '../../../src/plans/reduce/leftovers.js';
import { reducePasses } from '../../../src/plans/reduce/passes.js';
import { type SeenValues, seenValuesPass } from '../../../src/plans/reduce/seen-values.js';
import { artifactOf, textsIn } from '../texts.js';

const filler = (bytes: number): string => `let a = '${'x'.repeat(bytes)}';\n`;
const called = 'function f() { return 1; }\n';

/** The pass, and how often it ran an artifact. */
function watched(idle: (artifact: Artifact) => Unexecuted) {
  const runs: Artifact[] = [];
  const run = async (artifact: Artifact) => {
    runs.push(artifact);
    return idle(artifact);
  };
  return { pass: unexecutedPass(run, {}), runs };
}

test('bodies and files that were not needed are left out together; other files stay', async () => {
  const main = filler(30_000);
  const artifact = artifactOf({ 'main.js': main + called, 'unused.js': 'b', 'data.json': '{}', 'tool.py': 'c' });
  const ranges = [main.length, main.length + called.length];
  const { pass } = watched(() => ({ 'main.js': { ranges } }));
  const offered = (await pass.over(artifact))!;
  expect(offered.count).toBe(2);
  const left = { 'main.js': `${main}function f() {}\n`, 'data.json': '{}', 'tool.py': 'c' };
  expect(textsIn(offered.build([]))).toEqual(left);
  expect(textsIn(offered.build([1, 2]))).toEqual({ ...left, 'unused.js': 'b' });
  expect(textsIn(offered.build(all(2)))).toEqual(textsIn(artifact));
  expect([0, 1].map(delta => offered.describe!(delta))).toEqual(['empty statement_block', 'unused.js']);
});

test('an input that is not executed is run once, and a small one, or one without code, never', async () => {
  const compiled = watched(() => ({}));
  expect(await compiled.pass.over(artifactOf({ 'a.js': filler(90_000) }))).toBeUndefined();
  expect(await compiled.pass.over(artifactOf({ 'a.js': filler(30_000) }))).toBeUndefined();
  expect(compiled.runs).toHaveLength(1);
  const others = watched(() => ({}));
  await others.pass.over(artifactOf({ 'a.js': filler(200) }));
  await others.pass.over(artifactOf({ 'a.ts': filler(90_000) }));
  expect(others.runs).toHaveLength(0);
});

test('it is run again when half of what was left is gone, and nobody looks ahead beyond that', async () => {
  const at = (bytes: number) => artifactOf({ 'a.js': called + filler(bytes) });
  const { pass, runs } = watched(() => ({ 'a.js': { ranges: [0, called.length] } }));
  for (const bytes of [90_000, 80_000, 50_000]) {
    const isFirst = runs.length === 0;
    expect(pass.needsRun!(at(bytes))).toBe(isFirst);
    expect((await pass.over(at(bytes))) !== undefined).toBe(isFirst);
  }
  expect(pass.needsRun!(at(40_000))).toBe(true);
  expect(await pass.over(at(40_000))).toBeDefined();
  expect(runs).toHaveLength(2);
});

test('passes for tools that read the files run until the input is seen to be executed; then its empty members can go', async () => {
  const files = Array.from({ length: 12 }, (_, i) => [`m${i}.js`, `require('./m${i + 1}');\n${filler(3_000)}`]);
  const artifact = artifactOf({
    ...Object.fromEntries(files),
    'main.js': "require('./m0');\nexports.a = function () {};\n",
  });
  const offering = async (idle: Unexecuted) => {
    const passes = await passesForExecuted(
      await reducePasses(artifact, {}),
      artifact,
      {},
      { coverage: async () => idle },
    );
    const offers: string[] = [];
    for (const pass of passes) if (pass.early && (await pass.over(artifact))) offers.push(pass.name);
    return offers;
  };
  const [forReaders, ofMembers] = ['halves, imports past them', 'members that are empty functions'];
  const read = await offering({});
  expect(read).toContain(forReaders);
  expect(read).not.toContain(ofMembers);
  expect(read.slice(0, read.indexOf(forReaders!))).not.toContain('what no file needs');
  const executed = await offering({ 'main.js': { ranges: [] } });
  expect(executed).toContain(ofMembers);
  expect(executed).not.toContain(forReaders);
  // Half of the files is asked for before anything is run with coverage.
  for (const offers of [read, executed]) expect(offers).toContain('halves of files');
});

test('what starts the program is reduced by its words, and it is run again as soon as it says something else', async () => {
  const library = (name: string) => `exports.${name} = 1;\n${filler(15_000)}`;
  const script = (text: string) => artifactOf({ 'a.js': library('a'), 'b.js': library('b'), 'main.js': text });
  const text = "require('./a'); require('./b');\nrun('{ one } { two }');\n";
  const runs: Artifact[] = [];
  const run = async (artifact: Artifact) => {
    runs.push(artifact);
    return { 'a.js': { ranges: [] }, 'b.js': { ranges: [] }, 'main.js': { ranges: [] } };
  };
  const original = script(text);
  const passes = await passesForExecuted(await reducePasses(original, {}), original, {}, { coverage: run });
  const passOf = (name: string) => passes.find(pass => pass.name === name)!;
  const words = passOf('brackets in what starts it');
  // Nothing is known before the first run.
  expect(await words.over(original)).toBeUndefined();
  await passOf('code that did not run').over(original);
  // It remembers what it has seen, so nothing may be computed ahead beyond it.
  expect(words.needsRun!(original)).toBe(true);
  const offered = (await words.over(original))!;
  const without = Array.from({ length: offered.count }, (_, delta) =>
    textsIn(offered.build(minus(all(offered.count), of([delta])))),
  );
  // Only in the script, also inside its strings.
  for (const files of without) expect([files['a.js'], files['b.js']]).toEqual([library('a'), library('b')]);
  const bare = (code: string | undefined) => code?.replace(/\s+/g, '');
  expect(without.map(files => bare(files['main.js']))).toContain(bare(text.replace('{ one }', '')));
  // As it left them, there is nothing more to ask.
  expect(words.needsRun!(original)).toBe(false);
  expect(await words.over(original)).toBeUndefined();
  const again = passOf('code that no longer runs');
  expect(again.needsRun!(original)).toBe(false);
  const shorter = script(text.replace('{ one } ', ''));
  expect(again.needsRun!(shorter)).toBe(true);
  await again.over(shorter);
  expect(again.needsRun!(shorter)).toBe(false);
  // A large program of which an eighth is gone runs less, whatever went.
  const lessOf = (bytes: number) => artifactOf({ ...textsIn(shorter), 'b.js': `exports.b = 1;\n${filler(bytes)}` });
  expect([14_000, 10_000].map(bytes => again.needsRun!(lessOf(bytes)))).toEqual([false, true]);
  expect(runs).toHaveLength(2);
});

test('the statements of what starts the program are asked about before the library, and then it is run again', async () => {
  const library = (name: string) => `exports.${name} = () => 1;\n${filler(15_000)}`;
  const text = "const { a } = require('./a');\nif (a()) {\n  a(2);\n}\na([3, 4]);\n";
  const original = artifactOf({ 'a.js': library('a'), 'b.js': library('b'), 'main.js': text });
  const coverage = async () => ({ 'a.js': { ranges: [] }, 'main.js': { ranges: [] } });
  const values = async () => ({});
  const passes = await passesForExecuted(await reducePasses(original, {}), original, {}, { coverage, values });
  const names = passes.filter(({ early }) => early).map(({ name }) => name);
  const at = (name: string) => names.indexOf(name);
  const ofStart = 'statements of what starts it';
  expect(names[at(ofStart) + 1]).toBe('code that no longer runs');
  expect(at(ofStart)).toBeGreaterThan(at('code that did not run'));
  for (const later of ['values of a run', 'large parts', 'nodes of what starts it'])
    expect([later, at(later) < 0 || at(later) > at(ofStart)]).toEqual([later, true]);
  // Its details may also be all that runs something.
  for (const detail of ['nodes of what starts it', 'brackets in what starts it', 'words of what starts it'])
    expect(names[at(detail) + 1]).toBe('code that no longer runs');
  await passes.find(({ name }) => name === 'code that did not run')!.over(original);
  const offered = (await passes.find(({ name }) => name === ofStart)!.over(original))!;
  const without = Array.from({ length: offered.count }, (_, delta) =>
    textsIn(offered.build(minus(all(offered.count), of([delta]))))['main.js']!.replace(/\s+/g, ''),
  );
  const bare = text.replace(/\s+/g, '');
  expect(without).toContain(bare.replace('a([3,4]);', ''));
  expect(without).toContain(bare.replace('a(2);', ''));
  // Not yet the parts of a statement.
  expect(without).not.toContain(bare.replace('3,', ''));
});

test('a script that is a large part of the program, or that another file imports, is no script that starts it', async () => {
  const loaded = new Set(['a.js', 'main.js']);
  const imported = artifactOf({ 'a.js': `require('./main');\n${filler(30_000)}`, 'main.js': 'x();\n' });
  expect(entriesIn(imported, loaded)).toEqual([]);
  const large = artifactOf({ 'a.js': filler(15_000), 'main.js': `require('./a');\n${filler(10_000)}` });
  expect(entriesIn(large, loaded)).toEqual([]);
  const small = artifactOf({ 'a.js': filler(30_000), 'main.js': "require('./a');\n" });
  expect(entriesIn(small, loaded)).toEqual(['main.js']);
});

test('the small scripts of a page start it, and nothing else of it is asked about with them', async () => {
  const page = (script: string) =>
    artifactOf({
      'a.html': `<p>one</p>\n<script>\nfunction lib() {}\n${filler(30_000)}</script>\n<script>\n${script}</script>\n`,
    });
  const original = page('lib(1);\nlib(2);\n');
  const loaded = new Set(['a.html']);
  expect(entriesIn(original, loaded)).toEqual(['a.html']);
  expect(entriesIn(page(filler(9_000)), loaded)).toEqual([]);
  let runs = 0;
  const coverage = async () => {
    runs++;
    return { 'a.html': { ranges: [] } };
  };
  const passes = await passesForExecuted(await reducePasses(original, {}), original, {}, { coverage });
  const passOf = (name: string) => passes.find(pass => pass.name === name)!;
  await passOf('code that did not run').over(original);
  const offered = (await passOf('statements of what starts it').over(original))!;
  expect(textsIn(offered.build(empty))['a.html']!.replace(/\s+/g, '')).toBe(
    textsIn(page(''))['a.html']!.replace(/\s+/g, ''),
  );
  const again = passOf('code that no longer runs');
  expect(again.needsRun!(original)).toBe(false);
  // Something else of the page says nothing about what starts it.
  const without = (text: string) => artifactOf({ 'a.html': textsIn(original)['a.html']!.replace(text, '') });
  expect(again.needsRun!(without('<p>one</p>'))).toBe(false);
  expect(again.needsRun!(without('lib(1);'))).toBe(true);
  expect(runs).toBe(1);
});

test('what a program loads by a name that it computes does not start it, if it is deeper in the folder', () => {
  const files = {
    'main.py': "import pkg\npkg.load('b')\n",
    'pkg/__init__.py': `${'x = 1\n'.repeat(5_000)}def load(name):\n    __import__('pkg.' + name)\n`,
    'pkg/b.py': 'y = 2\n',
  };
  const artifact = artifactOf(files);
  expect(entriesIn(artifact, new Set(Object.keys(files)))).toEqual(['main.py']);
});

test('empty members that nothing names are asked about before the others', async () => {
  const library = (name: string) =>
    `class ${name} {\n${'  kept() { this.used(); }\n'.repeat(600)}  used() {}\n  idle() {}\n  ${name}Only() {}\n  byName() {}\n}\n`;
  const artifact = artifactOf({
    'a.js': `${library('A')}new A()['by' + 'Name'];\n// byName`,
    'b.js': library('B'),
  });
  const [unnamed, others] = emptiedMembers({});
  const without = async (pass: typeof unnamed) => {
    const circumstance = (await pass!.over(artifact))!;
    return { count: circumstance.count, text: Object.values(textsIn(circumstance.build(empty))).join('') };
  };
  const first = await without(unnamed);
  expect(first.count).toBe(4);
  expect(first.text).not.toMatch(/idle|AOnly|BOnly/);
  expect(first.text).toMatch(/used\(\) \{\}[\s\S]*byName\(\) \{\}/);
  expect((await without(others)).count).toBe(8);
});

test('values are asked for when the program is known to be executed, and again when half of it is gone; then it is run again', async () => {
  const program = (bytes: number, value: string) =>
    artifactOf({ 'main.js': `let size = ${value};\nprint(size);\n// ${'x'.repeat(bytes)}\n` });
  const original = program(30_000, 'compute(1, 2)');
  const [covered, valued]: [Artifact[], Artifact[]] = [[], []];
  const passes = await passesForExecuted(
    await reducePasses(original, {}),
    original,
    {},
    {
      coverage: async artifact => {
        covered.push(artifact);
        return { 'main.js': { ranges: [] } };
      },
      values: async artifact => {
        valued.push(artifact);
        return { 'main.js': [[11, 24, '7']] };
      },
    },
  );
  const passOf = (name: string) => passes.find(pass => pass.name === name)!;
  const [first, values, again] = ['code that did not run', 'values of a run', 'code that no longer runs'].map(passOf);
  expect(await values!.over(original)).toBeUndefined();
  await first!.over(original);
  expect(values!.needsRun!(original)).toBe(true);
  const offered = (await values!.over(original))!;
  const without = offered.build([])!;
  expect(textsIn(without)['main.js']).toMatch(/^let size = 7;\n/);
  expect(offered.describe!(0)).toBe('call_expression → 7');
  // Nothing was accepted: it would run the same code.
  expect(again!.needsRun!(original)).toBe(false);
  expect(again!.needsRun!(without)).toBe(true);
  await again!.over(without);
  expect(covered).toHaveLength(2);
  expect(again!.needsRun!(without)).toBe(false);
  expect(await values!.over(without)).toBeUndefined();
  expect(values!.needsRun!(program(14_000, 'compute(1, 2)'))).toBe(true);
  expect(values!.needsRun!(program(500, 'compute(1, 2)'))).toBe(true);
  expect(values!.needsRun!(program(0, 'f()'))).toBe(false);
  expect(valued).toEqual([original]);
  // When the early passes are over, it still comes back.
  expect(passes.filter(({ name }) => name === 'values of a run').map(({ early = false }) => early)).toEqual([
    true,
    false,
  ]);
});

test('if there is no coverage of a language, a run with values shows whether it is executed', async () => {
  const program = (bytes: number) =>
    artifactOf({ 'main.lua': `local size = compute(1)\nprint(size)\n${filler(bytes)}` });
  for (const isExecuted of [true, false]) {
    let runs = 0;
    const values = async (): Promise<SeenValues> => {
      runs++;
      return isExecuted ? { 'main.lua': [[13, 23, '7']] } : {};
    };
    const pass = seenValuesPass(values, {}, () => new Set(), 'others');
    expect(pass.needsRun!(program(100))).toBe(false);
    expect(pass.needsRun!(program(5_000))).toBe(true);
    const offered = await pass.over(program(5_000));
    expect(offered && textsIn(offered.build([])!)['main.lua']?.split('\n')[0]).toBe(
      isExecuted ? 'local size = 7' : undefined,
    );
    expect(pass.needsRun!(program(3_000))).toBe(false);
    expect(pass.needsRun!(program(100))).toBe(isExecuted);
    expect(runs).toBe(1);
  }
  expect(
    seenValuesPass(
      async () => ({}),
      {},
      () => new Set(),
      'others',
    ).needsRun!(artifactOf({ 'a.c': filler(5_000) })),
  ).toBe(false);
});

test('no test is spent on a C program without the function at which it starts, except to prove the result', async () => {
  const artifact = artifactOf({ 'a.c': 'int f(void) { return 1; }\nint main_loop;\nint main(void) { return f(); }\n' });
  const lines = (name: string): Pass<Artifact> => ({
    name,
    ...(name === 'node' ? { proves: 'node' } : {}),
    over: () => ({ name, count: 1, build }),
  });
  const build = ([from]: Configuration) =>
    from === undefined ? artifactOf({ 'a.c': 'int f(void) { return 1; }\nint main_loop;\n' }) : artifact;
  for (const [name, isExecuted, isTested] of [
    ['large parts', true, false],
    ['large parts', false, true],
    ['node', true, true],
  ] as const) {
    const offered = await keepEntry(lines(name), () => isExecuted).over(artifact);
    expect(offered!.build([]) !== undefined).toBe(isTested);
    expect(offered!.build(all(1))).toBe(artifact);
  }
});

test('values of C: pure expressions at any size, others in a small program, and none if only headers are C', async () => {
  const code = (bytes: number) => `int f(void) { return g(); }\n${'int a;\n'.repeat(bytes / 7)}`;
  const [small, large] = [artifactOf({ 'a.c': code(3_000) }), artifactOf({ 'a.c': code(50_000) })];
  const mixed = artifactOf({ 'a.h': code(3_000), 'a.rs': code(3_000) });
  const needs = (which: 'pure expressions' | 'others', artifact: Artifact) => {
    const loaded = new Set(artifact.files.keys());
    return seenValuesPass(
      async () => ({}),
      {},
      () => loaded,
      which,
    ).needsRun!(artifact);
  };
  expect([small, large, mixed].map(each => needs('pure expressions', each))).toEqual([true, true, false]);
  expect([small, large, mixed].map(each => needs('others', each))).toEqual([true, false, false]);
});

test('a header of a C++ program does not report as C would', async () => {
  const files = {
    'a.h': 'int f(int a) { return g(a) + 1; }\n'.repeat(20),
    'a.cpp': '#include "a.h"\nint main() { return f(3); }\n',
  };
  const artifact = artifactOf(files);
  let asked: ReadonlySet<string> = new Set();
  const run = async (_: Artifact, paths: ReadonlySet<string>) => {
    asked = paths;
    return {};
  };
  await seenValuesPass(run, {}, () => new Set(Object.keys(files)), 'others').over(artifact);
  expect([...asked]).toEqual(['a.cpp']);
});
