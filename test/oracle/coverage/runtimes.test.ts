/** Every runtime reports the lines that ran, and changes nothing else for the program. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Coverage, CoverageName } from '../../../src/oracle/coverage/index.js';
import { runtimes, runtimesFor } from '../../../src/oracle/coverage/runtimes/index.js';
import { judgeLines } from '../../../src/oracle/coverage/runtimes/reported-lines.js';
import { folder, inScratch, writeFolder } from '../../circumstances/changes/folders.js';

type Texts = Readonly<Record<string, string>>;

const has = (program: string): boolean =>
  process.env.CI !== undefined || spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

interface Ended {
  readonly coverage: Coverage;
  readonly watched: readonly unknown[];
  readonly plain: readonly unknown[];
}

/** Runs a program with an agent and without, in the same folder. */
const run = (name: CoverageName, files: Texts, argv: readonly string[]): Promise<Ended> =>
  inScratch(root => {
    const [tree, reports] = [join(root, 'tree'), join(root, 'coverage')];
    mkdirSync(reports);
    const snapshot = folder(files);
    writeFolder(tree, snapshot);
    const runtime = runtimes.find(each => each.name === name)!;
    const { PYTHONDONTWRITEBYTECODE: _, ...env } = process.env;
    const start = (more: Texts) => {
      const [program = '', ...args] = argv;
      const { status, signal, stdout, stderr } = spawnSync(program, args, { cwd: tree, env: { ...env, ...more } });
      return [status, signal, `${stdout}`, `${stderr}`];
    };
    const watched = start(runtime.environment(reports, env));
    return { coverage: runtime.read({ folder: reports, root: tree, files: snapshot }), watched, plain: start({}) };
  });

/** Each line of a file with a mark: + executed, ? undecided, - neither. */
const marks = ({ executed, undecided }: Coverage, path: string, text: string): string =>
  text
    .split('\n')
    .map((_, i) => (executed.get(path)?.has(i + 1) ? '+' : undecided.get(path)?.has(i + 1) ? '?' : '-'))
    .join('');

/** Lines of code, each after the mark that it must get; blank lines may have any. */
function marked(...lines: readonly string[]): { readonly text: string; readonly marks: string } {
  return { text: lines.map(line => line.slice(2)).join('\n'), marks: lines.map(line => line[0]).join('') };
}

const python = marked(
  '- """What this module',
  '- is for."""',
  '+ import os',
  '+ import sys',
  '-',
  '+ TABLE = {',
  '+     "one": 1,',
  '+     "two": 2,',
  '+ }',
  '-',
  '-',
  '+ def called(',
  '+     x,',
  '+     y=2,',
  '+ ):',
  '-     """Not code."""',
  '+     if (x and',
  '+             x > 9):',
  '-         return (1 +',
  '-                 2)',
  '+     elif x == 1:',
  '+         found = [x,',
  '+                  y]',
  '-     else:',
  '-         found = None',
  '+     try:',
  '+         int("z")',
  '+     except (ValueError,',
  '+             KeyError):',
  '+         found = 3',
  '+     finally:',
  '+         y = 4',
  '+     return found',
  '-',
  '-',
  '? @staticmethod',
  '? def idle(x,',
  '?          y):',
  '-     return x',
  '-',
  '-',
  '+ class Thing:',
  '-     "Not code."',
  '-',
  '?     def idle(self):',
  '-         return 1',
  '-',
  '-',
  '+ def child():',
  '+     return 5',
  '-',
  '-',
  '+ if os.fork() == 0:',
  '+     child()',
  '+     os._exit(0)',
  '+ os.wait()',
  '+ called(1)',
  '+ sys.exit(3)',
);

test.skipIf(!has('python3'))(
  'Python: a statement counts as a whole, a function that is only defined is undecided, a docstring is no code',
  async () => {
    const { coverage, watched, plain } = await run('python', { 'main.py': python.text }, ['python3', 'main.py']);
    expect(watched).toEqual(plain);
    expect(plain[0]).toBe(3);
    expect(marks(coverage, 'main.py', python.text)).toBe(python.marks);
  },
);

test.skipIf(!has('python3'))('Python: processes that are started, forked or replaced report, too', async () => {
  const files = {
    'main.py': [
      'import multiprocessing, os, subprocess, sys, work',
      "if __name__ == '__main__':",
      "    multiprocessing.get_context('fork').Pool(1).map(work.mapped, [1])",
      "    subprocess.run([sys.executable, 'started.py'])",
      "    os.execv(sys.executable, [sys.executable, 'replaced.py'])",
    ].join('\n'),
    'work.py': 'def mapped(x):\n    return x\n',
    'started.py': 'x = 1\n',
    'replaced.py': 'raise SystemExit(6)\n',
  };
  const { coverage, watched, plain } = await run('python', files, ['python3', 'main.py']);
  expect(watched).toEqual(plain);
  expect(plain[0]).toBe(6);
  expect(marks(coverage, 'main.py', files['main.py'])).toBe('+++++');
  expect(coverage.executed.get('started.py')?.has(1)).toBe(true);
  expect(coverage.executed.get('replaced.py')?.has(1)).toBe(true);
});

test.skipIf(!has('python3'))(
  'Python: a test that sets PYTHONPATH for the program is watched all the same',
  async () => {
    const files = { 'main.py': 'import lib\nlib.f()\n', 'src/lib.py': 'def f():\n    return 1\n' };
    const { coverage, watched, plain } = await run('python', files, ['sh', '-c', 'PYTHONPATH=src python3 main.py']);
    expect(watched).toEqual(plain);
    expect(marks(coverage, 'src/lib.py', files['src/lib.py'])).toBe('++-');
  },
);

const hasPytest = has('pytest');

test.skipIf(!has('python3') || !hasPytest)('Python: tests that pytest runs (needs pytest)', async () => {
  const files = {
    'lib.py': 'def used():\n    return 1\n\n\ndef unused():\n    return 2\n',
    'test_lib.py': 'import lib\n\n\ndef test_used():\n    assert lib.used() == 2\n',
  };
  const { coverage, watched } = await run('python', files, ['pytest', '-q', '-p', 'no:cacheprovider', 'test_lib.py']);
  expect(watched[0]).toBe(1);
  expect(marks(coverage, 'lib.py', files['lib.py'])).toMatch(/^\+\+--\?-/);
});

const ruby = marked(
  '+ TABLE = {',
  '+   one: 1,',
  '+   two: 2,',
  '+ }',
  '+ def called(x,',
  '+            y = 2)',
  '+   if x > 9',
  '-     return 1',
  '+   end',
  '+   [x,',
  '+    y].each do |each|',
  '+     $found = each',
  '+   end',
  '+ end',
  '? def idle(x)',
  '-   x + 1',
  '- end',
  '+ fork { called(2) }',
  '+ Process.wait',
  '+ at_exit { puts "bye" }',
  '+ called(1)',
  '+ raise "oh"',
);

test.skipIf(!has('ruby'))('Ruby: the script itself, and what it forks; how it ends stays the same', async () => {
  const { coverage, watched, plain } = await run('ruby', { 'main.rb': ruby.text }, ['ruby', 'main.rb']);
  expect(watched).toEqual(plain);
  expect(plain[0]).toBe(1);
  expect(marks(coverage, 'main.rb', ruby.text)).toBe(ruby.marks);
});

const perl = marked(
  '+ package Lib;',
  '+ our %table = (',
  '+   one => 1,',
  '+   two => [ map { $_ }',
  '+     1 .. 2 ],',
  '+ );',
  '+ sub called {',
  '+   my ($x) = @_;',
  '+   if ($x > 9) {',
  '-     return 1;',
  '+   }',
  '+   return',
  '+     join ",", $x;',
  '+ }',
  '? sub idle {',
  '-   my ($x) = @_;',
  '-   return $x',
  '-     + 1;',
  '- }',
  '+ 1;',
);

test.skipIf(!has('perl'))('Perl: modules, handlers and exit codes stay as they are', async () => {
  const files = {
    'Lib.pm': perl.text,
    'main.pl': [
      'use strict; use warnings; use lib "."; use Lib;',
      'print join(" ", @INC, Lib::called(1), caller(0) ? 1 : 0), "\\n";',
      '$SIG{__DIE__} = sub { print "handler: $_[0]" };',
      '$SIG{TERM} = sub { print "caught\\n" };',
      'kill TERM => $$;',
      'my $child = fork; exit 7 if !$child;',
      'waitpid $child, 0; print $? >> 8, "\\n";',
      'eval { die "first\\n" }; print $@;',
      'END { print "end $?\\n"; $? = 9 if $? == 4 }',
      '$! = 4; die "last\\n";',
    ].join('\n'),
  };
  const { coverage, watched, plain } = await run('perl', files, ['perl', 'main.pl']);
  expect(watched).toEqual(plain);
  expect(plain[0]).toBe(9);
  expect(marks(coverage, 'Lib.pm', perl.text)).toBe(perl.marks);
});

test('an agent that cannot write its report changes nothing', async () => {
  for (const [name, file, argv] of [
    ['python', 'main.py', ['python3', 'main.py']],
    ['ruby', 'main.rb', ['ruby', 'main.rb']],
    ['perl', 'main.pl', ['perl', 'main.pl']],
  ] as const) {
    if (!has(argv[0])) continue;
    const runtime = runtimes.find(each => each.name === name)!;
    await inScratch(root => {
      writeFolder(root, folder({ [`tree/${file}`]: 'exit(3)\n' }));
      mkdirSync(join(root, 'coverage'));
      const more = runtime.environment(join(root, 'coverage'), process.env);
      const env = { ...process.env, ...more, CULPRIT_COVERAGE: join(root, 'nowhere') };
      const { status, stderr } = spawnSync(argv[0], argv.slice(1), { cwd: join(root, 'tree'), env });
      expect([name, status, `${stderr}`]).toEqual([name, 3, '']);
    });
  }
});

test('agents watch only where a file is theirs, by its name or by its first line', () => {
  const names = (files: Texts) => runtimesFor(folder(files)).map(({ name }) => name);
  expect(names({ 'a.c': '' })).toEqual(['v8']);
  expect(names({ 'a.py': '', 'b.pm': '' })).toEqual(['v8', 'python', 'perl']);
  expect(names({ 'bin/tool': '#!/usr/bin/env ruby\n' })).toEqual(['v8', 'ruby']);
  expect(names({ 'bin/tool': '#!/usr/bin/perl -w\n', 'note.txt': '# python\n' })).toEqual(['v8', 'perl']);
});

test('a line without a step belongs to its neighbours in the same function', () => {
  const scopes = new Map([
    ['3 6', { first: 3, last: 6 }],
    ['7 9', { first: 7, last: 9 }],
  ]);
  const { executed, undecided } = judgeLines({ ran: new Set([1, 4]), listed: new Set([1, 4, 8]), scopes }, 10);
  expect([...executed]).toEqual([1, 2, 3, 4, 5, 6, 10]);
  expect([...undecided]).toEqual([7]);
});
