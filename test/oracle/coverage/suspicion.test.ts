import { expect, test } from 'vitest';
import { type Coverage, onlyInOne, suspicion, tellingWords } from '../../../src/oracle/coverage/index.js';

const ran = (lines: readonly number[]): Coverage => ({
  kinds: ['v8'],
  executed: new Map([['a.js', new Set(lines)]]),
  undecided: new Map(),
});
const hunk = (oldStart: number, newStart: number, newCount = 1) => ({
  kind: 'hunk',
  oldPath: 'a.js',
  newPath: 'a.js',
  oldStart,
  oldCount: 1,
  newStart,
  newCount,
});
/** Lines 11 and 71 changed, the first one into two. */
const hunks = [hunk(10, 10, 2), hunk(70, 71)];
const changes = hunks.map(each => ({ parts: [each] }));
const file = {
  oldPath: 'a.js',
  newPath: 'a.js',
  hunks,
  oldLines: Array<string>(100).fill(''),
  newLines: Array<string>(101).fill(''),
};

test('a change close to where the two runs part is likelier than one that is far from it', () => {
  // Line 69 is line 70 of new: it ran in old only.
  const [far, near] = suspicion(changes, [file], { old: ran([10, 11, 69, 71]), now: ran([10, 11, 12, 72]) });
  expect(near!).toBeGreaterThan(2 * far!);
});

test('lines that both versions ran are no divergence, whatever was inserted before them', () => {
  const [a, b] = suspicion(changes, [file], { old: ran([10, 11, 69, 71]), now: ran([10, 11, 12, 70, 72]) });
  expect([a, b]).toEqual([1, 1]);
});

test('a change close to a line that the failure names is likelier', () => {
  const same = ran([10]);
  const [near, far] = suspicion(changes, [file], { old: same, now: same, named: [{ path: 'a.js', line: 14 }] });
  expect(near!).toBeGreaterThan(2 * far!);
});

test('a declaration that coverage cannot judge is less likely than a line that ran', () => {
  const undecided = { undecided: new Map([['a.js', new Set([11, 12])]]) };
  const [old, now] = [
    { ...ran([10, 71]), ...undecided },
    { ...ran([10, 72]), ...undecided },
  ];
  const [declared, executed] = suspicion(changes, [file], { old, now });
  expect(declared!).toBeLessThan(executed! / 2);
});

test('a change with a word that only one run prints is likelier, and the more so the fewer changes have it', async () => {
  const lines = (at: number, text: string) => Array<string>(101).fill('').with(at, text);
  const said = { ...file, oldLines: lines(10, "return '+inf';"), newLines: lines(10, "return 'inf';") };
  const seen = { old: ran([11, 71]), now: ran([11, 12, 72]) };
  const printed = onlyInOne("['-inf', '+inf'] in 3 ms", "['-inf', 'inf'] in 4 ms");
  expect([...printed]).toEqual(['+inf']);
  const telling = await tellingWords(printed, [said], seen);
  const [with_, without] = suspicion(changes, [said], { ...seen, telling });
  expect(with_!).toBeGreaterThan(5 * without!);
  const everywhere = { ...said, oldLines: Array<string>(100).fill("'+inf'") };
  const often = { ...everywhere, newPath: 'b.js', oldPath: 'b.js' };
  const less = await tellingWords(printed, [said, often], seen);
  expect(suspicion(changes, [said], { ...seen, telling: less })[0]!).toBeLessThan(with_!);
});

test('a word that did not run tells nothing, nor does one that stays in a line', async () => {
  const text = (word: string) => Array<string>(101).fill('').with(10, `x = '${word}'`).with(70, 'y = error');
  const same = { ...file, oldLines: text('error'), newLines: text('error') };
  const seen = { old: ran([11]), now: ran([11, 12]) };
  const telling = await tellingWords(new Set(['error']), [same], seen);
  expect(suspicion([changes[0]!], [same], { ...seen, telling })).toEqual([1]);
  const ranNot = await tellingWords(new Set(['y']), [same], seen);
  expect(ranNot.size).toBe(0);
});

test('a word that only the new form of a part has tells something about it', async () => {
  const lines = Array<string>(101).fill('').with(10, 'done(null, found);');
  const seen = { old: ran([11]), now: ran([11, 12]) };
  const compared = { ...file, newLines: lines };
  const telling = await tellingWords(new Set(['null']), [compared], seen);
  const part = { ...hunk(10, 10), text: 'done(found);' };
  const score = (...parts: readonly (typeof part)[]) => suspicion([{ parts }], [compared], { ...seen, telling })[0]!;
  expect(score({ ...part, instead: 'done(null, found);' } as never)).toBeGreaterThan(5 * score(part));
});

test('in a rewritten file, a line that is there twice does not show where the runs part', () => {
  const [old, now] = [ran([1, 3]), ran([1])];
  const score = (rest: number, last: string) => {
    const rewritten = Array.from({ length: rest }, (_, i) => `old ${i}`);
    const lines = ['a();', 'return;', last];
    const same = {
      ...file,
      hunks: [{ ...hunk(3, 3, 0), oldCount: rest }],
      oldLines: [...lines, ...rewritten],
      newLines: lines,
    };
    return suspicion([{ parts: [hunk(1, 1)] }], [same], { old, now })[0]!;
  };
  expect(score(10, 'return;')).toBe(1);
  expect(score(10, 'return b;')).toBeGreaterThan(2);
  expect(score(1, 'return;')).toBeGreaterThan(2);
});

test('a bundle is compared with each of the modules that are in it', () => {
  const text = (name: string) => Array.from({ length: 40 }, (_, i) => `${name}${i};`);
  const part = { kind: 'hunk', newPath: 'all.js', oldStart: 0, oldCount: 0, newCount: 1 };
  const added = [5, 45].map(newStart => ({ parts: [{ ...part, newStart }] }));
  const modules = ['a', 'b'].map((name, at) => ({
    oldPath: `${name}.js`,
    newPath: 'all.js',
    hunks: [{ oldStart: at === 0 ? 40 : 0, oldCount: 0, newStart: at === 0 ? 40 : 0, newCount: 40 }],
    oldLines: text(name),
    newLines: [...text('a'), ...text('b')],
  }));
  const runs = (files: Readonly<Record<string, readonly number[]>>): Coverage => ({
    kinds: ['v8'],
    executed: new Map(Object.entries(files).map(([path, lines]) => [path, new Set(lines)])),
    undecided: new Map(),
  });
  const old = runs({ 'a.js': [5, 6, 7], 'b.js': [] });
  const [near, far] = suspicion(added, modules, { old, now: runs({ 'all.js': [5] }) });
  expect(near!).toBeGreaterThan(1.2 * far!);
});

test('a change in a function that the test calls by its name is likelier, and the less so, the more changes are in such a function', () => {
  const lines = (text: string) => [
    'api.first = function (a) {',
    `  return ${text};`,
    '};',
    'function second(a) {',
    `  log(${text});`,
    `  return [${text}];`,
    '}',
  ];
  const edited = [hunk(1, 1), hunk(4, 4), hunk(5, 5)];
  const compared = { ...file, hunks: edited, oldLines: lines('a'), newLines: lines('b') };
  const same = ran([2, 5, 6]);
  const weights = (...words: readonly string[]) =>
    suspicion(
      edited.map(each => ({ parts: [each] })),
      [compared],
      { old: same, now: same, inTest: new Set(words) },
    );
  expect(weights()).toEqual([1, 1, 1]);
  const [first, ...others] = weights('first', 'second');
  expect(first!).toBeGreaterThan(others[0]!);
  expect(others[0]!).toBeGreaterThan(weights('first')[1]!);
  // The same code once more, for browsers.
  const copy = { ...compared, oldPath: 'b.js', newPath: 'b.js' };
  const copied = edited.map(each => ({ parts: [{ ...each, oldPath: 'b.js', newPath: 'b.js' }] }));
  const both = suspicion([...edited.map(each => ({ parts: [each] })), ...copied], [compared, copy], {
    ...{ old: same, now: same, inTest: new Set(['first', 'second']) },
  });
  expect(both.slice(0, 3)).toEqual(weights('first', 'second'));
  expect(both[3]!).toBeLessThan(both[0]!);
});
