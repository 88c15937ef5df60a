/** Patterns of .gitignore mean what git says they mean. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { chooserFor } from '../../src/sources/selection.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'culprit-ignore-')));
spawnSync('git', ['init', '-q', root]);
afterAll(() => rmSync(root, { recursive: true }));

const paths = ['a', 'a.log', 'b/a', 'b/a.log', 'b/c/a', 'b/c/x.log', 'c/b/a', '#a', 'b/[a]', 'a b'].sort();
for (const path of paths) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), '');
}

/** What git calls ignored, file by file. */
function ignoredByGit(patterns: readonly string[]): readonly string[] {
  writeFileSync(join(root, '.gitignore'), `${patterns.join('\n')}\n`);
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--others', '--ignored', '--exclude-standard'], { cwd: root });
  return String(stdout)
    .split('\0')
    .filter(path => paths.includes(path))
    .sort();
}

function ignoredByUs(): readonly string[] {
  const chooser = chooserFor(root, {});
  return paths.filter(path => chooser.choose(join(root, path), false) === 'out');
}

const word = fc.constantFrom(
  'a',
  'b',
  'c',
  '*',
  '**',
  '*.log',
  '?',
  '[ab]',
  '[!a]',
  'x*',
  '\\#a',
  '\\[a\\]',
  '#a',
  'a b',
);
const pattern = fc
  .record({
    negated: fc.boolean(),
    anchored: fc.boolean(),
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    folder: fc.boolean(),
  })
  .map(
    ({ negated, anchored, words, folder }) =>
      `${negated ? '!' : ''}${anchored ? '/' : ''}${words.join('/')}${folder ? '/' : ''}`,
  );

test('any patterns leave out what git leaves out', () => {
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), patterns => {
      expect(ignoredByGit(patterns)).toEqual(ignoredByUs());
    }),
    { numRuns: 100 },
  );
});
