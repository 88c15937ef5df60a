import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { culprit, folderWith, main, start, until } from './culprit.js';

/** A reader of documents, as programs read them: it wants the index first, and fails on one cell of one page. */
const reader = `import re, sys, zipfile
book = zipfile.ZipFile(sys.argv[1])
if book.namelist()[0] != 'index.xml': raise SystemExit('no index')
for name in book.namelist():
  for span in re.findall(r'span="(-?\\d+)"', book.read(name).decode('latin1')):
    if int(span) < 0: raise ValueError('a negative span')
`;

function documentIn(cwd: string): void {
  const page = (i: number) =>
    `<page>${'<cell span="1">text</cell>\n'.repeat(30)}${i === 4 ? '<cell span="-7"/>' : ''}</page>`;
  const files = {
    'index.xml': '<index/>',
    ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`pages/${i}.xml`, page(i)])),
  };
  const script = `import json, sys, zipfile
with zipfile.ZipFile('book.docx', 'w', zipfile.ZIP_DEFLATED) as book:
  for name, text in json.load(sys.stdin).items(): book.writestr(name, text)
  book.writestr('picture.png', bytes(range(256)) * 20)
`;
  execFileSync('python3', ['-c', script], { cwd, input: JSON.stringify(files) });
}
const membersOf = (cwd: string, name: string): string =>
  execFileSync(
    'python3',
    [
      '-c',
      `import zipfile\nb = zipfile.ZipFile('${name}')\nprint([(n, b.read(n).decode('latin1')) for n in b.namelist()])`,
    ],
    { cwd, encoding: 'utf8' },
  ).trim();
const least = `[('index.xml', ''), ('pages/4.xml', 'span="-7"')]`;

test('a document is reduced by what is in it, and what is left is a document: on any number of workers, and with a proof', async () => {
  const cwd = folderWith({ 'read.py': reader });
  documentIn(cwd);
  const before = readFileSync(join(cwd, 'book.docx'));
  for (const jobs of ['1', '3']) {
    const args = ['reduce', 'book.docx', '-j', jobs, '-o', `out${jobs}.docx`, '--run', `run${jobs}`];
    const { code, stderr } = await culprit([...args, '--', 'python3', 'read.py', '{}'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/book\.docx is a zip file: culprit works on the 8 files in it, [\d,]+ bytes/);
    expect(membersOf(cwd, `out${jobs}.docx`)).toBe(least);
  }
  expect(readFileSync(join(cwd, 'out3.docx')).equals(readFileSync(join(cwd, 'out1.docx')))).toBe(true);
  expect(readFileSync(join(cwd, 'book.docx')).equals(before)).toBe(true);
  const verified = await culprit(['verify', 'run1', '--rerun', 'all', '--certificate', 'c.json'], { cwd });
  expect(verified).toMatchObject({ code: 0, stderr: expect.stringContaining('Holds.') });
  const again = await culprit(['verify', 'c.json', '--rerun', 'all'], { cwd });
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Holds.') });
}, 240_000);

test('a run over a document that was killed goes on to the same document', async () => {
  const cwd = folderWith({ 'read.py': reader });
  documentIn(cwd);
  const run = start(['reduce', 'book.docx', '-j', '1', '--run', 'run', '--', 'python3', 'read.py', '{}'], { cwd });
  const verdicts = () => {
    try {
      return readFileSync(join(cwd, 'run/journal.jsonl'), 'utf8').split('\n').length;
    } catch {
      return 0;
    }
  };
  await until(() => verdicts() > 40);
  run.kill('SIGKILL');
  await run.ended;
  expect((await culprit(['resume', 'run'], { cwd })).code).toBe(0);
  expect(membersOf(cwd, 'book.reduced.docx')).toBe(least);
}, 240_000);

test('a failure that needs the bytes of the archive is reduced by bytes', async () => {
  // It has a name, which a file that is written anew has not.
  const named = Buffer.from(gzipSync('hello'));
  named[3] = 8;
  const input = Buffer.concat([named.subarray(0, 10), Buffer.from('BOOM.txt\0'), named.subarray(10)]);
  const cwd = folderWith({ 'in.gz': input });
  const { code, stderr } = await culprit(['reduce', 'in.gz', '--', 'grep -qa BOOM {} && exit 3'], { cwd });
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('in.gz is a gzip file, but written anew it has another outcome'),
  });
  expect(readFileSync(join(cwd, 'in.reduced.gz'), 'latin1')).toBe('BOOM');
}, 240_000);

test('other failures, and results on standard output, are files that the command can read', async () => {
  const cwd = folderWith({
    'in.gz': gzipSync('one\ntwo\nBOOM\nthree\n'),
    't.sh':
      '#!/bin/sh\ngzip -dc "$1" | grep -q BOOM && exit 3\ngzip -dc "$1" | grep -q two && echo "Error: two" >&2 && exit 4\nexit 0\n',
  });
  const { code, stdout } = await culprit(['reduce', 'in.gz', '-o', 'small.gz', '--json', '--', './t.sh', '{}'], {
    cwd,
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ended: 'done', after: { bytes: 4 } });
  expect(gunzipSync(readFileSync(join(cwd, 'small.gz'))).toString()).toBe('BOOM');
  const [run = ''] = readdirSync(join(cwd, '.culprit')).filter(name => name.startsWith('in-'));
  const others = join(cwd, '.culprit', run, 'other-failures');
  const [other = ''] = readdirSync(others).filter(name => !name.endsWith('.txt'));
  expect(gunzipSync(readFileSync(join(others, other, 'in.gz'))).toString()).toContain('two');
}, 240_000);

test('two documents are compared by what is in them, and all differences are in words that a person can read', async () => {
  const cwd = folderWith({ 'read.py': reader });
  documentIn(cwd);
  const change = `import zipfile
old, new = zipfile.ZipFile('book.docx'), zipfile.ZipFile('good.docx', 'w')
for name in old.namelist():
  text = old.read(name)
  if name == 'pages/4.xml': text = text.replace(b'\\n', b'').replace(b'-7', b'7').replace(b'text', b'text!')
  if name != 'pages/1.xml': new.writestr(name, text)
  else: new.writestr('pages/new.xml', text)
`;
  execFileSync('python3', ['-c', change], { cwd });
  const isolated = await culprit(['isolate', 'good.docx', 'book.docx', '--', 'python3', 'read.py', '{}'], { cwd });
  expect(isolated).toMatchObject({ code: 0, stderr: expect.stringContaining('book.docx/pages/4.xml') });
  const [passing, failing] = ['passing', 'failing'].map(side => membersOf(cwd, `book.isolated/${side}/book.docx`));
  expect(failing).toContain('span="-7"');
  expect(passing!.length).toBeGreaterThan(failing!.length / 2);
  const verified = await culprit(['verify', '--rerun', 'all'], { cwd });
  expect(verified).toMatchObject({ code: 0, stderr: expect.stringContaining('Holds.') });
  const all = await culprit(
    ['isolate', 'good.docx', 'book.docx', '--all', '-o', 'all', '--', 'python3', 'read.py', '{}'],
    { cwd },
  );
  expect(all).toMatchObject({ code: 0, stderr: expect.stringContaining('This is the only cause') });
  expect(Math.max(...all.stderr.split('\n').map(line => line.length))).toBeLessThan(1000);
  expect(membersOf(cwd, 'all/avoids-1/book.docx')).not.toContain('span="-7"');
}, 240_000);

test('triage reduces each archive by what is in it', async () => {
  const text = (word: string) => gzipSync(`${'some line\n'.repeat(50)}${word}\n${'another line\n'.repeat(50)}`);
  const cwd = folderWith({
    't.sh':
      '#!/bin/sh\nfor word in BANG BOOM; do\n  if gzip -dc "$1" | grep -q $word; then echo "Error: $word" >&2; exit 3; fi\ndone\n',
    'crashes/a.gz': text('BANG'),
    'crashes/b.gz': text('BOOM'),
    'crashes/c.gz': text('and BOOM'),
  });
  const { code, stdout } = await culprit(['triage', 'crashes', '--json', '--', './t.sh', '{}'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).groups).toHaveLength(2);
  const forms = readdirSync(join(cwd, 'triage/forms')).map(name => readFileSync(join(cwd, 'triage/forms', name)));
  expect(forms.map(form => gunzipSync(form).toString()).sort()).toEqual(['BANG', 'BOOM']);
}, 240_000);

test('the claim about an archive from standard input can be checked', async () => {
  const cwd = folderWith({ 'in.gz': gzipSync('one\ntwo\nBOOM\nthree\n') });
  const program = `"${process.execPath}" "${main}" reduce - --run run -o out.gz -- 'gzip -dc {} | grep -q BOOM && exit 3' < in.gz`;
  execFileSync('sh', ['-c', program], { cwd, stdio: 'ignore' });
  expect(gunzipSync(readFileSync(join(cwd, 'out.gz'))).toString()).toBe('BOOM');
  const { code, stderr } = await culprit(['verify', 'run', '--rerun', 'all'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Holds.') });
}, 240_000);
