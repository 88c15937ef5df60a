/** Edits inside the only old function that makes new pass. */
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import type { Artifact } from '../../../src/core/artifact.js';
import { all } from '../../../src/core/index.js';
import { memoryOf } from '../../../src/engine/index.js';
import { pairOf } from '../../../src/plans/changes/pair.js';
import { newWithEditInside } from '../../../src/plans/changes/rewritten/edits-in-function.js';
import { functionsOf } from '../../../src/plans/changes/rewritten/old-functions.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const fileOf = (text: string): Artifact => ({
  files: inOrder([['a.js', { kind: 'file' as const, bytes: Buffer.from(text) }]]),
});
const textOf = ({ files }: Artifact): string => {
  const entry = files.get('a.js');
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};

const steps = Array.from({ length: 12 }, (_, at) => at);
const old = [
  'function mix(colours, mode) {',
  '  var i, sum;',
  '  if (mode == null) {',
  "    mode = 'rgb';",
  '  }',
  '  sum = 0;',
  ...steps.map(at => `  for (i = 0; i < colours.length; i++) sum += colours[i] * ${at};`),
  "  return mode + ':' + sum;",
  '}',
  '',
].join('\n');
const now = (mode: string) =>
  [
    'var mix = function (colours, mode) {',
    `    if ( mode === void 0 ) mode='${mode}';`,
    '    var total = 0;',
    ...steps.map(at => `    colours.forEach(function (each) { total += each * ${at}; });`),
    "    return [mode, total].join(':');",
    '};',
    '',
  ].join('\n');

async function editInside(before: string, after: string) {
  const pair = pairOf(fileOf(before), fileOf(after), ['old', 'new']);
  const changes = changesBetween(pair.old.files, pair.new.files, { granularity: 'hunk' });
  const everything = { suspects: all(changes.count) };
  const judge = async ({ count }: { readonly count: number }) => ({ suspects: all(count) });
  const [mix] = await functionsOf(pair, { old: ['a.js'], new: 'a.js' });
  const functions = [{ ...mix!, likely: 1 }];
  const passing = { ended: 'done' as const, artifact: pair.old, fewest: all(1), functions, lineInOld: () => undefined };
  let asked = 0;
  const search = newWithEditInside(
    { pair, changes, suspicion: everything, judge },
    passing,
    async artifact => {
      asked++;
      try {
        const result = runInNewContext(`${textOf(artifact)}; mix([1, 2])`);
        return { outcome: result === 'rgb:198' ? 'pass' : result === 'lab:198' ? 'fail' : 'unresolved' };
      } catch {
        return { outcome: 'unresolved' };
      }
    },
    { identify, memory: memoryOf(), signal: new AbortController().signal },
  );
  let step = await search.next();
  while (!step.done) step = await search.next();
  return { found: step.value && textOf(step.value.pair.old), asked };
}

test('in a function that was written anew, the default that matters comes back by itself', async () => {
  const { found, asked } = await editInside(old, now('lab'));
  expect(found).toBe(now('rgb'));
  expect(asked).toBeLessThanOrEqual(14);
});

test('in a function of which few lines differ, its lines are found as fast', async () => {
  const { found, asked } = await editInside(now('rgb'), now('lab'));
  expect({ found, asked }).toEqual({ found: undefined, asked: 0 });
});
