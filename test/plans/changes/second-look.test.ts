import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, deltasOf, minus, type Outcome, of, size, type Verdict } from '../../../src/core/index.js';
import { Counter, type Event, memoryOf } from '../../../src/engine/index.js';
import type { Reverted } from '../../../src/plans/changes/answer/culprits.js';
import type { Blamed, BlameOptions } from '../../../src/plans/changes/levels/blame.js';
import { pairOf } from '../../../src/plans/changes/pair.js';
import { inOld } from '../../../src/plans/changes/rewritten/in-old.js';
import { functionsOf, linesIn } from '../../../src/plans/changes/rewritten/old-functions.js';
import { asChanges } from '../../../src/plans/changes/rewritten/rewritten.js';
import { lookAgain, type SmallerRevert } from '../../../src/plans/changes/rewritten/second-look.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';
import { apply } from '../../../src/syntax/text-cut.js';

/** The search found nothing smaller than everything. */
function allOf(level: Blamed['level']): Blamed {
  const everything = all(level.circumstance.count);
  return {
    ended: 'done',
    level,
    causes: [],
    back: everything,
    failing: everything,
    minimal: [],
    minimalRevert: [],
    proofs: [],
    widened: false,
  };
}

const fileOf = (text: string): Artifact => ({
  files: inOrder([['a.js', { kind: 'file' as const, bytes: Buffer.from(text) }]]),
});
const textOf = ({ files }: Artifact): string => {
  const entry = files.get('a.js');
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};

interface Planted {
  readonly count: number;
  /** Functions of new that return something wrong: the failure needs all of them. */
  readonly wrong: readonly number[];
}

/** Old has members of an object, and new has assignments to a prototype: every line around the functions differs. */
function versions({ count, wrong }: Planted): readonly [Artifact, Artifact] {
  const body = (at: number, indent: string, isWrong: boolean) =>
    [`var sum = ${at};`, `sum += helper(${at});`, `return sum${isWrong ? ' + 1000' : ''};`].map(line => indent + line);
  const numbers = Array.from({ length: count }, (_, at) => at);
  const old = numbers.flatMap(at => [`    f${at}: function() {`, ...body(at, '        ', false), '    },', '']);
  const now = numbers.flatMap(at => [
    `  proto.f${at} = function f${at}() {`,
    ...body(at, '    ', wrong.includes(at)),
    '  };',
  ]);
  return [
    fileOf(['function helper(n) { return n; }', 'var object = {', ...old, '};', ''].join('\n')),
    fileOf(
      [
        'function assist(n) { return n; }',
        'var helper = assist;',
        'var object = make(function (proto) {',
        ...now,
        '});',
        '',
      ].join('\n'),
    ),
  ];
}

/** Fails as new does if all the wrong functions are wrong. */
function judge({ count, wrong }: Planted, artifact: Artifact): Verdict {
  const make = (fill: (proto: object) => void) => {
    const proto = {};
    fill(proto);
    return proto;
  };
  try {
    const results = runInNewContext(
      `${textOf(artifact)}\n;[${Array.from({ length: count }, (_, at) => `object.f${at}()`).join()}]`,
      { make },
    ) as number[];
    const outcome: Outcome = wrong.every(at => results[at] === 2 * at + 1000) ? 'fail' : 'pass';
    return { outcome };
  } catch (error) {
    return { outcome: 'unresolved', reason: String(error) };
  }
}

async function revertOf(
  planted: Planted,
  workers = 1,
  limits: Pick<BlameOptions, 'maxTests' | 'memory' | 'signal'> = {},
) {
  const [old, now] = versions(planted);
  const pair = pairOf(old, now, ['old', 'new']);
  const hierarchy = await pair.hierarchy('line');
  const [level] = hierarchy.levels;
  const everything = all(level.circumstance.count);
  const blamed = allOf(level);
  const counter = new Counter();
  const questions: string[] = [];
  const search = lookAgain(
    {
      pair,
      hierarchy,
      blamed,
      suspicion: { suspects: everything },
      judge: async ({ count }) => ({ suspects: all(count) }),
    },
    'line',
    async artifact => judge(planted, artifact),
    { identify, counter, workers, ...limits },
  );
  for (;;) {
    const step = await search.next();
    if (step.done) return { found: step.value.smaller, ended: step.value.ended, questions, tests: counter.spent };
    const event: Event = step.value;
    if (event.type === 'answered') questions.push(`${event.configuration.join()} ${event.outcome}`);
  }
}

test('a line of a function is reverted, although everything around the function was rewritten', async () => {
  const { found } = await revertOf({ count: 9, wrong: [5] });
  const { level, back, lineInOld } = found!;
  const reverted = textOf(level.circumstance.build(minus(all(level.circumstance.count), back))!);
  const [, now] = versions({ count: 9, wrong: [5] });
  expect(reverted.replace(/\n +/g, '\n')).toBe(textOf(now).replace(' + 1000', '').replace(/\n +/g, '\n'));
  expect(found!.minimalRevert).toContain('line');
  // Its number is that of the old version.
  const line = textOf(fileOf(reverted))
    .split('\n')
    .findIndex((_, at, lines) => lines[at] !== textOf(now).split('\n')[at]);
  expect(lineInOld('a.js', line + 1)).toBe(2 + 5 * 6 + 4);
});

test('each line of what comes along with an old function has its own number', async () => {
  const old = 'var one = 1;\nfunction half(a) {\n  return a / 2;\n}\nfunction f(a) {\n  return half(a);\n}\n';
  const now = 'function f(a) {\n  return a / 3;\n}\n';
  const pair = pairOf(fileOf(old), fileOf(now), ['old', 'new']);
  const functions = await functionsOf(pair, { old: ['a.js'], new: 'a.js' });
  const text = apply(now, { spans: functions });
  const line = linesIn(functions);
  const places = text.split('\n').map((each, at) => [each, line('a.js', at + 1)]);
  for (const [each, at] of places.slice(0, -1)) expect(old.split('\n')[(at as number) - 1]).toBe(each);
  expect(places.map(([, at]) => at)).toEqual([5, 6, 2, 3, 4, 7, undefined]);
  const place = { file: 'a.js', change: 'a.js -2,3 +2,1' } as Reverted;
  const linesOf = (from: number, to: number) => inOld({ ...place, lines: { old: [from, to] } }, line).lines.old;
  expect([linesOf(3, 5), linesOf(2, 5)]).toEqual([[2, 4], undefined]);
});

test('the same questions are asked on 1, 2 and 8 workers', async () => {
  const planted = { count: 9, wrong: [2, 7] };
  const one = await revertOf(planted, 1);
  for (const workers of [2, 8]) expect((await revertOf(planted, workers)).questions).toEqual(one.questions);
});

test('what is reverted passes, nothing of it can be left out, and the questions are bounded', async () => {
  const planted = fc.integer({ min: 9, max: 24 }).chain(count =>
    fc.record({
      count: fc.constant(count),
      wrong: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 3 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(planted, async each => {
      const { found, questions } = await revertOf(each);
      const { level, back } = found!;
      const everything = all(level.circumstance.count);
      const outcomeOf = (set: typeof back) => judge(each, level.circumstance.build(minus(everything, set))!).outcome;
      expect(outcomeOf(back)).toBe('pass');
      for (const delta of deltasOf(back)) expect(outcomeOf(minus(back, of([delta])))).not.toBe('pass');
      // 8 likeliest functions, each of them with the harmless ones, a descent, the rest one by one, and the lines of what was found.
      expect(questions.length).toBeLessThanOrEqual(
        8 + 9 + 24 * (1 + Math.log(each.count)) + 2 + 64 + 3 * size(everything),
      );
    }),
    { numRuns: 8 },
  );
});

/** Whether new passes with what is reverted. */
const passes = (planted: Planted, { level, back }: SmallerRevert): boolean =>
  judge(planted, level.circumstance.build(minus(all(level.circumstance.count), back))!).outcome === 'pass';

test('stopped anywhere, the smallest revert that is known is kept, and the search ends as it would have when it goes on', async () => {
  const planted = { count: 12, wrong: [3, 8] };
  const whole = await revertOf(planted);
  expect(whole.ended).toBe('done');
  const kept: boolean[] = [];
  for (let maxTests = 1; maxTests < whole.tests; maxTests++) {
    const memory = memoryOf();
    const stopped = await revertOf(planted, 1, { maxTests, memory });
    expect(stopped.ended).toBe('budget');
    expect(stopped.questions).toEqual(whole.questions.slice(0, stopped.questions.length));
    if (stopped.found) {
      expect(passes(planted, stopped.found)).toBe(true);
      expect(stopped.found.minimalRevert).toEqual([]);
    }
    kept.push(stopped.found !== undefined);
    const resumed = await revertOf(planted, 1, { memory });
    expect(resumed.questions).toEqual(whole.questions);
    expect(resumed.found?.back).toEqual(whole.found?.back);
  }
  // Once there is one, it is never lost.
  expect(kept).toContain(true);
  expect(kept.slice(kept.indexOf(true))).not.toContain(false);
});

test('an interruption ends the second look with what is known', async () => {
  const planted = { count: 12, wrong: [3, 8] };
  const stop = new AbortController();
  stop.abort();
  const { ended, found } = await revertOf(planted, 1, { signal: stop.signal });
  expect(ended).toBe('interrupted');
  expect(found).toBeUndefined();
});

test('an old function that needs another one, which new does not call, is found with it', async () => {
  const lines = (text: string) =>
    Array.from({ length: 30 }, (_, at) => `// ${text} ${at}\nvar ${text}${at} = ${at};`).join('\n');
  const old = `${lines('a')}\nfunction mark(x) { return '<' + x + '>'; }\nfunction pick(x) { return { marked: true, x: x }; }\nfunction show(x) { var p = pick(x); return p.marked ? mark(p.x) : p.x; }\n`;
  const now = `${lines('b')}\nfunction mark(x) { return '[' + x + ']'; }\nfunction pick(x) { return { marked: false, x: x }; }\nfunction show(x) { var p = pick(x); return p.marked ? mark(p.x) : p.x; }\n`;
  const pair = pairOf(fileOf(old), fileOf(now), ['old', 'new']);
  const hierarchy = await pair.hierarchy('line');
  const [level] = hierarchy.levels;
  const everything = all(level.circumstance.count);
  const shown = (artifact: Artifact) => runInNewContext(`${textOf(artifact)};show('x')`) as string;
  const search = lookAgain(
    {
      pair,
      hierarchy,
      blamed: allOf(level),
      suspicion: { suspects: everything },
      // `mark` is not called.
      judge: async ({ name }) => ({ suspects: of(name.startsWith('function') ? [1] : []) }),
    },
    'line',
    async artifact => ({ outcome: ({ '<x>': 'pass', x: 'fail' } as const)[shown(artifact)] ?? 'unresolved' }),
    { identify, counter: new Counter() },
  );
  let step = await search.next();
  while (!step.done) step = await search.next();
  const { level: found, back } = step.value.smaller!;
  expect(shown(found.circumstance.build(minus(all(found.circumstance.count), back))!)).toBe('<x>');
  expect(step.value.smaller!.minimalRevert).toContain('line');
});

/** Both versions write the same in other words, everywhere; new also asks whether `wrong` conditions hold. */
function rewritten(wrong: readonly number[]): readonly [Artifact, Artifact] {
  const numbers = Array.from({ length: 12 }, (_, at) => at);
  const old = numbers.map(at => `  text += step${at}(item, text);\n  text += ' ';`);
  const now = numbers.map(at =>
    wrong.includes(at)
      ? `  if (state.input.size > ${at + 100}) {\n    state.output = state.output.concat(step${at}(state.input, state.output), ' ');\n  } else {\n    state.output = state.output.concat('?', ' ');\n  }`
      : `  state.output = state.output.concat(step${at}(state.input, state.output), ' ');`,
  );
  const steps = (name: string) => numbers.map(at => `function step${at}(${name}) { return ${at} + ${name}.size; }`);
  return [
    fileOf(
      [...steps('it'), 'function write(item) {', "  var text = '';", ...old, '  return text;', '}', ''].join('\n'),
    ),
    fileOf(
      [
        ...steps('that'),
        'function write(item) {',
        "  var state = { input: item, output: '' };",
        ...now,
        '  return state.output;',
        '}',
        '',
      ].join('\n'),
    ),
  ];
}

test('if neither old lines nor old functions fit, the condition that new added is taken out, as a whole', async () => {
  for (const wrong of [[4], [2, 9]]) {
    const [old, now] = rewritten(wrong);
    const pair = pairOf(old, now, ['old', 'new']);
    const hierarchy = await pair.hierarchy('line');
    const [level] = hierarchy.levels;
    const expected = runInNewContext(`${textOf(old)};write({ size: 1 })`) as string;
    const test = async (artifact: Artifact): Promise<Verdict> => {
      const text = textOf(artifact);
      // The old function would fit here: it is ruled out, as it is by other parameters.
      if (!text.includes('input: item')) return { outcome: 'unresolved' };
      const got = runInNewContext(`${text};write({ size: 1 })`) as string;
      return { outcome: got === expected ? 'pass' : got.includes('?') ? 'fail' : 'unresolved' };
    };
    const run = async (workers: number) => {
      const questions: string[] = [];
      const search = lookAgain(
        {
          pair,
          hierarchy,
          blamed: allOf(level),
          suspicion: { suspects: all(level.circumstance.count) },
          judge: async ({ count }) => ({ suspects: all(count) }),
        },
        'line',
        test,
        { identify, counter: new Counter(), workers },
      );
      for (;;) {
        const step = await search.next();
        if (step.done) return { questions, smaller: step.value.smaller };
        if (step.value.type === 'answered') questions.push(`${step.value.configuration.join()} ${step.value.outcome}`);
      }
    };
    const { questions, smaller } = await run(1);
    const { level: found, back, minimalRevert, hierarchy: shown } = smaller!;
    const reverted = found.circumstance.build(minus(all(found.circumstance.count), back))!;
    expect(await test(reverted)).toEqual({ outcome: 'pass' });
    // Each is one change, with its header and its end.
    expect(size(back)).toBe(wrong.length);
    expect(shown.changes.count).toBe(wrong.length);
    expect(minimalRevert).toEqual(['addition']);
    expect((await run(8)).questions).toEqual(questions);
  }
});

test('what coverage says of one list of places is not taken for another list', async () => {
  const { changes } = await pairOf(fileOf('a\nb\n'), fileOf('c\nd\n'), ['old', 'new']).hierarchy('hunk');
  if (!('files' in changes)) throw new Error('files are compared');
  const named = (...lines: readonly (readonly [number, number])[]) =>
    asChanges(
      lines.map(each => ({ path: 'a.js', lines: each })),
      'function',
      changes,
    ).name;
  expect(named([1, 2])).toBe(named([1, 2]));
  expect(named([1, 2])).not.toBe(named([1, 1]));
  expect(named([1, 1], [2, 2])).not.toBe(named([2, 2], [1, 1]));
});

test('a function that says the same in other words is less likely than one that says something else', async () => {
  const filler = (name: string) => Array.from({ length: 30 }, (_, i) => `${name} x${i} = utils.get(${i});`).join('\n');
  const old = `var isSpace = utils.isSpace;\n${filler('var')}\nfunction same(state) { var pos = state.pos; return isSpace(pos); }\nfunction other(state) { var pos = state.pos; state.pending += state.src[pos]; }\n`;
  const now = `${filler('const')}\nfunction same(state) { let pos = state.pos; return utils.isSpace(pos); }\nfunction other(state) { let pos = state.pos; state.push('text_special').markup = state.src[pos]; }\n`;
  const functions = await functionsOf(pairOf(fileOf(old), fileOf(now), ['old', 'new']), { old: ['a.js'], new: 'a.js' });
  const [same, other] = functions.filter(({ text }) => text.includes('state.pos'));
  expect(same!.difference).toBeLessThan(other!.difference);
  expect(other!.difference).toBeLessThanOrEqual(1);
});
