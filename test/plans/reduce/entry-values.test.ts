import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { empty } from '../../../src/core/index.js';
import { entryValues } from '../../../src/plans/reduce/entry-values.js';
import { noteOfValues, type SeenValues } from '../../../src/plans/reduce/seen-values.js';
import { artifactOf, textsIn } from '../texts.js';

const filler = 'library(library(0));\n'.repeat(1_500);
const place = (text: string, part: string, literal: string) =>
  [text.indexOf(part), text.indexOf(part) + part.length, literal] as const;

/** What the pass offers, with all of it left out, and which expressions it let report. */
async function offered(artifact: Artifact, loaded: readonly string[], values: SeenValues) {
  const asked: unknown[] = [];
  const run = async (_: Artifact, files: ReadonlySet<string>, reporters?: string) => {
    asked.push([[...files], reporters]);
    return values;
  };
  const pass = entryValues(run, {}, () => ({ loaded: new Set(loaded), entries: '', bytes: 0 }));
  const isNeeded = pass.needsRun!(artifact);
  const circumstance = await pass.over(artifact);
  const again = await pass.over(artifact);
  return { isNeeded, asked, again, texts: circumstance && textsIn(circumstance.build(empty)) };
}

test('the script that starts a program becomes what it computes, in one question and once for each text of it', async () => {
  const main = "const { total } = require('./lib');\nconsole.log(total([1, 2]));\n";
  const artifact = artifactOf({ 'lib.js': filler, 'main.js': main });
  const values = { 'main.js': [place(main, 'total([1, 2])', '3')] };
  const { isNeeded, asked, again, texts } = await offered(artifact, ['lib.js', 'main.js'], values);
  expect(isNeeded).toBe(true);
  expect(asked).toEqual([[['main.js'], 'what starts it']]);
  expect(texts).toEqual({ 'lib.js': filler, 'main.js': main.replace('total([1, 2])', '3') });
  expect(again).toBeUndefined();
});

test('of a page, its small scripts', async () => {
  const page = `<script>\n${filler}</script>\n<script>\nshow(library(1));\n</script>\n`;
  const values = { 'a.html': [place(page, 'library(1)', '"one"')] };
  const { texts } = await offered(artifactOf({ 'a.html': page }), ['a.html'], values);
  expect(texts).toEqual({ 'a.html': page.replace('library(1)', '"one"') });
});

test('nothing in a program that is not executed, or that nothing small starts', async () => {
  const artifact = artifactOf({ 'lib.js': filler, 'main.js': filler });
  for (const loaded of [[], ['lib.js', 'main.js']])
    expect(await offered(artifact, loaded, {})).toMatchObject({ isNeeded: false, asked: [], texts: undefined });
});

test('the journal tells these values from those of the whole program', () => {
  const artifact = artifactOf({ 'a.js': 'f();\n' });
  expect(noteOfValues(artifact, 'what starts it')).not.toBe(noteOfValues(artifact));
});
