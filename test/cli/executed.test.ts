/** An input that is a program: code that did not run goes first, and what was seen is a part of the transcript. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';
import { stableWithout } from './stable.js';

/** Each module is loaded and registers functions, and one of them is called: no file can be removed alone. */
const modules = 12;
const functions = 20;
const names = Array.from({ length: modules }, (_, i) => `m${i}`);
const each = (text: (i: number) => string): string => Array.from({ length: functions }, (_, i) => text(i)).join('');

const inNode = {
  ...Object.fromEntries(
    names.map(name => [
      `app/${name}.js`,
      each(
        i =>
          `exports.f${i} = function (a, b) {\n  var c = a * ${i} + b;\n  if (c > 3) c = exports.f${i}(b, a);\n  return c;\n};\n`,
      ),
    ]),
  ),
  'app/main.js': `${names.map(name => `var ${name} = require('./${name}');\n`).join('')}
var all = {};
[${names.join(', ')}].forEach(function (m) {
  for (var key in m) all[key] = m[key];
  if (m.f0.length !== 2) throw new Error('incomplete');
});
if (all.f1(0, 1) === 1) throw new Error('BOOM');
`,
};

const inPython = {
  ...Object.fromEntries(
    names.map(name => [
      `app/${name}.py`,
      each(i => `def f${i}(a, b):\n    c = a * ${i} + b\n    if c > 3:\n        c = f${i}(b, a)\n    return c\n\n`),
    ]),
  ),
  'app/main.py': `${names.map(name => `import ${name}\n`).join('')}
for m in [${names.join(', ')}]:
    if m.f0.__code__.co_argcount != 2:
        raise SystemExit(4)
if m0.f1(0, 1) == 1:
    raise ValueError('BOOM')
`,
};

const inRuby = {
  ...Object.fromEntries(
    names.map((name, k) => [
      `app/${name}.rb`,
      each(
        i =>
          `def ${name}_f${i}(a, b)\n  c = a * ${i} + b\n  c += 1 if a == ${i}\n  if c > ${k + 3}\n    c = ${name}_f${i}(b, a)\n  end\n  c\nend\n\n`,
      ),
    ]),
  ),
  'app/main.rb': `${names.map(name => `require_relative '${name}'\n`).join('')}
[${names.map(name => `:${name}_f0`).join(', ')}].each do |name|
  exit 4 if method(name).arity != 2
end
raise 'BOOM' if m0_f1(0, 1) == 1
`,
};

interface Result {
  readonly tests: number;
  readonly after: { readonly bytes: number };
  readonly ended: string;
}

const most = '12';
const first = (args: readonly string[], command: readonly string[], cwd: string) =>
  culprit(['reduce', 'app', '--json', '--timeout', '60', '--force', ...args, '--', ...command], { cwd });
const bytesIn = ({ stdout }: { readonly stdout: string }): number => (JSON.parse(stdout) as Result).after.bytes;
const coverageIn = (cwd: string): number =>
  readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8').match(/"noted":"not executed in /g)?.length ?? 0;

test.each([
  [
    'node',
    inNode,
    [process.execPath, 'app/main.js'],
    ['env', '-u', 'NODE_V8_COVERAGE', process.execPath, 'app/main.js'],
  ],
  ['python', inPython, ['python3', '-B', 'app/main.py'], ['python3', '-B', '-E', '-S', 'app/main.py']],
] as const)(
  '%s: after the same number of tests, much less is left than without coverage',
  async (_, files, command, blind) => {
    const cwd = folderWith(files);
    const [seen, unseen] = [
      await first(['--run', 'r', '--max-tests', most], command, cwd),
      await first(['--run', 'b', '--max-tests', most], blind, cwd),
    ];
    expect(seen.code, seen.stderr).toBe(3);
    expect(bytesIn(seen) * 2).toBeLessThan(bytesIn(unseen));
    // Again after statements of what starts it had gone, and after a call became its value: what it called does not run any more.
    expect(coverageIn(cwd)).toBe(3);
  },
);

test('what a Ruby program did not run is known, and left out', async () => {
  const cwd = folderWith(inRuby);
  // Files of Ruby share their names, and at other levels those alone say what is not needed.
  const few = ['--run', 'r', '--level', 'syntactic', '--max-tests', '40'];
  const { stderr } = await first(few, ['ruby', 'app/main.rb'], cwd);
  // Again after values, and when half of it was gone.
  expect(coverageIn(cwd)).toBe(3);
  const noted = readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8')
    .split('\n')
    .find(line => line.includes('"noted":"not executed in '));
  expect(Object.keys(JSON.parse(noted!).value)).toContain('app/m0.rb');
  expect(stderr).toContain('code that did not run: removed');
});

test('a test script starts the program itself', async () => {
  // It is not enough to throw the same error.
  const script = `#!/bin/sh\n'${process.execPath}' app/main.js 2>&1 | grep -q BOOM && grep -q require app/main.js\n`;
  const cwd = folderWith({ ...inNode, 't.sh': script });
  const run = await first(['--run', 'r', '--interesting', '--max-tests', '8'], ['sh', join(cwd, 't.sh')], cwd);
  expect(run.stderr).toContain('code that did not run');
  expect(coverageIn(cwd)).toBe(3);
});

/** Neither half is enough, and what is left in the end is small. */
const long = (i: number): string => `exports.f${i} = function (a) {\n${`  a = a * ${i} + 1;\n`.repeat(300)}};\n`;
const inTwoFiles = {
  'app/lib.js': `var x = 1;\n${long(1)}${long(2)}x++;\n${long(3)}${long(4)}exports.x = x;\n`,
  'app/main.js': "if (require('./lib').x === 2) throw 'BOOM';\n",
};

/** A program that runs the scripts of a page, as jsdom does. */
const run = `const { readFileSync } = require('fs');
const vm = require('vm');
const context = vm.createContext({ said: [] });
for (const [, code] of readFileSync('app/a.html', 'utf8').matchAll(/<script>([^]*?)<.script>/g))
  try { new vm.Script(code).runInContext(context); } catch { }
if (context.said.join() === 'sum,4') throw 'BOOM';
`;
const inPage = {
  'app/a.html': `<p>Sums</p>\n<script>\nvar exports = {}, unused, idle;\n${inTwoFiles['app/lib.js']}</script>
<script>\nvar two = exports.x;\nsaid.push('sum');\nsaid.push(two + exports.x);\n</script>\n`,
  'run.js': run,
};

test.each([
  ['a folder of modules', inTwoFiles, 'app/main.js'],
  ['a page', inPage, 'run.js'],
] as const)('%s: the same on one worker, and on two with a break; and verify agrees', async (_, files, start) => {
  const cwd = folderWith(files);
  const command = [process.execPath, start === 'run.js' ? join(cwd, start) : start];
  const stable = stableWithout('run', 'output');
  const whole = await first(['--run', 'r', '-j', '1', '-o', 'one'], command, cwd);
  expect(whole.code, whole.stderr).toBe(0);
  const stopped = await first(['--run', 'r3', '-j', '2', '-o', 'three', '--max-tests', '3'], command, cwd);
  expect(stopped.code).toBe(3);
  const resumed = await culprit(['resume', 'r3'], { cwd });
  expect(stable(resumed.stdout)).toEqual(stable(whole.stdout));
  // Again when half of it was gone, or when what starts it had changed.
  expect(coverageIn(cwd)).toBe(2);
  expect(readdirSync(join(cwd, 'three'))).toEqual(readdirSync(join(cwd, 'one')));
  const verified = await culprit(['verify', 'r', '--json'], { cwd });
  expect(JSON.parse(verified.stdout)).toMatchObject({ state: 'holds', refuted: [] });
});

/** Neither half is enough, and the interpreter dies, so it can't say at its end what it ran. */
const dying = {
  php: `<?php\n$x = 1;\n${[1, 2, 3, 4].map(i => `function f${i}($a) {\n${`  $a = $a * ${i} + 1;\n`.repeat(200)}  return $a;\n}\nif ($x === ${i}) $x = ${i} + 1;\n`).join('')}
function again($n) { return array_map('again', [$n . 'x']); }
if ($x === 5) again('re' . 'curse');
`,
  lua: `local x = 1\n${[1, 2, 3, 4].map(i => `function f${i}(a)\n${`  a = a * ${i} + 1\n`.repeat(200)}  return a\nend\nif x == ${i} then x = ${i} + 1 end\n`).join('')}
local name = 'a' .. 'bc'
if x == 5 and #name == 3 then os.execute('kill -9 $PPID') end
`,
};

test.each([
  ['php', 'php'],
  ['lua', 'lua5.4'],
] as const)(
  'a script of %s that a signal kills: what did not run goes in one question (needs %s)',
  async (kind, program) => {
    if (process.env.CI === undefined && spawnSync(program, ['-v']).status !== 0) return;
    const cwd = folderWith({ [`a.${kind}`]: dying[kind] });
    const args = ['reduce', `a.${kind}`, '-j', '1', '--run', 'r', '--json', '--max-tests', '12'];
    const { code, stderr, stdout } = await culprit([...args, '--', program, '{}'], { cwd });
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('code that did not run: removed');
    expect(bytesIn({ stdout })).toBeLessThan(dying[kind].length / 20);
  },
);

/** `last` is wrong for one text, and everything before it is only there to call it. */
const inLayers = {
  'app/main.js': `const { first } = require('./lib/first.js');\nfor (const text of ['a b', 'c,d', 'e;f']) console.log(first(text).join('|'));\n`,
  'app/lib/first.js': `const { last } = require('./last.js');\n${[1, 2, 4, 5].map(long).join('')}let n = 0;\nfor (const key in exports) n += exports[key].length + String(exports[key](1)).length;\nexports.first = text => { n++; return n > 0 ? last(text, n > 0) : []; };\n`,
  'app/lib/last.js': `${long(3)}exports.last = (text, isOn) => isOn ? text.split(/[ ,]/) : [];\n`,
};

test('a program starts later, the same on any number of workers and after a break; and verify agrees', async () => {
  const kept = "grep -q require app/main.js && grep -qF '[ ,]' app/lib/last.js";
  const script = `'${process.execPath}' app/main.js | grep -q 'e;f' && ${kept}\n`;
  const cwd = folderWith({ ...inLayers, 't.sh': script });
  const stable = stableWithout('run', 'output');
  const upTo = (tests: string, ...more: string[]) =>
    first(['--interesting', '--max-tests', tests, ...more], ['sh', join(cwd, 't.sh')], cwd);
  const whole = await upTo('40', '--run', 'r', '-j', '1', '-o', 'one');
  expect(whole.code, whole.stderr).toBe(3);
  expect(whole.stderr).toContain('calls that start it later');
  const journal = readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8');
  expect(journal).toMatch(/"noted":"printed by [\s\S]*"noted":"calls in /);
  const stopped = await upTo('8', '--run', 'r3', '-j', '2', '-o', 'three');
  expect(stopped.code).toBe(3);
  const resumed = await culprit(['resume', 'r3', '--max-tests', '40'], { cwd });
  expect(stable(resumed.stdout)).toEqual(stable(whole.stdout));
  const verified = await culprit(['verify', 'r', '--json'], { cwd });
  expect(JSON.parse(verified.stdout)).toMatchObject({ refuted: [] });
});

const hasCompiler = process.env.CI !== undefined || spawnSync('gcc', ['--version']).status === 0;

/** A table holds all functions, so none of them can be removed alone; the last one that is called ends the program. */
const inC = (count: number): string => {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const made = numbers.map(
    i =>
      `static int f${i}(int a, int b) {\n  int c = a * ${i} + b;\n  if (c > ${i + 3})\n    c = abs(b) + a;\n  else if (c < -5) {\n    puts("small");\n    return b;\n  }\n  return c;\n}\n`,
  );
  return `#include <stdio.h>
#include <stdlib.h>
${made.join('')}
static int (*const all[])(int, int) = {${numbers.map(i => `f${i}`).join(', ')}};
int main(void) {
  int sum = 0, i;
  for (i = 0; i < 2; i++) sum += all[i](i, 1);
  if (sum < 0) return 3;
  if (all[2](sum, 1) > 0) abort();
  return 0;
}
`;
};
const compiling = (run: string): string => `gcc -w -Werror=return-type -o a app.c || exit 9\n${run}\n`;

test.skipIf(!hasCompiler)(
  'a C program that the test compiles, and that a signal kills: what did not run is left out (needs gcc)',
  async () => {
    const cwd = folderWith({
      'app.c': inC(functions),
      't.sh': compiling('exec ./a'),
      'blind.sh': compiling('exec env -u CULPRIT_RAN ./a'),
    });
    const reduced = (script: string, run: string) =>
      culprit(
        [
          'reduce',
          'app.c',
          '--json',
          '--timeout',
          '60',
          '--force',
          '--run',
          run,
          '--max-tests',
          most,
          '--',
          'sh',
          join(cwd, script),
        ],
        { cwd },
      );
    const [seen, unseen] = [await reduced('t.sh', 'r'), await reduced('blind.sh', 'b')];
    expect(seen.code, seen.stderr).toBe(3);
    expect(seen.stderr).toContain('SIGABRT');
    expect(seen.stderr).toContain('code that did not run: removed');
    expect(bytesIn(seen) * 2).toBeLessThan(bytesIn(unseen));
    expect(coverageIn(cwd)).toBeGreaterThan(0);
  },
);

test.skipIf(!hasCompiler)('a C program: the same on any number of workers, and after a break (needs gcc)', async () => {
  const cwd = folderWith({
    'app.c': inC(3),
    't.sh': compiling('./a; [ $? = 134 ]'),
  });
  const reduce = (run: string, ...args: readonly string[]) =>
    culprit(
      [
        'reduce',
        'app.c',
        '--json',
        '--interesting',
        '--timeout',
        '60',
        '--force',
        '--run',
        run,
        '-o',
        `${run}.c`,
        ...args,
        '--',
        'sh',
        join(cwd, 't.sh'),
      ],
      { cwd },
    );
  const stable = stableWithout('run', 'output');
  const whole = await reduce('r', '-j', '1');
  expect(whole.code, whole.stderr).toBe(0);
  expect(coverageIn(cwd)).toBeGreaterThan(0);
  // Its expressions report their values too, and what follows from them is a part of the transcript.
  expect(readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8')).toMatch(
    /"noted":"values in [^"]*","value":\{"app\.c":\[\[\d/,
  );
  expect(stable((await reduce('r8', '-j', '8')).stdout)).toEqual(stable(whole.stdout));
  expect((await reduce('r2', '-j', '2', '--max-tests', '3')).code).toBe(3);
  expect(stable((await culprit(['resume', 'r2'], { cwd })).stdout)).toEqual(stable(whole.stdout));
  const verified = await culprit(['verify', 'r', '--json'], { cwd });
  expect(JSON.parse(verified.stdout)).toMatchObject({ state: 'holds', refuted: [] });
});
