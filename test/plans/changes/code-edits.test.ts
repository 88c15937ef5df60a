/** Edits of new that make it pass, and how they are searched further. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { memoryOf } from '../../../src/engine/index.js';
import type { BlameOptions } from '../../../src/plans/changes/levels/blame.js';
import { pairOf } from '../../../src/plans/changes/pair.js';
import { additions } from '../../../src/plans/changes/rewritten/additions.js';
import { likeliest, withFewestEdits } from '../../../src/plans/changes/rewritten/code-edits.js';
import { identify } from '../../../src/sources/files.js';

const artifactOf = (text: string): Artifact => ({
  files: new Map([['a.js', { kind: 'file', bytes: Buffer.from(text) }]]),
});

/** New passes if `text` is put at its start. */
async function levelsWith(text: string): Promise<readonly string[]> {
  const pair = pairOf(artifactOf('old();\n'), artifactOf('new();\n'), ['old', 'new']);
  const edit = { path: 'a.js', start: 0, end: 0, text, likely: 1, own: [1, 1] as const };
  const options: BlameOptions = { identify, memory: memoryOf(), signal: new AbortController().signal };
  const test = async ({ files }: Artifact) => {
    const entry = files.get('a.js')!;
    const isFixed = entry.kind === 'file' && Buffer.from(entry.bytes).toString().startsWith(text);
    return { outcome: isFixed ? ('pass' as const) : ('fail' as const) };
  };
  const search = withFewestEdits(pair, { edits: [edit], words: additions }, test, options);
  for (;;) {
    const step = await search.next();
    if (!step.done) continue;
    if (typeof step.value !== 'object') throw new Error('nothing was found');
    const { levels } = await step.value.pair.hierarchy('line');
    return [levels[0].name, `${levels.length - 1} below`];
  }
}

test('a short edit is shown as a whole, and a long one is narrowed to the lines that matter', async () => {
  expect(await levelsWith('one();\n'.repeat(12))).toEqual(['addition', '0 below']);
  expect(await levelsWith('one();\n'.repeat(13))).toEqual(['hunk', '1 below']);
});

test('edits that break their file take no place of others', async () => {
  const pair = pairOf(artifactOf('old();\n'), artifactOf('new();\n'), ['old', 'new']);
  const edit = (text: string, likely: number) => ({
    path: 'a.js',
    start: 0,
    end: 0,
    text,
    likely,
    own: [1, 1] as const,
  });
  const broken = Array.from({ length: 200 }, (_, i) => edit('let = ) {\n', 300 - i));
  expect(await likeliest(pair, [...broken, edit('b();', 1), edit('a();', 2)], 48)).toEqual([
    edit('a();', 2),
    edit('b();', 1),
  ]);
});

test('a large edit comes after a small one that is nearly as likely', async () => {
  const pair = pairOf(artifactOf('old();\n'), artifactOf('new();\n'), ['old', 'new']);
  const edit = (text: string, likely: number) => ({
    path: 'a.js',
    start: 0,
    end: 0,
    text,
    likely,
    own: [1, 1] as const,
  });
  const ranked = await likeliest(pair, [edit('one();\n'.repeat(40), 2), edit('two();\n', 1)], 48);
  expect(ranked.map(({ text }) => text.slice(0, 3))).toEqual(['two', 'one']);
});

test('what is tried by itself only is no part of a combination, and comes later', async () => {
  const old = artifactOf('f(1, 2);\n');
  const now = artifactOf('g(1); g(2); h(3);\n');
  const edits = [
    { start: 0, end: 4, text: 'f(1)', likely: 3 },
    { start: 6, end: 10, text: 'f(2)', likely: 2 },
    { start: 12, end: 16, text: '3', likely: 5, isAlone: true },
  ].map(each => ({ path: 'a.js', own: [1, 1] as const, ...each }));
  expect((await likeliest(pairOf(old, now, ['old', 'new']), edits, 48)).map(({ start }) => start)).toEqual([0, 12, 6]);
  const asked: string[] = [];
  const test = async ({ files }: Artifact) => {
    const entry = files.get('a.js')!;
    const text = entry.kind === 'file' ? Buffer.from(entry.bytes).toString().trim() : '';
    asked.push(text);
    return { outcome: text.startsWith('f(1); f(2)') ? ('pass' as const) : ('fail' as const) };
  };
  const options: BlameOptions = { identify, memory: memoryOf(), signal: new AbortController().signal };
  const search = withFewestEdits(pairOf(old, now, ['old', 'new']), { edits, words: additions }, test, options);
  let step = await search.next();
  while (!step.done) step = await search.next();
  expect(step.value).toBeDefined();
  expect(asked).toContain('f(1); f(2); h(3);');
  expect(asked).not.toContain('f(1); f(2); 3;');
});

/** Three old parts that new must have together: one declares what the second one uses, and the third one uses what that makes. */
async function passingOf(needs: readonly (readonly string[])[]): Promise<readonly string[]> {
  const words = ['declare();', 'make();', 'use();', 'idle();', 'other();'];
  const now = words.map(word => `not${word}\n`).join('');
  const edits = words.map((word, at) => {
    const start = now.indexOf(`not${word}`);
    return {
      path: 'a.js',
      start,
      end: start + 3 + word.length,
      text: word,
      likely: 9 - at,
      own: [at + 1, at + 1] as const,
    };
  });
  const asked: string[] = [];
  const test = async ({ files }: Artifact) => {
    const entry = files.get('a.js')!;
    const lines = entry.kind === 'file' ? Buffer.from(entry.bytes).toString().split('\n') : [];
    asked.push(lines.join(' '));
    const has = (word: string) => lines.includes(word);
    if (needs.some(([first, ...then]) => has(first!) && !then.every(has))) return { outcome: 'unresolved' as const };
    return { outcome: has('use();') ? ('pass' as const) : ('fail' as const) };
  };
  const pair = pairOf(artifactOf('old();\n'), artifactOf(now), ['old', 'new']);
  const options: BlameOptions = { identify, memory: memoryOf(), signal: new AbortController().signal };
  const search = withFewestEdits(pair, { edits, words: additions }, test, options);
  let step = await search.next();
  while (!step.done) step = await search.next();
  expect(asked.length).toBeLessThan(40);
  if (typeof step.value !== 'object') return [];
  const entry = step.value.pair.old.files.get('a.js')!;
  const text = entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
  return text.split('\n').filter(line => line !== '' && !line.startsWith('not'));
}

test('an edit that can only be run with harmless ones is found with those that it needs, and no others', async () => {
  expect(await passingOf([['use();', 'declare();']])).toEqual(['declare();', 'use();']);
});

test('what harmless edits help may help others', async () => {
  const needs = [
    ['make();', 'declare();'],
    ['use();', 'make();'],
  ];
  expect(await passingOf(needs)).toEqual(['declare();', 'make();', 'use();']);
});

test('edits that need what none of the others has are given up', async () => {
  expect(await passingOf([['use();', 'nowhere();']])).toEqual([]);
});

test('what describes a package comes after its code', async () => {
  const text = '{\n  "scripts": { "test": "mocha" }\n}\n';
  const files = (code: string): Artifact => ({
    files: new Map([...artifactOf(code).files, ['package.json', { kind: 'file', bytes: Buffer.from(text) }]]),
  });
  const pair = pairOf(files('old();\n'), files('new();\n'), ['old', 'new']);
  const code = { path: 'a.js', start: 0, end: 0, text: 'a();', likely: 1, own: [1, 1] as const };
  const start = text.indexOf('mocha');
  const script = { path: 'package.json', start, end: start + 5, text: 'jest', likely: 5, own: [2, 2] as const };
  const paths = (await likeliest(pair, [script, code], 48)).map(({ path }) => path);
  expect(paths).toEqual(['a.js', 'package.json']);
});

test('two edits that say the same are tried together, before all that do no harm', async () => {
  const items = ['a', 'b', 'tr', 'c', 'd', 'e'];
  const text = `${items.map(item => `f('${item}');`).join('\n')}\n`;
  const pair = pairOf(artifactOf('old();\n'), artifactOf(text), ['old', 'new']);
  const edits = [...items, 'tr'].map((item, i) => {
    const at = i < items.length ? text.indexOf(`f('${item}');`) : 0;
    const end = i < items.length ? at + `f('${item}');`.length : 0;
    return {
      path: 'a.js',
      start: at,
      end,
      text: i < items.length ? 'g();' : "h('tr');\n",
      likely: 1,
      own: [1, 1] as const,
    };
  });
  let asked = 0;
  const search = withFewestEdits(
    pair,
    { edits, words: additions },
    async ({ files }) => {
      const entry = files.get('a.js')!;
      const now = entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
      asked++;
      const isFixed = now.startsWith("h('tr');") && !now.includes("f('tr')");
      return { outcome: isFixed ? 'pass' : 'fail' };
    },
    { identify, memory: memoryOf(), signal: new AbortController().signal },
  );
  let step = await search.next();
  while (!step.done) step = await search.next();
  expect(typeof step.value).toBe('object');
  // Each by itself; old, for what it prints; the two; and each of the two without the other one is known.
  expect(asked).toBeLessThanOrEqual(edits.length + 3);
});
