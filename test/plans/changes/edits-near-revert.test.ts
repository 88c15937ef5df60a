/** A revert becomes smaller by one part of the code: what new added to it, or what it lost. */
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, deltasOf, minus, of, type Test, type Verdict } from '../../../src/core/index.js';
import { Counter, memoryOf } from '../../../src/engine/index.js';
import { revertPatch } from '../../../src/plans/changes/answer/culprits.js';
import type { Blamed, BlameOptions } from '../../../src/plans/changes/levels/blame.js';
import { pairOf } from '../../../src/plans/changes/pair.js';
import { newWithoutAdditions } from '../../../src/plans/changes/rewritten/edits-near-revert.js';
import { lookAgain, type SmallerRevert } from '../../../src/plans/changes/rewritten/second-look.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const fileOf = (text: string): Artifact => ({
  files: inOrder([['a.js', { kind: 'file' as const, bytes: Buffer.from(text) }]]),
});
const textOf = ({ files }: Artifact): string => {
  const entry = files.get('a.js');
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};

const numbers = Array.from({ length: 30 }, (_, at) => at);

/** New writes to another object, so that no old line and no old function fits; it has lost what `step` does with the number 17. */
const rewritten = {
  old: [
    'function write(item) {',
    "  var text = '';",
    ...numbers.map(
      at => `  text += step${at}(item);\n${at === 17 ? '  item.size = item.size + 1;\n' : ''}  text += ' ';`,
    ),
    '  return text;',
    '}',
  ],
  now: [
    'function write(item) {',
    "  var state = { input: item, output: '' };",
    ...numbers.map(at => `  state.output = state.output.concat(step${at}(state.input), ' ');`),
    '  return state.output;',
    '}',
  ],
};
const steps = numbers.map(at => `function step${at}(it) { return ${at} + it.size; }`);

/** `isFine`: whether the test can run at all. */
function judging(old: string, call: string, isFine: (text: string) => boolean): Test<Artifact> {
  const expected = runInNewContext(`${old};${call}`) as string;
  return async (artifact): Promise<Verdict> => {
    const text = textOf(artifact);
    if (!isFine(text)) return { outcome: 'unresolved' };
    try {
      return { outcome: runInNewContext(`${text};${call}`) === expected ? 'pass' : 'fail' };
    } catch (error) {
      return { outcome: 'unresolved', reason: String(error) };
    }
  };
}

const reverted = ({ level, back }: SmallerRevert): Artifact =>
  level.circumstance.build(minus(all(level.circumstance.count), back))!;

interface Case {
  readonly old: string;
  readonly now: string;
  readonly test: Test<Artifact>;
  /** What the search has found; otherwise all of it. */
  readonly isProven?: boolean;
}

async function lookedAt({ old, now, test: run, isProven = false }: Case, options: Partial<BlameOptions> = {}) {
  const pair = pairOf(fileOf(old), fileOf(now), ['old', 'new']);
  const hierarchy = await pair.hierarchy('line');
  const [level] = hierarchy.levels;
  const everything = all(level.circumstance.count);
  const proven = isProven ? ['line'] : [];
  const blamed: Blamed = {
    ended: 'done',
    ...{ level, causes: [], back: everything, failing: everything, minimal: [] },
    ...{ minimalRevert: proven, proofs: [], widened: false },
  };
  const judge = async ({ count }: { readonly count: number }) => ({ suspects: all(count) });
  const counter = new Counter();
  const known = { pair, hierarchy, blamed, suspicion: { suspects: everything }, judge };
  const search = lookAgain(known, 'line', run, { identify, counter, ...options });
  const questions: string[] = [];
  for (;;) {
    const step = await search.next();
    if (step.done) {
      const { smaller, ended } = step.value;
      const patch = smaller && Buffer.from(revertPatch(pair, smaller)).toString();
      const lines = patch?.split('\n').filter(line => /^[-+](?![-+])/.test(line)) ?? [];
      const artifact = smaller && reverted(smaller);
      const outcome = artifact ? (await run(artifact, new AbortController().signal)).outcome : undefined;
      return { smaller, lines, questions, ended, outcome, minimal: smaller?.minimalRevert, tests: counter.spent };
    }
    if (step.value.type === 'answered') questions.push(`${step.value.configuration.join()} ${step.value.outcome}`);
  }
}

const lost: Case = {
  old: [...steps, ...rewritten.old].join('\n'),
  now: [...steps.map(each => each.replaceAll('it', 'that')), ...rewritten.now].join('\n'),
  test: judging([...steps, ...rewritten.old].join('\n'), 'write({ size: 1 })', text => text.includes('input: item')),
};

test('a statement that new has lost is put back into a rewritten function', async () => {
  const found = await lookedAt(lost);
  expect(found.outcome).toBe('pass');
  expect(found.lines).toEqual(['+  item.size = item.size + 1;']);
  expect(found.minimal).toEqual(['restoration']);
  // Where the line is in old, although it is somewhere else in new.
  const at = 1 + textOf(reverted(found.smaller!)).split('\n').indexOf('  item.size = item.size + 1;');
  expect(lost.old.split('\n')[found.smaller!.lineInOld('a.js', at)! - 1]).toBe('  item.size = item.size + 1;');
});

test('it is found by the same questions on 1, 2 and 8 workers, and after a stop anywhere', async () => {
  const whole = await lookedAt(lost);
  for (const workers of [2, 8]) expect((await lookedAt(lost, { workers })).questions).toEqual(whole.questions);
  for (let maxTests = 1; maxTests < whole.tests; maxTests += 7) {
    const memory = memoryOf();
    const stopped = await lookedAt(lost, { maxTests, memory });
    expect(stopped.ended).toBe('budget');
    expect(stopped.questions).toEqual(whole.questions.slice(0, stopped.questions.length));
    const resumed = await lookedAt(lost, { memory });
    expect([resumed.questions, resumed.lines]).toEqual([whole.questions, whole.lines]);
  }
});

test('if no likely part of rewritten code is enough, less likely ones are tried before a revert that nobody can read', async () => {
  const many = Array.from({ length: 120 }, (_, at) => at);
  const texts = {
    old: many.map(at => `function f${at}(a) {\n  return legacy(a, ${at});\n}`).join('\n'),
    now: many.map(at => `function f${at}(a) {\n  a = touch(a);\n  return a + ${at};\n}`).join('\n'),
  };
  const library = 'function legacy(a, b) { return a + b; }\nfunction touch(a) { return a * 2; }\n';
  const test = judging(`${library}${texts.old}`, 'f117(3)', text => text.split('legacy').length === 2);
  const found = await lookedAt({ old: `${library}${texts.old}`, now: `${library}${texts.now}`, test });
  expect(found.lines[0]).toBe('-  a = touch(a);');
  expect(found.lines.length).toBeLessThanOrEqual(2);
});

const begin = 'function begin(x) { return x; }\nfunction name(a, b) { return a.id + b.id; }\n';
const old = `${begin}function label(a, b) {
  begin(a);
  const any = a.pre || b.pre;
  const prefix = any ? 'pre' : '';
  return prefix + name(a, b);
}
`;
const now = `${begin}function label(a, b) {
  begin(a);
  const high = a.id > b.id ? a : b;
  const any = high.pre;
  const prefix = any ? 'pre' : '';
  begin(high);
  return prefix.concat(name(a, b));
}
`;
const run = judging(old, 'label({ id: 1, pre: true }, { id: 2 })', () => true);

test('a revert that can be read is replaced by one part of it if that is enough, for a few tests', async () => {
  const given = { old, now, test: run, isProven: true };
  const found = await lookedAt(given);
  expect(found.outcome).toBe('pass');
  expect(found.lines).toEqual(['-  const any = high.pre;', '+  const any = a.pre || b.pre;']);
  expect(found.tests).toBeLessThanOrEqual(12);
  expect((await lookedAt(given, { workers: 8 })).questions).toEqual(found.questions);
});

test('a revert of one line costs no test', async () => {
  const found = await lookedAt({ old, now: old.replace('a.pre || b.pre', 'b.pre'), test: run, isProven: true });
  expect(found.questions).toEqual([]);
  expect(found.lines).toEqual([]);
});

test('what only new has may be in an added file, which no revert can take away', async () => {
  const filesOf = (texts: Readonly<Record<string, string>>): Artifact => ({
    files: inOrder(Object.entries(texts).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
  });
  const main = (made: string) => `exports.run = function (a) {\n  return ${made};\n};\n`;
  const added = 'exports.make = function (a) {\n  if (a === 5) {\n    return 9;\n  }\n  return a * 2;\n};\n';
  const pair = pairOf(
    filesOf({ 'main.js': main('a * 2') }),
    filesOf({ 'added.js': added, 'main.js': main("require('./added').make(a)") }),
    ['old', 'new'],
  );
  const hierarchy = await pair.hierarchy('line');
  const [level] = hierarchy.levels;
  const everything = all(level.circumstance.count);
  const isMain = (at: number) => level.changes(of([at])).some(({ parts }) => parts.some(part => part.oldPath));
  const back = of([...deltasOf(everything)].filter(isMain));
  const blamed: Blamed = {
    ...{ ended: 'done', level, back, failing: everything, minimal: [], minimalRevert: [], proofs: [], widened: false },
    causes: [{ changes: everything, suspects: everything }],
  };
  const judge = async ({ count }: { readonly count: number }) => ({ suspects: all(count) });
  const known = { pair, hierarchy, blamed, suspicion: { suspects: everything }, judge, revert: { level, back } };
  const told = async ({ files }: Artifact): Promise<Verdict> => {
    const entry = files.get('added.js');
    if (entry?.kind !== 'file') return { outcome: 'pass' };
    const text = Buffer.from(entry.bytes).toString();
    const make = runInNewContext(`const exports = {};${text};exports.make`) as (a: number) => unknown;
    return { outcome: make(5) === 10 && make(1) === 2 ? 'pass' : 'fail' };
  };
  const search = newWithoutAdditions(known, 50, told, { identify, signal: new AbortController().signal });
  let step = await search.next();
  while (!step.done) step = await search.next();
  const found = step.value;
  const entry = typeof found === 'object' ? found.pair.old.files.get('added.js') : undefined;
  const text = entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : undefined;
  expect(text).toBe('exports.make = function (a) {\n  return a * 2;\n};\n');
});
