import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Changes, changesBetween } from '../../../src/circumstances/changes/changes.js';
import type { Artifact } from '../../../src/core/artifact.js';
import {
  all,
  type Configuration,
  deltasOf,
  has,
  isSubset,
  minus,
  type Outcome,
  of,
  size,
} from '../../../src/core/index.js';
import { Counter, type Event } from '../../../src/engine/index.js';
import { verify } from '../../../src/plans/changes/answer/verify.js';
import { type Blamed, blame } from '../../../src/plans/changes/levels/blame.js';
import { hierarchyOf } from '../../../src/plans/changes/levels/hierarchy.js';
import { levelOf } from '../../../src/plans/changes/levels/levels.js';
import { identify } from '../../../src/sources/files.js';
import type { Snapshot } from '../../../src/sources/versions/snapshot.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

/** One file for each change: file i says `old` or `new`. */
const versions = (count: number): readonly [Snapshot, Snapshot] => {
  const at = (text: string) =>
    inOrder(
      Array.from({ length: count }, (_, i) => [
        `f${String(i).padStart(3, '0')}`,
        { kind: 'file' as const, bytes: Buffer.from(`${text} ${i}\n`) },
      ]),
    );
  return [at('old'), at('new')];
};

/** Which changes an artifact has. */
const appliedIn = ({ files }: Artifact): Configuration =>
  of([...files.values()].flatMap((entry, i) => (entry.kind === 'file' && entry.bytes[0] === 110 ? [i] : [])));

const textIn = ({ files }: Artifact, path: string): string => {
  const entry = files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};

interface Ran extends Blamed {
  readonly counter: Counter;
  readonly notes: readonly string[];
  readonly transcript: readonly string[];
  readonly passes: readonly string[];
}

async function run(
  changes: Changes,
  suspects: Configuration,
  outcome: (applied: Configuration) => Outcome,
  workers = 1,
): Promise<Ran> {
  const counter = new Counter();
  const level = levelOf(changes, 'hunk', above => above);
  const judge = async (artifact: Artifact) => ({ outcome: outcome(appliedIn(artifact)) });
  const search = blame([level], { suspects }, judge, { identify, counter, workers });
  return followed(search, counter);
}

async function followed(search: AsyncGenerator<Event, Blamed>, counter: Counter): Promise<Ran> {
  const notes: string[] = [];
  const transcript: string[] = [];
  const passes: string[] = [];
  for (;;) {
    const step = await search.next();
    if (step.done) return { ...step.value, counter, notes, transcript, passes };
    const event = step.value;
    if (event.type === 'pass') passes.push(event.pass);
    if (event.type === 'noticed') notes.push(event.text);
    if (event.type === 'answered') transcript.push(`${event.configuration.join()} ${event.outcome}`);
  }
}

const listed = (configuration: Configuration): readonly number[] => [...deltasOf(configuration)];
/** Fails where one of the sets is there as a whole. */
const needing =
  (...sets: readonly (readonly number[])[]) =>
  (applied: Configuration): Outcome =>
    sets.some(set => set.every(delta => has(applied, delta))) ? 'fail' : 'pass';

test('one change of a hundred takes a handful of tests, and is proven both ways', async () => {
  const changes = changesBetween(...versions(100));
  const { causes, back, counter } = await run(changes, of([3, 17, 20, 33, 41, 58, 77, 90]), needing([41]));
  expect(causes.map(cause => listed(cause.changes))).toEqual([[41]]);
  expect(listed(back)).toEqual([41]);
  expect(counter.spent).toBeLessThanOrEqual(5);
});

/** Functions of ten changes each, of which nothing but a whole one can be taken back. */
async function inFunctions(count: number, culprit: number, likely: readonly number[], workers = 1): Promise<Ran> {
  const counter = new Counter();
  const level = levelOf(changesBetween(...versions(count)), 'hunk', above => above);
  const deltas = Array.from({ length: count }, (_, i) => i);
  const functions = Array.from({ length: count / 10 }, (_, i) => deltas.slice(10 * i, 10 * i + 10));
  const judge = async (artifact: Artifact) => {
    const applied = appliedIn(artifact);
    const parts = functions.filter(members => members.some(delta => !has(applied, delta)));
    const isWhole = parts.every(members => members.every(delta => !has(applied, delta)));
    const outcome: Outcome = !isWhole || parts.length > 2 ? 'unresolved' : needing([culprit])(applied);
    return { outcome };
  };
  const weights = deltas.map(delta => (likely.includes(Math.floor(delta / 10)) ? 9 : 1.5));
  const groupings = [[deltas], functions];
  const search = blame([{ ...level, groupings }], { suspects: all(count), weights }, judge, {
    identify,
    counter,
    workers,
  });
  return followed(search, counter);
}

test('of many suspects, the likeliest functions are taken back one by one first', async () => {
  const found = await inFunctions(300, 234, [4, 23, 11]);
  expect(isSubset(of([234]), found.back)).toBe(true);
  expect(found.back).toEqual([230, 240]);
  // In the order of the text, as nothing else tells them apart.
  const without = (from: number) => `0,${from},${from + 10},300`;
  expect(found.transcript.slice(0, 3)).toEqual([`${without(40)} fail`, `${without(110)} fail`, `${without(230)} pass`]);
  expect((await inFunctions(300, 234, [4, 23, 11], 8)).transcript).toEqual(found.transcript);
});

test('of few suspects, or if none is likelier than others, nothing is guessed', async () => {
  const guesses = ({ passes }: Ran) => passes.filter(pass => pass.includes('likeliest'));
  expect(guesses(await inFunctions(300, 234, []))).toEqual([]);
  expect(guesses(await inFunctions(100, 34, [3]))).toEqual([]);
  // A wrong guess costs at most six questions.
  const wrong = await inFunctions(300, 234, [1, 2, 3, 4, 5, 6, 7, 8]);
  expect(guesses(wrong)).toHaveLength(1);
  expect(wrong.transcript.slice(0, 6).every(line => line.endsWith(' fail'))).toBe(true);
});

test('the check of a result counts all changes, and refutes a result that does not hold', async () => {
  const changes = changesBetween(...versions(100));
  const found = await run(changes, all(100), needing([41]));
  const check = async (culprit: number) => {
    const judge = async (artifact: Artifact) => ({ outcome: needing([culprit])(appliedIn(artifact)) });
    const checking = verify(found, judge, { identify, counter: new Counter() });
    const deltas: number[] = [];
    for (;;) {
      const step = await checking.next();
      if (step.done) return { holds: step.value, deltas };
      if (step.value.type === 'pass') deltas.push(step.value.deltas);
    }
  };
  expect(await check(41)).toEqual({ holds: true, deltas: [100] });
  expect(await check(42)).toEqual({ holds: false, deltas: [100] });
});

test('changes that only fail together are all found, those that coverage set aside included', async () => {
  const changes = changesBetween(...versions(60));
  const { causes, back } = await run(changes, of([5, 12, 30, 44]), needing([12, 44, 51]));
  expect(causes.map(cause => listed(cause.changes))).toEqual([[12, 44, 51]]);
  expect(needing([12, 44, 51])(minus(all(60), back))).toBe('pass');
});

test('causes that are each enough are listed apart', async () => {
  const changes = changesBetween(...versions(40));
  const suspects = of([1, 2, 7, 8, 19, 20, 31, 32]);
  const { causes, back, notes } = await run(changes, suspects, needing([7], [20, 31], [32]));
  expect(causes.map(cause => listed(cause.changes)).sort((a, b) => a[0]! - b[0]!)).toEqual([[7], [20, 31], [32]]);
  // One of the two that only fail together is enough to take back.
  expect(listed(back)).toEqual([7, 20, 32]);
  expect(notes.filter(note => note.includes('another cause'))).toHaveLength(2);
});

test('when what the test runs does not explain the failure, the search widens and says so', async () => {
  const changes = changesBetween(...versions(50));
  const { causes, widened, notes } = await run(changes, of([4, 9]), needing([37]));
  expect(causes.map(cause => listed(cause.changes))).toEqual([[37]]);
  expect(widened).toBe(true);
  expect(notes.join()).toContain('widens to all changes');
});

test('a change that can’t be tested alone is never blamed for that', async () => {
  const changes = changesBetween(...versions(30));
  // 10 and 11 do not build without each other; 22 is to blame.
  const outcome = (applied: Configuration): Outcome =>
    has(applied, 10) !== has(applied, 11) ? 'unresolved' : needing([22])(applied);
  const { causes } = await run(changes, all(30), outcome);
  expect(causes.map(cause => listed(cause.changes))).toEqual([[22]]);
});

test('where the causes can’t be taken back alone, what must go with them is found', async () => {
  const changes = changesBetween(...versions(20));
  // 3 is the cause; 8 needs it, and does not build without.
  const outcome = (applied: Configuration): Outcome =>
    has(applied, 8) && !has(applied, 3) ? 'unresolved' : needing([3])(applied);
  const { causes, back } = await run(changes, all(20), outcome);
  expect(causes.map(cause => listed(cause.changes))).toEqual([[3]]);
  expect(listed(back)).toEqual([3, 8]);
});

const sets = fc.array(fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

test('whatever fails: every cause fails alone, none of its changes can be left out, and without them new passes', async () => {
  await fc.assert(
    fc.asyncProperty(sets, fc.uniqueArray(fc.nat(11)), fc.uniqueArray(fc.nat(4095)), async (needed, seen, broken) => {
      const changes = changesBetween(...versions(12));
      const untestable = new Set(broken);
      const outcome = (applied: Configuration): Outcome => {
        const bits = listed(applied).reduce((sum, delta) => sum + 2 ** delta, 0);
        const isEnd = bits === 0 || bits === 4095;
        return !isEnd && untestable.has(bits) ? 'unresolved' : needing(...needed)(applied);
      };
      const { causes, back, ended } = await run(changes, of(seen), outcome);
      expect(ended).toBe('done');
      for (const cause of causes) {
        expect(outcome(cause.changes)).toBe('fail');
        for (const delta of deltasOf(cause.changes))
          expect(outcome(minus(cause.changes, of([delta])))).not.toBe('fail');
      }
      expect(outcome(minus(all(12), back))).toBe('pass');
    }),
    { numRuns: 300 },
  );
});

test('the number of workers changes neither the transcript nor the result', async () => {
  const changes = changesBetween(...versions(80));
  const outcome = (applied: Configuration): Outcome =>
    has(applied, 60) && !has(applied, 59) ? 'unresolved' : needing([12, 55], [70])(applied);
  const [one, four, sixteen] = await Promise.all([1, 4, 16].map(workers => run(changes, all(80), outcome, workers)));
  for (const other of [four!, sixteen!]) {
    expect(other.transcript).toEqual(one!.transcript);
    expect(other.causes).toEqual(one!.causes);
    expect(other.counter.spent).toBe(one!.counter.spent);
  }
});

test('a budget that runs out leaves a smaller failing set, and names what was not proven', async () => {
  const changes = changesBetween(...versions(64));
  const counter = new Counter();
  const level = levelOf(changes, 'hunk', above => above);
  const judge = async (artifact: Artifact) => ({ outcome: needing([50, 63])(appliedIn(artifact)) });
  const end = await followed(blame([level], { suspects: all(64) }, judge, { identify, counter, maxTests: 6 }), counter);
  expect(end.ended).toBe('budget');
  expect(end.minimal).toEqual([]);
  expect(size(end.failing)).toBeLessThan(64);
  expect(needing([50, 63])(end.failing)).toBe('fail');
});

test('what must be taken back with the causes is what the search came upon, and costs no search of its own', async () => {
  const changes = changesBetween(...versions(40));
  // 10 is the cause, and 11 to 14 neither build without it nor without each other: they are one place.
  const outcome = (applied: Configuration): Outcome => {
    const block = [10, 11, 12, 13, 14].map(delta => has(applied, delta));
    const isWhole = block.every(each => each === block[0]) || (block[0] && !block.slice(1).some(each => each));
    return isWhole ? needing([10])(applied) : 'unresolved';
  };
  const counter = new Counter();
  const groups = [[10, 11, 12, 13, 14], ...listed(minus(all(40), of([10, 11, 12, 13, 14]))).map(delta => [delta])];
  const level = { ...levelOf(changes, 'hunk', above => above), groupings: [groups] };
  const judge = async (artifact: Artifact) => ({ outcome: outcome(appliedIn(artifact)) });
  const suspects = of([3, 10, 20, 30]);
  const { causes, back, passes } = await followed(blame([level], { suspects }, judge, { identify, counter }), counter);
  expect(causes.map(cause => listed(cause.changes))).toEqual([[10]]);
  expect(listed(back)).toEqual([10, 11, 12, 13, 14]);
  expect(passes.join()).not.toContain('to take back with');
});

test('a good guess takes the search to the culprit at once', async () => {
  const changes = changesBetween(...versions(100));
  const counter = new Counter();
  const level = levelOf(changes, 'hunk', above => above);
  const judge = async (artifact: Artifact) => ({ outcome: needing([41])(appliedIn(artifact)) });
  const weights = Array.from({ length: 100 }, (_, delta) => (delta === 41 ? 100 : 1));
  const { causes } = await followed(
    blame([level], { suspects: all(100), weights }, judge, { identify, counter }),
    counter,
  );
  expect(causes.map(cause => listed(cause.changes))).toEqual([[41]]);
  expect(counter.spent).toBe(2);
});

const program = (body: readonly string[]): Snapshot =>
  inOrder([['run.js', { kind: 'file', bytes: Buffer.from(`${body.join('\n')}\n`) }]]);

test('from hunks to lines, and a candidate with a syntax error costs no test', async () => {
  const filler = (name: string) => Array.from({ length: 9 }, (_, i) => `const ${name}${i} = ${i};`);
  const old = [...filler('a'), 'function f(x) {', '  return x;', '}', ...filler('b'), 'f(1);'];
  const now = [
    ...filler('a'),
    'function f(x) {',
    '  if (x > 0) {',
    '    note(x);',
    '    x = -1;',
    '  }',
    '  return x;',
    '}',
    ...filler('b').map(line => line.replace('= 4', '= 44')),
    'f(1);',
  ];
  const [before, after] = [program(old), program(now)].map(files => ({ files }));
  const { levels, changes } = await hierarchyOf(before!, after!, 'line');
  const counter = new Counter();
  const tested: string[] = [];
  const judge = async (artifact: Artifact) => {
    const text = textIn(artifact, 'run.js');
    tested.push(text);
    return { outcome: text.includes('x = -1') ? ('fail' as const) : ('pass' as const) };
  };
  const { causes, level, minimal } = await followed(
    blame(levels, { suspects: all(changes.count) }, judge, { identify, counter }),
    counter,
  );
  expect(minimal).toEqual(['hunk', 'line']);
  expect(causes).toHaveLength(1);
  const artifact = level.circumstance.build(causes[0]!.changes)!;
  expect(textIn(artifact, 'run.js')).toContain('  x = -1;');
  expect(textIn(artifact, 'run.js')).not.toMatch(/note|44/);
  for (const text of tested) expect(() => new Function(text)).not.toThrow();
});

test('one line is enough to take back, although the lines around it only make sense together', async () => {
  const lines = (name: string, asked: string) => [
    `const ${name} = start();`,
    `check(${asked});`,
    `use(${name});`,
    `end(${name});`,
  ];
  const [before, after] = [program(lines('val', 'good')), program(lines('first', 'bad'))].map(files => ({ files }));
  const { levels, changes } = await hierarchyOf(before!, after!, 'line');
  const judge = async (artifact: Artifact) => {
    const text = textIn(artifact, 'run.js');
    const names = new Set([...text.matchAll(/val|first/g)].map(([name]) => name));
    return { outcome: names.size > 1 ? 'unresolved' : text.includes('bad') ? 'fail' : ('pass' as const) } as const;
  };
  const counter = new Counter();
  const searching = blame(levels, { suspects: all(changes.count) }, judge, { identify, counter });
  const { causes, back, level } = await followed(searching, counter);
  const shown = (set: Configuration) => level.changes(set).map(({ label }) => label);
  expect(shown(back)).toEqual(['run.js -2,1 +2,1']);
  expect(causes.map(({ changes: set }) => shown(set))).toEqual([['run.js -2,1 +2,1']]);
});

test('of a new block, one statement with what is in it is enough to take back', async () => {
  const added = [
    'if (ready) {',
    '  var list = read();',
    "  var sign = '_';",
    '  var seen = [];',
    '  var counts = {};',
    '  var twice = false;',
    '  for (var i in list) {',
    '    var each = list[i];',
    '    if (known(each))',
    '      each = ask(each);',
    '    var name = each;',
    '    var count = counts[each] || 0;',
    '    if (count > 0) {',
    '      twice = true;',
    '      name = each + sign + count;',
    '    }',
    '    counts[each] = count + 1;',
    '    seen.push(name);',
    '  }',
    '  if (twice) {',
    '    var more = list.slice();',
    '    more[0] = seen.join();',
    '    write(more);',
    '  }',
    '}',
  ];
  const [before, after] = [program(['start();', 'end();']), program(['start();', ...added, 'end();'])].map(files => ({
    files,
  }));
  const { levels, changes } = await hierarchyOf(before!, after!, 'line');
  const judge = async (artifact: Artifact) => {
    const text = textIn(artifact, 'run.js');
    const names = ['list', 'sign', 'seen', 'counts', 'twice', 'each', 'name', 'count', 'more'];
    const isWhole = names.every(name => !new RegExp(`\\b${name}\\b`).test(text) || text.includes(`var ${name} `));
    return { outcome: !isWhole ? 'unresolved' : text.includes('ask(each)') ? 'fail' : 'pass' } as const;
  };
  const counter = new Counter();
  const searching = blame(levels, { suspects: all(changes.count) }, judge, { identify, counter });
  const { back, level } = await followed(searching, counter);
  const lines = level.changes(back).flatMap(({ parts }) => parts.map(({ newStart }) => added[newStart - 1]));
  expect(lines).toEqual(['    if (known(each))', '      each = ask(each);']);
});

test('half of an edit that fails for a reason of its own is not the cause', async () => {
  const old = ['start();', 'end();'];
  const now = ['start();', 'strict();', 'ready();', 'while (more()) next();', 'harm();', 'found = [url];', 'end();'];
  const [before, after] = [program(old), program(now)].map(files => ({ files }));
  const { levels, changes } = await hierarchyOf(before!, after!, 'line');
  const judge = async (artifact: Artifact) => {
    const text = textIn(artifact, 'run.js');
    if (text.includes('harm')) return { outcome: text.includes('ready') ? ('fail' as const) : ('unresolved' as const) };
    // Old fails with this line too, but new does not fail because of it.
    return { outcome: text.includes('strict') && !text.includes('found') ? ('fail' as const) : ('pass' as const) };
  };
  const counter = new Counter();
  const { causes, level, back } = await followed(
    blame(levels, { suspects: all(changes.count) }, judge, { identify, counter }),
    counter,
  );
  const textOf = (set: Configuration) => textIn(level.circumstance.build(set)!, 'run.js');
  expect(causes.map(({ changes }) => textOf(changes))).toEqual([
    expect.stringMatching(/^start\(\);\nready\(\);\nharm\(\);\nend\(\);/),
  ]);
  expect(textOf(minus(all(level.circumstance.count), back))).not.toContain('harm');
});

test('eighty changes that only make sense together end as verified, and nothing is called minimal', async () => {
  const changes = changesBetween(...versions(80));
  const outcome = (applied: Configuration): Outcome =>
    size(applied) === 80 ? 'fail' : size(applied) === 0 ? 'pass' : 'unresolved';
  const { ended, causes, back, minimal, counter } = await run(changes, all(80), outcome);
  expect(ended).toBe('done');
  expect(causes.map(cause => size(cause.changes))).toEqual([80]);
  expect(size(back)).toBe(80);
  expect(minimal).toEqual([]);
  expect(counter.spent).toBeLessThan(600);
});

/** Old can be built with any of these only if it has all of them; new can be built without the others. */
const knotted =
  (knot: number, culprit: number) =>
  (applied: Configuration): Outcome => {
    const count = listed(applied).filter(delta => delta < knot).length;
    if (count > 0 && count < knot) return 'unresolved';
    return has(applied, culprit) ? (count === knot ? 'fail' : 'unresolved') : 'pass';
  };

test('the revert is found first: a search that is stopped over the cause knows it', async () => {
  const changes = changesBetween(...versions(400));
  const counter = new Counter();
  const level = levelOf(changes, 'hunk', above => above);
  const outcome = knotted(300, 350);
  const judge = async (artifact: Artifact) => ({ outcome: outcome(appliedIn(artifact)) });
  const options = { identify, counter, workers: 1, maxTests: 8 };
  const { ended, back } = await followed(
    blame([level], { suspects: of([310, 340, 350, 390]) }, judge, options),
    counter,
  );
  expect(ended).toBe('budget');
  expect(listed(back)).toEqual([350]);
});

test('if old needs most of new with the culprit, the search ends, says so, and the revert is small', async () => {
  const changes = changesBetween(...versions(400));
  const { ended, back, causes, minimal, minimalRevert, notes, counter } = await run(
    changes,
    all(400),
    knotted(300, 350),
  );
  expect(ended).toBe('done');
  expect(listed(back)).toEqual([350]);
  // The revert is proven although the cause is not.
  expect(minimalRevert).toEqual(['hunk', 'line']);
  expect(causes.map(({ changes: set }) => knotted(300, 350)(set))).toEqual(['fail']);
  expect(minimal).toEqual([]);
  expect(notes.at(-1)).toMatch(/^The cause can't be narrowed further than 3\d\d changes/);
  expect(counter.spent).toBeLessThanOrEqual(400);
});

test("of two causes that can't be told from most of new, the second one gets only the patience that the first one leaves", async () => {
  const changes = changesBetween(...versions(400));
  const [one, other] = [knotted(300, 350), knotted(300, 390)];
  const outcome = (applied: Configuration): Outcome => {
    const both = [one(applied), other(applied)];
    return both.includes('unresolved') ? 'unresolved' : both.includes('fail') ? 'fail' : 'pass';
  };
  const { ended, back, causes, minimal, minimalRevert, counter } = await run(changes, all(400), outcome);
  expect(ended).toBe('done');
  expect(listed(back)).toEqual([350, 390]);
  expect(causes.map(({ changes: set }) => outcome(set))).toEqual(['fail', 'fail']);
  expect([minimal, minimalRevert]).toEqual([[], ['hunk', 'line']]);
  // Two descents, one search for both causes, and the proof of the revert.
  expect(counter.spent).toBeLessThanOrEqual(2 * 64 * (1 + Math.log(400)) + 16 * (1 + 2 * Math.log(400 / 301)) + 2 + 8);
});

/** Groups of neighbours. */
const inRuns = (count: number, most: number): readonly (readonly number[])[] =>
  Array.from({ length: count / most }, (_, run) => Array.from({ length: most }, (_, i) => run * most + i));

test('whatever old needs, the search for a cause of m among n changes spends at most 16 · (1 + ln(n / m)) + 1 tests in vain once the revert is known, and ends with a right answer', async () => {
  const count = 180;
  const [places, functions] = [inRuns(count, 30), inRuns(count, 6)];
  const needed = fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { minLength: 300, maxLength: 400 });
  await fc.assert(
    fc.asyncProperty(needed, fc.nat(count - 1), async (needs, culprit) => {
      const place = of(places.find(group => group.includes(culprit))!);
      // New can be built without any part of the culprit's place. Otherwise nothing can be built without what it needs.
      const outcome = (applied: Configuration): Outcome => {
        const isNearNew = isSubset(minus(all(count), applied), place);
        const isBuilt = isNearNew || needs.every(([user, used]) => !has(applied, user) || has(applied, used));
        return isBuilt ? needing([culprit])(applied) : 'unresolved';
      };
      const hunks = levelOf(changesBetween(...versions(count)), 'hunk', above => above);
      const judge = async (artifact: Artifact) => ({ outcome: outcome(appliedIn(artifact)) });
      const suspicion = { suspects: all(count), weights: hunksNear(culprit, count) };
      const level = { ...hunks, groupings: [places, functions] };
      const search = blame([level], suspicion, judge, { identify, workers: 1 });
      let inVain = 0;
      let isRevertKnown = false;
      let step = await search.next();
      for (; !step.done; step = await search.next()) {
        const event = step.value;
        if (event.type === 'pass' && event.pass.startsWith('the suspects')) isRevertKnown = true;
        if (event.type !== 'answered' || event.known || event.proof || event.outcome !== 'unresolved') continue;
        if (isRevertKnown) inVain++;
      }
      const { ended, back, causes, minimal } = step.value;
      expect(ended).toBe('done');
      expect(listed(back)).toEqual([culprit]);
      const smallest = Math.min(...causes.map(({ changes }) => size(changes)));
      expect(inVain).toBeLessThanOrEqual(16 * (1 + Math.log(count / smallest)) + 1);
      for (const { changes: set } of causes) {
        expect(outcome(set)).toBe('fail');
        const isMinimal = listed(set).every(delta => outcome(minus(set, of([delta]))) !== 'fail');
        expect(isMinimal || minimal.length === 0).toBe(true);
      }
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

const hunksNear = (culprit: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, delta) => (delta === culprit ? 1000 : 1));

test('however few of the candidates can be tested, a search over a thousand changes ends with a right answer in 64 · (1 + ln n) tests and a walk', async () => {
  const changes = changesBetween(...versions(1000));
  // Only the two ends, and new without a few changes at its end, can be built.
  const outcome = (applied: Configuration): Outcome =>
    size(applied) === 0 ? 'pass' : size(applied) === 1000 ? 'fail' : 'unresolved';
  const { ended, back, causes, counter } = await run(changes, all(1000), outcome);
  expect(ended).toBe('done');
  expect(outcome(minus(all(1000), back))).toBe('pass');
  expect(causes.map(({ changes: set }) => outcome(set))).toEqual(['fail']);
  expect(counter.spent).toBeLessThanOrEqual(64 * (1 + Math.log(1000)));
});
