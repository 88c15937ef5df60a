import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith, lines, start, until } from './culprit.js';
import { harOf } from './small-har.js';

/** Runs that end before their search has begun, and what becomes of them. */

const har = harOf(['/a', '/b']);
/** As long as nobody says go, a test takes as long as it is let. */
const slow = (folder: string, isFailing: string) => `#!/bin/sh
echo run >> ${folder}/log
[ -e ${folder}/go ] || sleep 20
if ${isFailing}; then echo "Error: boom" >&2; exit 3; fi
`;
/** Fails if the recording still has an answer to what it asks for. */
const client = `
const { appendFileSync, existsSync } = await import('node:fs');
appendFileSync(process.env.FOLDER + '/log', 'run\\n');
if (!existsSync(process.env.FOLDER + '/go')) await new Promise(resolve => setTimeout(resolve, 20_000));
const { status } = await fetch(new URL('/a', process.env.CULPRIT_URL));
if (status === 200) throw new Error('boom');
`;
const common = ['--run', 'r', '--timeout', '60', '--'];
const commands = {
  reduce: ['reduce', 'in.txt', ...common, './reduce.sh', '{}'],
  env: ['env', '--failing', 'f.env', ...common, '/bin/sh', './env.sh'],
  traffic: ['traffic', 's.har', '--serve', ...common, process.execPath, 'client.mjs'],
};

test.each(
  Object.entries(commands).flatMap(([name, args]) =>
    (['SIGINT', 'SIGKILL'] as const).map(signal => [name, signal, args] as const),
  ),
)('%s that %s ends in its first run can be resumed', async (name, signal, args) => {
  const cwd = folderWith({
    'in.txt': 'a\nBOOM\n',
    's.har': har,
    'f.env': `A=1\nBOOM=1\nPATH=${process.env.PATH}\n`,
    'client.mjs': client,
  });
  writeFileSync(join(cwd, 'reduce.sh'), slow(cwd, 'grep -q BOOM "$1"'), { mode: 0o755 });
  writeFileSync(join(cwd, 'env.sh'), slow(cwd, '[ -n "$BOOM" ]'), { mode: 0o755 });
  const env = { FOLDER: cwd };
  const run = start(args, { cwd, env });
  expect(await until(() => existsSync(join(cwd, 'log')))).toBe(true);
  run.kill(signal);
  const { stderr } = await run.ended;
  if (signal === 'SIGINT') expect(stderr, name).toContain('culprit resume r');
  writeFileSync(join(cwd, 'go'), '');
  const resumed = await culprit(['resume', 'r'], { cwd, env });
  expect(resumed.stderr).not.toMatch(/salt|bug of culprit/);
  expect(resumed.code, resumed.stderr).toBe(0);
});

const stopped = async () => {
  const cwd = folderWith({
    'in.txt': 'a\nb\nBOOM\nc\n',
    't.sh': '#!/bin/sh\necho run >> "$LOG"\n! grep -q BOOM "$1"\n',
  });
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  const args = ['reduce', 'in.txt', '--run', 'r', '--timeout', '60', '--max-tests', '3', '--', './t.sh', '{}'];
  expect((await culprit(args, how)).code).toBe(3);
  writeFileSync(how.env.LOG, '');
  return how;
};

test('a run is not resumed by another version, which would take other steps', async () => {
  const how = await stopped();
  const { Journal, readJournal } = await import('../../src/run/journal.js');
  const path = join(how.cwd, 'r/journal.jsonl');
  const { header } = readJournal(path);
  expect(Object.keys(header.versions)).toEqual(expect.arrayContaining(['culprit', 'web-tree-sitter']));
  const { rmSync } = await import('node:fs');
  rmSync(path);
  Journal.create(path, { ...header, versions: { ...header.versions, culprit: '0.0.1' } }).close();
  const { code, stderr } = await culprit(['resume', 'r'], how);
  expect([code, stderr]).toEqual([1, expect.stringContaining('culprit 0.0.1, now')]);
  expect(lines(how.env.LOG)).toEqual([]);
});

test('an original that is no longer what the run began with is not taken for it', async () => {
  const how = await stopped();
  writeFileSync(join(how.cwd, 'r/original/in.txt'), '');
  const { code, stderr } = await culprit(['resume', 'r'], how);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not what the run began with')]);
  expect(lines(how.env.LOG)).toEqual([]);
});

test('a best that somebody changed is moved aside when the run continues, and is not lost', async () => {
  const how = await stopped();
  writeFileSync(join(how.cwd, 'r/best/notes.txt'), 'mine\n');
  const { code, stderr } = await culprit(['resume', 'r'], how);
  expect([code, stderr]).toEqual([0, expect.stringContaining('best.changed')]);
  expect(readFileSync(join(how.cwd, 'r/best.changed/notes.txt'), 'utf8')).toBe('mine\n');
  expect(readFileSync(join(how.cwd, 'r/best/in.txt'), 'utf8')).toBe('BOOM');
});
