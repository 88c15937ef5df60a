import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
}, 120_000);

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
