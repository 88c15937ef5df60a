import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';
import { harOf } from './small-har.js';

/** How many random command lines are tried; the law must hold for any number. */
const numRuns = Number(process.env.CULPRIT_NOTHING_LOST_RUNS ?? 16);

const har = harOf(['/a', '/BOOM']);

const recording = JSON.stringify({
  title: 'x',
  steps: [
    { type: 'navigate', url: 'http://127.0.0.1:1/' },
    { type: 'click', selectors: [['#a']], offsetX: 1, offsetY: 1 },
  ],
});

const readJs = `const fs = require('node:fs');
fs.appendFileSync(process.env.LOG, 'run\\n');
const text = fs.readFileSync(process.argv[2], 'utf8');
if (text.includes('BOOM')) throw new Error('boom');
`;

/** A folder that holds inputs, and everywhere files of the user's with names that culprit likes too. */
function world(): { readonly root: string; readonly cwd: string; readonly log: string } {
  const mine = (folder: string, ...names: readonly string[]) =>
    Object.fromEntries(names.map(name => [`w/${folder}/${name}`, `mine: ${folder}/${name}\n`]));
  const root = folderWith({
    'log/ran': '',
    'w/t.sh': '#!/bin/sh\necho run >> "$LOG"\nif grep -rq BOOM "$1"; then echo "Error: boom" >&2; exit 3; fi\n',
    'w/args.sh': '#!/bin/sh\necho run >> "$LOG"\ncase "$*" in *BOOM*) echo "Error: boom" >&2; exit 3;; esac\n',
    'w/env.sh': '#!/bin/sh\necho run >> "$LOG"\nif [ -n "$BOOM" ]; then echo "Error: boom" >&2; exit 3; fi\n',
    'w/in/ok.txt': 'a\nb\n',
    'w/in/bad.txt': 'a\nBOOM\n',
    'w/src/a.txt': 'x\nBOOM\n',
    'w/src/b.txt': 'y\n',
    'w/good/a.txt': 'x\n',
    'w/f.env': 'A=1\nBOOM=1\n',
    'w/p.env': 'A=1\n',
    'w/s.har': har,
    'w/rec.json': recording,
    'w/work.js': "require('node:fs').appendFileSync(process.env.LOG, 'run\\n'); setTimeout(() => {}, 1);\n",
    'w/read.js': readJs,
    'w/one.test.js': "require('node:test').test('one', () => {});\n",
    'w/file.txt': 'mine\n',
    ...mine('in', 'notes.txt', 'bad.reduced.txt', 'bad.isolated/mine.txt'),
    ...mine('out', 'keep.txt', 'culprit.patch', 'difference.txt'),
    ...mine('out.old', 'keep.txt'),
    ...mine('out.new', 'keep.txt'),
    ...mine('src.reduced', 'keep.txt'),
    ...mine('bad.isolated', 'keep.txt'),
    ...mine('culprit.changes', 'culprit.patch'),
    ...mine('.', 'original/a', 'best/a', 'other-failures/a', 'salt', 'report.html', 'summary.json', 'lock'),
    ...mine('run', 'journal.jsonl', 'original/a', 'best/a', 'lock', 'salt'),
  });
  const cwd = join(root, 'w');
  mkdirSync(join(cwd, 'empty'));
  symlinkSync('in/bad.txt', join(cwd, 'link-to-bad'));
  symlinkSync('in', join(cwd, 'link-to-in'));
  symlinkSync('nowhere', join(cwd, 'dangling'));
  linkSync(join(cwd, 'in/bad.txt'), join(cwd, 'hard'));
  return { root, cwd, log: join(root, 'log/ran') };
}

type Tree = ReadonlyMap<string, string>;

function treeOf(root: string): Tree {
  const tree = new Map<string, string>();
  const read = (path: string): void => {
    for (const name of readdirSync(join(root, path))) {
      const inner = path === '' ? name : `${path}/${name}`;
      const stats = lstatSync(join(root, inner));
      if (stats.isDirectory()) {
        tree.set(inner, 'folder');
        read(inner);
      } else if (stats.isSymbolicLink()) tree.set(inner, `-> ${readlinkSync(join(root, inner))}`);
      else tree.set(inner, `${stats.mode} ${readFileSync(join(root, inner), 'latin1')}`);
    }
  };
  read('');
  tree.delete('log/ran');
  return tree;
}

/**
 * Runs it, and demands that all that was there is there, except a file that --force names; that nothing new is in an input;
 * that a refusal ran no test and wrote nothing.
 */
async function lose(each: Line) {
  const args = words(each);
  const { root, cwd, log } = world();
  const before = treeOf(root);
  const inputs = commands[each.command]![0].slice(1).filter(word => before.has(`w/${word}`));
  const ended = await culprit(args, { cwd, env: { LOG: log, CULPRIT_BROWSER: '/nowhere/chromium' } });
  const after = treeOf(root);
  const lost = [...before].filter(([path, content]) => after.get(path) !== content).map(([path]) => path);
  const forced = each.force && each.output !== undefined ? `w/${each.output}` : undefined;
  const context = `culprit ${args.join(' ')}\n${ended.stderr}`;
  expect(
    lost.filter(path => path !== forced || inputs.some(input => `${path}/`.startsWith(`w/${input}/`))),
    context,
  ).toEqual([]);
  expect([0, 1, 2, 3], context).toContain(ended.code);
  expect(ended.stderr, context).not.toMatch(/^ {4}at /m);
  const added = [...after.keys()].filter(path => !before.has(path));
  expect(
    added.filter(path => inputs.some(input => path.startsWith(`w/${input}/`))),
    context,
  ).toEqual([]);
  if (ended.code === 2) expect([added, readFileSync(log, 'utf8')], context).toEqual([[], '']);
  return { ...ended, cwd, added };
}

const ends = ['--', 'sh', '$W/t.sh', '{}'] as const;
const commands: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  'reduce file': [['reduce', 'in/bad.txt'], ends],
  'reduce folder': [['reduce', 'src'], ends],
  'reduce both': [
    ['reduce', 'in/bad.txt', 'src'],
    ['--', 'sh', '$W/t.sh', '.'],
  ],
  isolate: [['isolate', 'in/ok.txt', 'in/bad.txt'], ends],
  'isolate folders': [['isolate', 'good', 'src'], ends],
  changes: [['changes', 'good', 'src', '--coverage', 'none'], ends],
  options: [['options'], ['--', './args.sh', '-a', 'BOOM', '-c']],
  env: [
    ['env', '--failing', 'f.env'],
    ['--', '/bin/sh', './env.sh'],
  ],
  'env pair': [
    ['env', '--failing', 'f.env', '--passing', 'p.env'],
    ['--', '/bin/sh', './env.sh'],
  ],
  traffic: [
    ['traffic', 's.har', '--serve'],
    ['--', './args.sh', 'BOOM'],
  ],
  // There is no browser, so it is refused before anything is replayed; outputs and run folders are looked at before that.
  actions: [['actions', 'rec.json'], []],
  schedules: [
    ['schedules', '--tries', '1'],
    ['--', 'node', 'work.js'],
  ],
  states: [
    ['states', '--passing', 'in/ok.txt', '--failing', 'in/bad.txt', '--places', '1'],
    ['--', 'node', './read.js', '{}'],
  ],
  tests: [['tests'], ['--', 'node', '--test', 'one.test.js']],
};

interface Line {
  readonly command: string;
  readonly output: string | undefined;
  readonly run: string | undefined;
  readonly force: boolean;
}

const words = ({ command, output, run, force }: Line): readonly string[] => {
  const [before, after] = commands[command]!;
  return [
    ...before,
    ...['-j', '1', '--max-tests', '6', '--timeout', '60'],
    ...(output === undefined ? [] : ['-o', output]),
    ...(run === undefined ? [] : ['--run', run]),
    ...(force ? ['--force'] : []),
    // The command runs in a folder of its own; relative words that name files are found, {} is replaced.
    ...after.map(word => word.replace('$W/', './')),
  ];
};

const places = [
  ...['.', '..', 'in', 'in/bad.txt', 'in/new', 'src', 'src/new', 'src/a.txt', 'out', 'src.reduced', 'best', 'original'],
  ...['link-to-bad', 'link-to-in', 'link-to-in/new', 'dangling', 'hard', 'file.txt', 'empty', 't.sh', 's.har', 'f.env'],
  ...['run', 'run/new', 'fresh', 'fresh.txt', 'none/new'],
];
const line: fc.Arbitrary<Line> = fc.record({
  command: fc.constantFrom(...Object.keys(commands)),
  output: fc.option(fc.constantFrom(...places), { nil: undefined }),
  run: fc.option(fc.constantFrom(...places), { nil: undefined, freq: 2 }),
  force: fc.integer({ min: 0, max: 3 }).map(n => n === 0),
});

test('whatever --output and --run name, everything that was there is there afterwards, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(line, async each => void (await lose(each))),
    { numRuns, endOnFailure: true },
  );
}, 600_000);

const bare = { output: undefined, run: undefined, force: false };
test.each(Object.keys(commands))('%s into a file of the user is refused', async command => {
  const { code, stderr } = await lose({ ...bare, command, output: 'file.txt' });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/already exists|is a file|did not write/)]);
});

test.each<[string, Line, RegExp]>([
  ['isolate into the folder of its inputs', { ...bare, command: 'isolate', output: 'in' }, /contains the original/],
  ['isolate around its inputs', { ...bare, command: 'isolate', output: '.' }, /contains the original/],
  [
    'isolate with a folder of that name',
    { ...bare, command: 'isolate', output: undefined },
    /bad\.isolated already exists/,
  ],
  ['reduce with a folder of that name', { ...bare, command: 'reduce folder' }, /src\.reduced already exists/],
  ['reduce with a file of that name', { ...bare, command: 'reduce file' }, /bad\.reduced\.txt already exists/],
  ['changes with patches of the user', { ...bare, command: 'changes' }, /culprit\.changes already exists/],
  [
    'a run in a folder of the user',
    { ...bare, command: 'reduce file', output: 'fresh', run: '.' },
    /--run .* contains the original|culprit did not write/,
  ],
  [
    'a run where another seems to be',
    { ...bare, command: 'options', run: 'run' },
    /contains another run|culprit did not write/,
  ],
  [
    'a run in an input',
    { ...bare, command: 'reduce folder', output: 'fresh', run: 'src/new' },
    /is inside the original/,
  ],
  ['a link to an input', { ...bare, command: 'reduce file', output: 'link-to-bad', force: true }, /is the original/],
  ['a hard link to an input', { ...bare, command: 'reduce file', output: 'hard', force: true }, /is the original/],
  ['a link to nothing', { ...bare, command: 'reduce file', output: 'dangling', force: true }, /is a link/],
  ['a folder by force', { ...bare, command: 'isolate', output: 'out', force: true }, /culprit did not write it/],
])('%s is refused', async (_, each, sentence) => {
  const { code, stderr } = await lose(each);
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});

test('folders of the user beside the result that culprit would have used stay, and the result is there', async () => {
  const { code, added } = await lose({ ...bare, command: 'reduce folder', output: 'empty' });
  expect([0, 3]).toContain(code);
  expect(added).toContain('w/empty/a.txt');
  expect(added.filter(path => path.includes('.tmp-'))).toEqual([]);
});

test('a result is replaced by the next run while it is what culprit wrote, and never after somebody changed it', async () => {
  const { cwd, log } = world();
  const how = { cwd, env: { LOG: log } };
  const again = (command: string, output: string, force = false) =>
    culprit(words({ ...bare, command, output, force }), how);
  for (const [command, output, file] of [
    ['reduce file', 'fresh.txt', 'fresh.txt'],
    ['reduce folder', 'fresh', 'fresh/a.txt'],
    ['isolate', 'pair', 'pair/failing/bad.txt'],
  ] as const) {
    expect([0, 3]).toContain((await again(command, output)).code);
    const second = await again(command, output);
    expect([0, 3], second.stderr).toContain(second.code);
    expect(second.stderr).toMatch(/the result of .*, will be replaced\./);
    writeFileSync(join(cwd, file), 'edited BOOM\n');
    const third = await again(command, output);
    expect([third.code, third.stderr]).toEqual([2, expect.stringContaining('was changed since culprit wrote it')]);
    expect(readFileSync(join(cwd, file), 'utf8')).toBe('edited BOOM\n');
  }
  const forced = await again('reduce file', 'fresh.txt', true);
  expect([0, 3], forced.stderr).toContain(forced.code);
  expect(readFileSync(join(cwd, 'fresh.txt'), 'utf8')).not.toContain('edited');
  expect(readFileSync(join(cwd, '.culprit/.gitignore'), 'utf8')).toMatch(/^\*$/m);
  expect(readFileSync(join(cwd, 'pair/.gitignore'), 'utf8')).toMatch(/^\*$/m);
  expect(existsSync(join(cwd, 'fresh/.gitignore'))).toBe(false);
});

test('a result that somebody changes during the run is left to them', async () => {
  const { cwd, log } = world();
  const mine = 'echo mine > "$OUT"; sh ./t.sh {}';
  const env = { LOG: log, OUT: join(cwd, 'fresh.txt') };
  const { code, stderr } = await culprit(
    ['reduce', 'in/bad.txt', '-j', '1', '-o', 'fresh.txt', '--', mine.replace('./t.sh', join(cwd, 't.sh'))],
    { cwd, env },
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining('was changed by someone else during the run')]);
  expect(readFileSync(join(cwd, 'fresh.txt'), 'utf8')).toBe('mine\n');
});
