import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, type Verdict } from '../../../src/core/index.js';
import { type Event, memoryOf } from '../../../src/engine/index.js';
import type { BlameOptions } from '../../../src/plans/changes/levels/blame.js';
import { pairOf } from '../../../src/plans/changes/pair.js';
import { fromLikeliestParts } from '../../../src/plans/changes/rewritten/likeliest-parts.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const artifactOf = (texts: Readonly<Record<string, string>>): Artifact => ({
  files: inOrder(Object.entries(texts).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});

const textOf = ({ files }: Artifact, path: string): string => {
  const entry = files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};

/** More changes than a descent can look at quickly: none of them matters. */
const others = (value: number) =>
  Array.from({ length: 120 }, (_, i) => `int other${i}(void)\n{\n  int a = 1;\n  return ${value + i};\n}\n`).join('\n');

interface Versions {
  readonly old: Readonly<Record<string, string>>;
  readonly new: Readonly<Record<string, string>>;
}

/** A member of a struct has another name, so no function that uses it can be as it was. */
const oldReader = `int read(struct reader *r)
{
  struct task *cur = &r->stack[0];
  int length = lengthOf(r);
  store(cur, length);
  return 0;
}
`;
const withCondition = `int read(struct reader *r)
{
  struct task *cur = r->task[0];
  int length = lengthOf(r);
  if (length > LIMIT) {
    return -1;
  }
  store(cur, length);
  return 0;
}
`;

/** What a compiler says. */
const isBrokenReader = (text: string) => text.includes('r->stack') && !text.includes('struct task stack[');

/** What a compiler and the test would say. `fails`: whether this code shows the failure. */
const judging =
  (asked: string[], fails: (text: string) => boolean, isBroken: (text: string) => boolean) =>
  async (artifact: Artifact): Promise<Verdict> => {
    const text = [...artifact.files.keys()].map(path => textOf(artifact, path)).join('\n');
    asked.push(text);
    if (isBroken(text))
      return { outcome: 'unresolved', reason: "does not build: 'reader' has no member named 'stack'" };
    return { outcome: fails(text) ? 'fail' : 'pass' };
  };

/** The search, if what is in this function is likelier than the rest. */
async function search(
  { old, new: now }: Versions,
  likely: string,
  fails: (text: string) => boolean,
  isBroken = isBrokenReader,
) {
  const pair = pairOf(artifactOf(old), artifactOf(now), ['old', 'new']);
  const hierarchy = await pair.hierarchy('line');
  const { changes } = hierarchy;
  if (!('files' in changes)) throw new Error('these are not packages');
  const weights = changes.changes.map(({ parts: [part] }) => {
    const lines = changes.files[part!.file]!.newLines;
    const from = lines.findIndex(line => line.includes(`${likely}(`));
    return part!.newPath === 'reader.c' && part!.newStart >= from && part!.newStart < from + 12 ? 9 : 1;
  });
  const suspicion = { suspects: all(changes.count), weights };
  const judge = async ({ count }: { readonly count: number }) => ({ suspects: all(count) });
  const asked: string[] = [];
  const options: BlameOptions = { identify, memory: memoryOf(), signal: new AbortController().signal };
  const run = fromLikeliestParts({ pair, hierarchy, suspicion, judge }, judging(asked, fails, isBroken), options);
  const events: Event[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { found: step.value, asked, events };
    events.push(step.value);
  }
}

const header = (member: string) => `struct reader {\n  struct task ${member};\n};\n`;
const filesOf = (reader: string, value: number, member: string) => ({
  'reader.c': `${others(value)}\n${reader}`,
  'reader.h': header(member),
});

test('a condition is taken out of a function that cannot be taken back as a whole', async () => {
  const versions = { old: filesOf(oldReader, 1000, 'stack[9]'), new: filesOf(withCondition, 5000, '**task') };
  const { found, asked } = await search(versions, 'read', text => /if \(length > LIMIT\) \{\s+return/.test(text));
  expect(found).toBeTypeOf('object');
  const artifact = typeof found === 'object' ? found.pair.old : artifactOf({});
  expect(textOf(artifact, 'reader.c')).not.toContain('return -1');
  expect(textOf(artifact, 'reader.c')).toContain('r->task[0]');
  expect(textOf(artifact, 'reader.h')).toBe(versions.new['reader.h']);
  expect(asked.length).toBeLessThanOrEqual(6 + 32);
});

test('what the function calls and only new has is looked at too', async () => {
  const caller = withCondition.replace('length > LIMIT', 'isTooLong(length)');
  const helper = 'int isTooLong(int length)\n{\n  int most = strict ? 10 : 20;\n  return length > most;\n}\n';
  const versions = {
    old: filesOf(oldReader, 1000, 'stack[9]'),
    new: { ...filesOf(caller, 5000, '**task'), 'helper.c': helper },
  };
  const { found } = await search(
    versions,
    'read',
    text => text.includes('strict ? 10 : 20') || !text.includes('isTooLong(length)'),
  );
  expect(typeof found === 'object' && textOf(found.pair.old, 'helper.c')).toMatch(/most = (10|20);/);
});

test('a line with more words than a call can have arguments is no obstacle: a source map is one line', async () => {
  const map = { 'reader.map': `"${'AAAA word '.repeat(150_000)}"\n` };
  const caller = withCondition.replace('length > LIMIT', 'isTooLong(length)');
  const versions = {
    old: filesOf(oldReader, 1000, 'stack[9]'),
    new: { ...filesOf(caller, 5000, '**task'), ...map },
  };
  const { found } = await search(versions, 'read', text => text.includes('isTooLong'));
  expect(found).toBeTypeOf('object');
});

test('nothing is tried in functions that can be taken back', async () => {
  const reader = (limit: string) => withCondition.replace('LIMIT', limit);
  const versions = { old: filesOf(reader('1'), 1000, '**task'), new: filesOf(reader('2'), 5000, '**task') };
  const { found, asked } = await search(versions, 'read', text => text.includes('length > 2'));
  expect(found).toBeUndefined();
  expect(asked.length).toBe(1);
});

test('the search goes on as without it if nothing helps', async () => {
  const versions = { old: filesOf(oldReader, 1000, 'stack[9]'), new: filesOf(withCondition, 5000, '**task') };
  const { found, asked } = await search(versions, 'read', text => text.includes('return 5000'));
  expect(found).toBeUndefined();
  expect(asked.length).toBeLessThanOrEqual(6 + 32);
});

test('a function that needs what new has lost comes first as a whole, with that', async () => {
  const read = (limit: string) => `int read(struct reader *r)
{
  int length = lengthOf(r);
  if (length > ${limit}) {
    return -1;
  }
  return store(r, length);
}
`;
  const versions = {
    old: { 'reader.c': `static const int longest = 9;\n\n${others(1000)}\n${read('longest')}` },
    new: { 'reader.c': `${others(5000)}\n${read('5')}` },
  };
  const isBroken = (text: string) => text.includes('> longest') && !text.includes('int longest = 9;');
  const { found, asked } = await search(versions, 'read', text => text.includes('length > 5'), isBroken);
  expect(typeof found === 'object' && textOf(found.pair.old, 'reader.c')).toBe(
    versions.new['reader.c']
      .replace('> 5', '> longest')
      .replace('  int length', '  static const int longest = 9;\n  int length'),
  );
  expect(asked.length).toBeLessThanOrEqual(2);
});

test('a function that is in old as it would be put into new is not asked about twice', async () => {
  const versions = { old: filesOf(oldReader, 1000, 'stack[9]'), new: filesOf(withCondition, 5000, '**task') };
  const { events } = await search(versions, 'read', text => text.includes('return 5000'));
  expect(events.flatMap(event => (event.type === 'pass' ? [event.pass] : []))).not.toContain('functions to take back');
});

test('a function in the middle of a change comes as a whole too, although no change is its own', async () => {
  const big = (limit: string) => `${withCondition}
/* Of another module. */
static const int most = 3;

int check(int length)
{
  if (length > ${limit}) {
    return -1;
  }
  return tested(length);
}
`;
  const [before, after] = [oldReader, big('5')];
  const versions = {
    old: {
      ...filesOf(before, 1000, 'stack[9]'),
      'reader.c': `${big('9').replace(withCondition, '')}\n${others(1000)}\n${before}`,
    },
    new: { ...filesOf(after, 5000, '**task'), 'reader.c': `${others(5000)}\n${after}` },
  };
  const isBroken = (text: string) => isBrokenReader(text) || !text.includes('int check(');
  const { found, asked } = await search(versions, 'read', text => text.includes('length > 5'), isBroken);
  expect(typeof found === 'object' && textOf(found.pair.old, 'reader.c')).toContain('if (length > 9)');
  expect(asked.length).toBeLessThanOrEqual(6 + 6);
});
