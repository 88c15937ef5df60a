import { expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import { type Configuration, of, type Strategy, type Test } from '../../src/core/index.js';
import { textOf } from '../../src/core/trace.js';
import { FileLineage } from '../../src/plans/reduce/lineage.js';
import { reducePasses } from '../../src/plans/reduce/passes.js';
import { searchSmaller } from '../../src/plans/reduce/search.js';
import { type Block, compare } from '../../src/report/compare.js';
import type { Candidate, Candidates } from '../../src/report/page/data.js';
import { pairFiles } from '../../src/run/originals.js';
import { identify } from '../../src/sources/files.js';

const artifactOf = (files: Readonly<Record<string, string | Uint8Array>>): Artifact => ({
  files: new Map(Object.entries(files).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});
const textAt = ({ files }: Artifact, path: string): string => {
  const entry = files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1') : '';
};

async function reduce(original: Artifact, fails: (artifact: Artifact) => boolean, by?: 'line') {
  const passes = await reducePasses(original, by ? { by } : {});
  const judge: Test<Artifact> = async artifact => ({ outcome: fails(artifact) ? 'fail' : 'pass' });
  const lineage = new FileLineage(original);
  const measure = ({ files }: Artifact) =>
    [...files.values()].reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes.length : 0), 0);
  const run = searchSmaller(original, passes, judge, { identify, measure, lineage });
  let step = await run.next();
  while (!step.done) step = await run.next();
  return { result: step.value.artifact, lineage };
}

/** Asks these questions and takes whatever fails. */
const asking = (questions: readonly Configuration[]): Strategy<{ at: number; best: Configuration }, Configuration> => ({
  name: 'asking',
  start: all => ({ at: 0, best: all }),
  next: ({ at, best }) =>
    at < questions.length
      ? { kind: 'ask', configuration: questions[at]!, sort: 'one' }
      : { kind: 'done', result: best },
  answer: ({ at, best }, outcome) => ({ at: at + 1, best: outcome === 'fail' ? questions[at]! : best }),
  best: ({ best }) => best,
});

const marked = (blocks: readonly Block[] = []): string[] =>
  blocks.flatMap(block =>
    'segments' in block
      ? block.segments.flatMap(segment => ('skip' in segment || !segment[1] ? [] : [`${block.line}: ${segment[0]}`]))
      : [],
  );

test('Of two equal lines, the page marks the one that the result was made from.', async () => {
  const original = artifactOf({ 'a.txt': 'x\nend\nx\n' });
  const [byLine] = await reducePasses(original, { by: 'line' });
  const lineage = new FileLineage(original);
  const judge: Test<Artifact> = async artifact => ({
    outcome: textAt(artifact, 'a.txt').endsWith('x\n') ? 'fail' : 'pass',
  });
  const passes = [{ ...byLine!, strategy: () => asking([of([1, 2]), of([2])]) as never }];
  const run = searchSmaller(original, passes, judge, { identify, lineage });
  let step = await run.next();
  while (!step.done) step = await run.next();
  const [file] = pairFiles(original, step.value.artifact, lineage.originsOf(step.value.artifact));
  const page = compare(file!);
  expect(textAt(step.value.artifact, 'a.txt')).toBe('x\n');
  expect(page.traced).toBe(true);
  expect(marked(page.original)).toEqual(['3: x']);
});

test('The traces of a whole reduction spell its result, in every file, through all passes.', async () => {
  const original = artifactOf({
    'a.js':
      'import { twice } from "./b.js";\nfunction once(x) { return x; }\nconst value = twice(once(21));\nif (value > 3) {\n  crash(value);\n}\n\n\n',
    'b.js': 'export function twice(n) { return n * 2; }\nexport const unused = 3;\n',
    'c.js': 'import { unused } from "./b.js";\nconsole.log(unused);\n',
  });
  const fails = (artifact: Artifact) => /crash\s*\(/.test(textAt(artifact, 'a.js'));
  const { result, lineage } = await reduce(original, fails);
  const origins = lineage.originsOf(result);
  expect(textAt(result, 'a.js').length).toBeLessThan(12);
  for (const [path] of result.files) {
    const origin = origins.get(path)!;
    expect(origin).not.toBe('unknown');
    expect(origin === 'same' ? textAt(original, path) : textOf(origin as never, textAt(original, path))).toBe(
      textAt(result, path),
    );
  }
});

test('Bytes that are no text are traced in bytes, and marked where they are shown.', async () => {
  const original = artifactOf({ 'a.bin': Uint8Array.of(0xff, 0x41, 0x42, 0xfe, 0x41, 0xfd, 0x43) });
  const { result, lineage } = await reduce(original, artifact => textAt(artifact, 'a.bin').includes('\xfd'));
  const [file] = pairFiles(original, result, lineage.originsOf(result));
  expect(marked(compare(file!).original)).toEqual(['1: \\xfd']);
});

test('A file that becomes UTF-8 on the way is not marked by numbers that no longer fit.', async () => {
  const original = artifactOf({ 'a.txt': Buffer.concat([Uint8Array.of(0xff, 10), Buffer.from('äöü\näß\nüü\n')]) });
  const { result, lineage } = await reduce(original, artifact => textAt(artifact, 'a.txt').includes('\xc3\x9f'));
  const origin = lineage.originsOf(result).get('a.txt');
  const page = compare(pairFiles(original, result, lineage.originsOf(result))[0]!);
  if (origin === 'unknown') expect(marked(page.original)).toEqual([]);
  else expect(marked(page.original).join('')).toContain('ß');
});

test('A result of an earlier pass that nobody followed is unknown, and nothing of it is marked.', () => {
  const original = artifactOf({ 'a.txt': 'x\ny\n' });
  const other = artifactOf({ 'a.txt': 'x\n' });
  const [file] = pairFiles(original, other, new FileLineage(original).originsOf(other));
  const page = compare(file!);
  expect(marked(page.original)).toEqual([]);
  expect(page.note).toMatch(/not recorded/);
});

test('Candidates are kept as edits that spell them, and every step of a small search has one.', async () => {
  const original = artifactOf({ 'a.txt': 'one\ntwo\nthree\nfour\n', 'b.txt': 'b\n' });
  const seen = new Map<string, true>();
  const fails = (artifact: Artifact) => {
    seen.set(JSON.stringify([...artifact.files.keys()].map(path => [path, textAt(artifact, path)])), true);
    return textAt(artifact, 'a.txt').includes('three');
  };
  const { lineage } = await reduce(original, fails);
  const all = lineage.candidates.all;
  const steps = Object.values(all.rows);
  expect(steps.length).toBeGreaterThan(5);
  const spelled = new Set(steps.map(candidate => JSON.stringify(Object.entries(filesOf(all, candidate)))));
  const tested = [...seen.keys()].slice(1).filter(each => !spelled.has(each));
  // Results are tested again at the end; these are no candidates of a pass.
  expect(tested).toEqual([]);
});

function filesOf({ texts, bases }: Candidates, [base, changes]: Candidate): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [path, number] of Object.entries(bases[base]!)) {
    const change = changes[path];
    if (change === null) continue;
    const old = texts[number]!;
    files[path] = change === undefined ? old : spell(change, old);
  }
  return files;
}

function spell(change: readonly (number | string)[], old: string): string {
  let text = '';
  for (let i = 0; i < change.length; i++) {
    const part = change[i]!;
    text += typeof part === 'string' ? part : old.slice(part, change[++i] as number);
  }
  return text;
}
