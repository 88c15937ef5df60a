import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, empty, minus, of } from '../../../src/core/index.js';
import type { LastRun } from '../../../src/plans/reduce/entries.js';
import { largestParts } from '../../../src/plans/reduce/largest-parts.js';
import { artifactOf, textsIn } from '../texts.js';

const statements = (name: string, count: number): string => `${name}(${name});\n`.repeat(count);
const pageOf = (start: string, lines = 900) =>
  artifactOf({
    'a.html': `<style>${'p { top: 0 }\n'.repeat(800)}</style>\n<table>${'<tr><td>1</td></tr>\n'.repeat(900)}</table>\n<script>\n${statements('library', lines)}</script>\n<script>\n${start}</script>\n`,
  });

const passFor = (loaded: readonly string[]) => {
  const last: LastRun = { loaded: new Set(loaded), entries: '', bytes: 0 };
  return largestParts({}, () => last);
};

/** What is left of the page without one of the parts, for each of them. */
async function withoutEach(pass: ReturnType<typeof passFor>, artifact: Artifact): Promise<readonly string[]> {
  const circumstance = await pass.over(artifact);
  return Array.from(
    { length: circumstance?.count ?? 0 },
    (_, delta) => textsIn(circumstance!.build(minus(all(circumstance!.count), of([delta]))))['a.html']!,
  );
}

test('each large part of a page by itself, the largest one first', async () => {
  const page = pageOf('start();\n');
  const left = await withoutEach(passFor(['a.html']), page);
  const lengths = left.map(text => text.length);
  // A sweep begins at the end.
  expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
  for (const part of ['<style>', '<table>', 'library(library)'])
    expect(left.filter(text => !text.includes(part))).toHaveLength(1);
  // Nothing small, and not what contains all of it.
  expect(left.every(text => text.includes('start();'))).toBe(true);
  const circumstance = (await passFor(['a.html']).over(page))!;
  expect(textsIn(circumstance.build(empty))['a.html']).toContain('start();');
});

test('not if nothing is executed, not in a small program, and again only if what starts it has changed or half is gone', async () => {
  expect(await withoutEach(passFor([]), pageOf('start();\n'))).toEqual([]);
  expect(await withoutEach(passFor(['a.html']), artifactOf({ 'a.html': '<script>start()</script>' }))).toEqual([]);
  const pass = passFor(['a.html']);
  expect((await withoutEach(pass, pageOf('start();\n'))).length).toBeGreaterThan(2);
  for (const [page, isNew] of [
    [pageOf('start();\n'), false],
    [pageOf('start();\n', 800), false],
    [pageOf('go();\n'), true],
    [pageOf('go();\n'), false],
  ] as const) {
    expect(pass.needsRun!(page)).toBe(isNew);
    expect((await withoutEach(pass, page)).length > 0).toBe(isNew);
  }
});
