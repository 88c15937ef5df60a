import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { Counter } from '../../../src/engine/index.js';
import { type Isolated, isolate } from '../../../src/plans/isolate/search.js';
import { identify } from '../../../src/sources/files.js';

const count = 60;
const gap = ['int kept;', 'int also_kept;'];

/** Each function of the new text calls a helper that only the new text declares. */
function source(isNew: boolean): Artifact {
  const helpers = Array.from({ length: count }, (_, i) => (isNew ? [`int helper${i}(int x);`, ...gap] : gap)).flat();
  const functions = Array.from({ length: count }, (_, i) => [
    `int f${i}(int x)`,
    '{',
    isNew ? `  return helper${i}(x);` : `  return ${i};`,
    '}',
    ...gap,
  ]).flat();
  const bytes = Buffer.from(`${[...helpers, ...functions].join('\n')}\n`);
  return { files: new Map([['a.i', { kind: 'file', bytes }]]) };
}

const textOf = ({ files }: Artifact): string => {
  const entry = files.get('a.i')!;
  return entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};

test('two preprocessed C files end as one call and its declaration, with few tests that do not compile', async () => {
  let [tests, broken] = [0, 0];
  const search = isolate(
    { passing: source(false), failing: source(true) },
    async artifact => {
      tests++;
      const text = textOf(artifact);
      const undeclared = [...text.matchAll(/return (helper\d+)/g)].some(([, name]) => !text.includes(`int ${name}(`));
      if (undeclared) broken++;
      return { outcome: undeclared ? 'unresolved' : text.includes('return helper37(x)') ? 'fail' : 'pass' };
    },
    { identify, counter: new Counter() },
  );
  let step = await search.next();
  while (!step.done) step = await search.next();
  const { ended, passing, failing, minimal } = step.value as Isolated;
  expect([ended, minimal[0]]).toEqual(['done', 'hunk']);
  const before = new Set(textOf(passing).split('\n'));
  expect(
    textOf(failing)
      .split('\n')
      .filter(line => !before.has(line)),
  ).toEqual(['  return helper37(x);']);
  expect(tests).toBeLessThan(60);
  expect(broken).toBeLessThan(tests / 3);
});

test('a statement of C that only one side has stays whole', async () => {
  const lines = ['int f(int x)', '{', '  x = x + 1;', '  return x;', '}'];
  const file = (text: readonly string[]): Artifact => ({
    files: new Map([['a.i', { kind: 'file', bytes: Buffer.from(`${text.join('\n')}\n`) }]]),
  });
  const search = isolate(
    { passing: file(lines), failing: file(lines.toSpliced(3, 0, '  used = limit * 2;')) },
    async artifact => ({ outcome: textOf(artifact).includes('limit') ? 'fail' : 'pass' }),
    { identify, counter: new Counter() },
  );
  let step = await search.next();
  while (!step.done) step = await search.next();
  const { passing, failing } = step.value as Isolated;
  expect(textOf(passing).split('\n')).toEqual([...lines, '']);
  expect(textOf(failing)).toContain('  used = limit * 2;\n');
});
