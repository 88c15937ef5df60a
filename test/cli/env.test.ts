import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { culprit, folderWith, lines, start, until } from './culprit.js';

const example = fileURLToPath(new URL('../../examples/environment/', import.meta.url));
const secret = 'hunter2-is-the-word';

/** Fails with MODE=…x… and a token, and prints the token as careless programs do. */
const app = `#!/bin/sh
case "$MODE" in *x*) case "$API_TOKEN" in hunter*) echo "Error: refused $API_TOKEN" >&2; exit 3 ;; esac ;; esac
exit 0
`;
const failing = `# captured\nA=1\nMODE=abcxdef\nAPI_TOKEN=${secret}\nDB_PASSWORD=another-secret\nB=2\nPATH=/usr/bin:/bin\n`;
const files = { 'app.sh': app, 'failing.env': failing };
const transcript = (run: string) =>
  lines(join(run, 'journal.jsonl'))
    .filter(line => line.includes('"type":"answered"'))
    .map(line => JSON.parse(line).event);

/** Every file below a folder that holds a text. */
const holding = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(item => item.isFile() && readFileSync(join(item.parentPath, item.name), 'utf8').includes(text))
    .map(item => item.name);

test('the variables that matter are left, and no secret is written or printed anywhere', async () => {
  const cwd = folderWith(files);
  const args = ['env', '--failing', 'failing.env', '--json', '--verbose', '--run', 'run', '--', './app.sh'];
  const { code, stdout, stderr } = await culprit(args, { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    job: 'env',
    ended: 'done',
    minimal: ['variable', 'entry', 'character'],
    before: { deltas: 6 },
    after: { deltas: 2 },
    output: join(cwd, 'failing.reduced.env'),
    signature: 'exit 3: Error: refused ••••••',
    variables: { MODE: 'x', API_TOKEN: '••••••' },
  });
  expect(stderr).toContain(`env -i MODE=x "API_TOKEN=$API_TOKEN" ./app.sh`);
  expect(stderr).toContain('API_TOKEN: needed, but not written to the result');
  expect(readFileSync(join(cwd, 'failing.reduced.env'), 'utf8')).toMatch(/^MODE=x\n# API_TOKEN=… needed/m);
  for (const hidden of [secret, 'another-secret']) {
    expect(stdout + stderr).not.toContain(hidden);
    expect(holding(cwd, hidden)).toEqual(['failing.env']);
  }
});

test('the transcript is the same on 1 and 4 workers, and for a run that was stopped and resumed', async () => {
  const cwd = folderWith(files);
  const run = (name: string, ...more: string[]) =>
    culprit(['env', '--failing', 'failing.env', '--run', name, ...more, '--', './app.sh'], { cwd });
  expect((await run('one', '-j', '1')).code).toBe(0);
  expect((await run('four', '-j', '4')).code).toBe(0);
  expect((await run('stopped', '--max-tests', '4')).code).toBe(3);
  writeFileSync(join(cwd, 'failing.env'), failing.replace(secret, 'hunter3').replace('MODE=abcxdef\n', ''));
  const refused = await culprit(['resume', 'stopped'], { cwd });
  expect(refused.stderr).toContain('API_TOKEN is not set in failing.env as when the run began');
  expect(refused.code).toBe(1);
  // What is no secret was kept: only the secrets have to be there again.
  writeFileSync(join(cwd, 'failing.env'), failing.replace('MODE=abcxdef\n', ''));
  expect((await culprit(['resume', 'stopped'], { cwd })).code).toBe(0);
  expect(transcript(join(cwd, 'four'))).toEqual(transcript(join(cwd, 'one')));
  expect(transcript(join(cwd, 'stopped'))).toEqual(transcript(join(cwd, 'one')));
});

test('a run that is killed leaves the fewest variables so far on disk', async () => {
  const many = Array.from({ length: 40 }, (_, i) => `V${i}=${i}\n`).join('');
  const cwd = folderWith({ 'app.sh': app.replace('\n', '\nsleep 0.1\n'), 'failing.env': failing + many });
  const run = start(['env', '--failing', 'failing.env', '--run', 'run', '-j', '1', '--', './app.sh'], { cwd });
  expect(await until(() => existsSync(join(cwd, 'run/best')))).toBe(true);
  run.kill('SIGKILL');
  await run.ended;
  expect(lines(join(cwd, 'run/journal.jsonl')).some(line => line.includes('"type":"ended"'))).toBe(false);
  expect(readdirSync(join(cwd, 'run/best'))).not.toEqual([]);
});

test('without a file, the current environment is simplified', async () => {
  const cwd = folderWith(files);
  const env = { MODE: 'x', API_TOKEN: 'hunter3', NOISE: 'a:b' };
  const { stdout } = await culprit(['env', '--json', '--names-only', '--', './app.sh'], { cwd, env });
  expect(JSON.parse(stdout)).toMatchObject({ minimal: ['variable'], variables: { MODE: 'x', API_TOKEN: '••••••' } });
});

test('a variable that the command cannot start without is not blamed for its success', async () => {
  const cwd = folderWith({ 'app.sh': '#!/usr/bin/env node\nprocess.exit(process.env.X ? 3 : 0)\n' });
  const node = dirname(process.execPath);
  // With this rule every exit but 0 passes, 127 ("node: not found") included: PATH would seem to matter.
  const line = './app.sh; code=$?; [ $code = 127 ] && exit 127; [ $code = 3 ]';
  const env = { X: '1', PATH: `/nowhere:${node}:/usr/bin:/bin` };
  const { stdout } = await culprit(['env', '--interesting', '--json', '--names-only', '--', line], { cwd, env });
  const { variables, unresolved } = JSON.parse(stdout);
  expect(variables).toMatchObject({ X: '1' });
  if (!existsSync('/usr/bin/node')) expect(unresolved).toBeGreaterThan(0);
});

test('of two PATHs, the entry that makes the difference is isolated', async () => {
  const cwd = folderWith({
    'good/tool': '#!/bin/sh\nexit 0\n',
    'bad/tool': '#!/bin/sh\necho "Error: of another vendor" >&2\nexit 4\n',
    'other/x': '',
  });
  const path = (...folders: string[]) => [...folders.map(name => join(cwd, name)), '/usr/bin', '/bin'].join(':');
  writeFileSync(join(cwd, 'a.env'), `# a\nPATH=${path('other', 'good')}\nNAME=a\n`);
  writeFileSync(join(cwd, 'b.env'), `# b\nPATH=${path('bad', 'other', 'good')}\nNAME=b\nEXTRA=1\n`);
  const { code, stdout, stderr } = await culprit(
    ['env', '--passing', 'a.env', '--failing', 'b.env', '--json', '--', 'tool'],
    { cwd },
  );
  expect(stderr).toContain('1-minimal: no single variable or entry can be removed');
  expect(JSON.parse(stdout)).toMatchObject({ before: { deltas: 3 }, after: { deltas: 1 } });
  expect(JSON.parse(stdout).difference).toEqual([expect.stringMatching(/^PATH: /)]);
  expect(readdirSync(join(cwd, 'b.isolated')).sort()).toEqual([
    '.gitignore',
    'difference.txt',
    'failing.env',
    'passing.env',
  ]);
  expect(code).toBe(0);
});

test('of 71 variables that differ between a shell and CI, one makes the difference; of 53 in CI, two matter', async () => {
  const cwd = folderWith();
  cpSync(example, cwd, { recursive: true });
  const command = ['--json', '--', 'node', 'report.js', 'invoices.csv'];
  const pair = await culprit(['env', '--passing', 'shell.env', '--failing', 'ci.env', ...command], { cwd });
  const isolated = JSON.parse(pair.stdout);
  expect(isolated).toMatchObject({ before: { deltas: 71 }, after: { deltas: 1 } });
  expect(isolated.difference[0]).toMatch(
    /^(TZ: "Europe\/Berlin" → "America\/New_York"|LANG: "en_US.UTF-8" → "de_DE.UTF-8")$/,
  );
  const whole = JSON.parse((await culprit(['env', '--failing', 'ci.env', ...command], { cwd })).stdout);
  expect(whole).toMatchObject({ before: { deltas: 53 }, after: { deltas: 2 } });
  expect(whole.variables).toEqual({ LANG: 'de', TZ: 'America/New_York' });
  for (const { before, after, tests, seconds } of [isolated, whole])
    console.info(`env: ${before.deltas} → ${after.deltas}, ${tests} tests, ${seconds} s`);
});

test.each([
  [['--failing', 'none.env', '--', './app.sh'], 2, "none.env can't be read"],
  [['--failing', 'app.sh', '--', './app.sh'], 2, 'No variable was found in app.sh'],
  [['x', '--', './app.sh'], 2, 'takes no input'],
  [['--failing', 'failing.env'], 2, 'No command to run'],
  [['--failing', 'failing.env', '--', './none.sh'], 2, 'Command not found: ./none.sh'],
  [['--failing', 'calm.env', '--', './app.sh'], 1, 'No failure found'],
  [['--failing', 'failing.env', '--passing', 'failing.env', '--', './app.sh'], 1, 'are the same'],
  [['--failing', 'failing.env', '--passing', 'bad.env', '--', './app.sh'], 1, 'fails in the same way in both'],
] as const)('env %j is refused with exit %i: %s', async (args, code, words) => {
  const cwd = folderWith({ ...files, 'calm.env': '# x\nA=1\n', 'bad.env': failing.replace('A=1', 'A=2') });
  const before = readdirSync(cwd);
  const ended = await culprit(['env', ...args], { cwd });
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toMatch(/^ {4}at |hunter/m);
  expect(ended.code).toBe(code);
  expect(readdirSync(cwd).filter(name => name !== '.culprit')).toEqual(before);
});

test('reduce varies the environment and the options too, to the same result on any number of workers', async () => {
  const cwd = folderWith({
    'tool.sh':
      '#!/bin/sh\n[ "$1" = -s ] && [ "$MODE" = fast ] && grep -q BOOM "$2" && { echo "Error: boom" >&2; exit 3; }\nexit 0\n',
    'in.txt': `${'noise\n'.repeat(30)}a BOOM b\n${'noise\n'.repeat(30)}`,
  });
  const env = { MODE: 'fast', MY_TOKEN: secret };
  for (const jobs of ['1', '4']) {
    const args = ['--also', 'env', '--also', 'options', '--json', '-j', jobs, '--run', `r${jobs}`];
    const command = ['--', './tool.sh', '-s', '{}', '-x', '-y'];
    const { code, stdout } = await culprit(['reduce', 'in.txt', ...args, ...command], { cwd, env });
    expect(code).toBe(0);
    const { arguments: left, variables, minimal } = JSON.parse(stdout);
    expect(left).toEqual([join(cwd, 'tool.sh'), '-s', '{}']);
    expect(variables).toEqual({ MODE: 'fast' });
    expect(minimal).toEqual(expect.arrayContaining(['line', 'variable', 'option']));
    expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8').trim()).toBe('BOOM');
    expect(readFileSync(join(cwd, `r${jobs}/command.txt`), 'utf8')).toMatch(/^env -i MODE=fast .*tool\.sh -s /);
  }
  expect(transcript(join(cwd, 'r1'))).toEqual(transcript(join(cwd, 'r4')));
  expect(holding(cwd, secret)).toEqual([]);
  const refused = await culprit(['reduce', 'in.txt', '--also', 'weather', '--', './tool.sh', '{}'], { cwd });
  expect(refused.stderr).toContain('Choose one of: env, options');
  expect(refused.code).toBe(2);
});
