import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith, main } from './culprit.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const action = readFileSync(join(root, 'action.yml'), 'utf8');

/** The main step of the action as GitHub runs it, with the variables that the file sets. */
function runStep(cwd: string, inputs: Readonly<Record<string, string>>) {
  const files = folderWith({ output: '', summary: '' });
  const names = [...action.matchAll(/^ {8}(CULPRIT_\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)];
  const set = Object.fromEntries(names.map(([, name, input]) => [name!, inputs[input!] ?? '']));
  const step = /^ {6}run: (node .*)$/m.exec(action)![1]!;
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', step], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: join(files, 'output'),
      GITHUB_STEP_SUMMARY: join(files, 'summary'),
      CULPRIT_CLI: main,
      ...set,
    },
  });
  const outputs = Object.fromEntries(
    [...readFileSync(join(files, 'output'), 'utf8').matchAll(/^(\w+)<<(.*)\n([\s\S]*?)\n\2$/gm)].map(all => [
      all[1],
      all[3],
    ]),
  );
  return { status, stdout, stderr, outputs, summary: readFileSync(join(files, 'summary'), 'utf8') };
}

test('on a broken commit the steps name the line, in the summary, as an annotation and as SARIF', () => {
  const sum = 'exports.sum = (a, b) => {\n  const result = a + b;\n  return result;\n};\n';
  const cwd = folderWith({
    'sum.js': sum,
    'check.js': "if (require('./sum.js').sum(1, 2) !== 3) throw new Error('wrong sum');\n",
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' }).trim();
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'works');
  const before = git('rev-parse', 'HEAD');
  writeFileSync(join(cwd, 'sum.js'), `// Adds.\n${sum.replace('a + b', 'a - b')}`);
  git('commit', '-qam', 'breaks');
  const { status, stdout, stderr, outputs, summary } = runStep(cwd, {
    run: 'changes',
    command: 'node check.js',
    before,
    'max-time': '300',
  });
  expect(stderr).not.toMatch(/bug in culprit/);
  expect(status).toBe(0);
  expect(summary).toContain('To blame: **sum.js');
  expect(summary).toContain('+  const result = a - b;');
  expect(stdout).toContain('::error file=sum.js,line=3,endLine=3,title=culprit::');
  expect(outputs.ended).toBe('done');
  expect(existsSync(outputs.page!)).toBe(true);
  expect(JSON.parse(readFileSync(join(cwd, outputs.sarif!), 'utf8')).runs[0].results).toHaveLength(1);
});

test('`run: reduce` names the smallest input', () => {
  const cwd = folderWith({ 'in.txt': 'one\ntwo\nBAD\nthree\n', 'check.sh': '! grep BAD "$1" || exit 3\n' });
  const { status, outputs, summary } = runStep(cwd, { run: 'reduce', command: 'sh check.sh {}', inputs: 'in.txt' });
  expect(status).toBe(0);
  const { output } = JSON.parse(outputs.json!);
  expect(readFileSync(output, 'utf8').trim()).toBe('BAD');
  expect(summary).toContain(`The smallest input that fails: \`${output}\``);
  expect(readFileSync(outputs.page!, 'utf8')).toContain('<html');
});

test('`run: tests` names the test that another one fails after', () => {
  const cwd = folderWith({
    'a.js': "describe('user', () => { it('logs in', () => { process.env.WHO = 'ann'; }); it('waits', () => {}); });\n",
    'b.js':
      "describe('cart', () => { it('clears', () => { if (process.env.WHO) throw new Error('not empty'); }); });\n",
  });
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const { status, outputs, summary } = runStep(cwd, { run: 'tests', command: 'npx mocha *.js' });
  expect(status).toBe(0);
  expect(summary).toContain('`b.js › cart › clears` fails only after `a.js › user › logs in`.');
  expect(existsSync(outputs.page!)).toBe(true);
});

test('`run: tests` with a file that only has to be loaded says so', () => {
  const cwd = folderWith({
    'a.js': "it('fails', () => { if (globalThis.broken) throw new Error('broken'); });\n",
    'b.js': "globalThis.broken = true; it('is innocent', () => {});\n",
  });
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const { status, summary } = runStep(cwd, { run: 'tests', command: 'npx mocha *.js' });
  expect(status).toBe(0);
  expect(summary).toContain('`a.js › fails` fails only if `b.js` is loaded.');
});

test('`run: triage` lists the groups, each with the smallest text that fails', () => {
  const tool = 'grep -q AAA "$1" && { echo "Error: no such thing" >&2; exit 3; }\n! grep -q BBB "$1" || exit 4\n';
  const cwd = folderWith({
    'tool.sh': tool,
    ...{ 'crashes/1': 'one AAA two\n', 'crashes/2': 'AAA\nthree\n', 'crashes/3': 'four BBB five\n' },
  });
  const { status, outputs, summary } = runStep(cwd, { run: 'triage', command: 'sh tool.sh {}', inputs: 'crashes' });
  expect(status).toBe(0);
  expect(summary).toContain('2 groups of failures:');
  expect(summary).toMatch(/- `.*no such thing.*`: 2 inputs, smallest: `AAA`/);
  expect(summary).toMatch(/- `.*4.*`: 1 input, smallest: `BBB`/);
  expect(existsSync(outputs.page!)).toBe(true);
});

test('the step before does nothing if culprit is built already', () => {
  const step = /name: Install culprit\n.*\n {6}run: (.*)$/m.exec(action)![1]!;
  const built = folderWith({ 'dist/cli/main.js': '' });
  const { status, stdout } = spawnSync('/bin/sh', ['-c', step], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GITHUB_ACTION_PATH: built },
  });
  expect([status, stdout]).toEqual([0, '']);
});

test.each([
  ['an unknown job', { run: 'guess', command: 'x' }, 'run must be changes, reduce, tests or triage'],
  ['no command', { run: 'reduce', command: ' ' }, 'There is no command'],
  ['the first push of a branch', { run: 'changes', command: 'x', before: '0000000' }, 'no commit to compare with'],
  ['an input that is missing', { run: 'reduce', command: 'x {}', inputs: 'none.txt' }, 'none.txt'],
])('%s is refused with a sentence in the summary', (_, inputs, sentence) => {
  const { status, outputs, summary } = runStep(folderWith(), inputs);
  expect(status).toBe(2);
  expect(outputs.ended).toBe('error');
  expect(summary).toContain(sentence);
});

test('every input that the action uses is one that it declares', () => {
  const declared = [...action.split('outputs:')[0]!.matchAll(/^ {2}([\w-]+):$/gm)].map(all => all[1]);
  const used = [...action.matchAll(/inputs\.([\w-]+)/g)].map(all => all[1]);
  expect(used.filter(name => !declared.includes(name))).toEqual([]);
  expect(declared.filter(name => !used.includes(name))).toEqual([]);
});
