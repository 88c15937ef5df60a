/** Edits of new that make it pass, and how they are searched further. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import { memoryOf } from '../../src/engine/index.js';
import { additions } from '../../src/plans/changes/additions.js';
import type { BlameOptions } from '../../src/plans/changes/blame.js';
import { likeliest, withFewestEdits } from '../../src/plans/changes/code-edits.js';
import { pairOf } from '../../src/plans/changes/pair.js';
import { identify } from '../../src/sources/files.js';

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
  expect(await likeliest(pair, [...broken, edit('b();', 1), edit('a();', 2)])).toEqual([
    edit('a();', 2),
    edit('b();', 1),
  ]);
});
