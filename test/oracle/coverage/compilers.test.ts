/** A program whose build knows nothing of coverage is compiled with it, and nothing else changes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { wrapCompilers } from '../../../src/oracle/coverage/compilers.js';
import { type Coverage, gcovEnvironment, readGcovCoverage } from '../../../src/oracle/coverage/index.js';
import { folderSnapshot } from '../../../src/sources/versions/snapshot.js';
import { folder, inScratch, writeFolder } from '../../circumstances/changes/folders.js';

const has = (...programs: readonly string[]): boolean =>
  process.env.CI !== undefined || programs.every(name => spawnSync(name, ['--version']).status === 0);

/** Not a part of what the tests need. */
const isThere = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

const files = {
  'main.c': [
    '#include <stdio.h>', // 1
    '#include <string.h>', // 2
    'int used(int x);', // 3
    'int unused(int x) {', // 4
    '  return x + 1;', // 5
    '}', // 6
    'int main(int argc, char **argv) {', // 7
    '  int *nowhere = 0;', // 8
    '  if (argc > 1 && strcmp(argv[1], "crash") == 0)', // 9
    '    *nowhere = 1;', // 10
    '  if (argc > 2)', // 11
    '    return unused(argc);', // 12
    '  printf("%d\\n", used(argc));', // 13
    '  return 3;', // 14
    '}', // 15
    '',
  ].join('\n'),
  'lib.c': 'static inline int small(int x) {\n  return x;\n}\nint used(int x) {\n  return small(x);\n}\n',
  'other.c': 'int main(void) {\n  return 0;\n}\n',
};

interface Ended {
  readonly coverage: Coverage;
  readonly status: number | null;
  readonly stdout: string;
  /** What is in the folder of the program afterwards. */
  readonly left: readonly string[];
}

/** Runs a shell line in the folder of a program, with compilers that add coverage. `$made`: a folder that is not in it. */
const run = (line: string, more: Readonly<Record<string, string>> = {}, exactness: 'exact' | 'optimised' = 'exact') =>
  inScratch(root => {
    const [tree, reports, made] = [join(root, 'tree'), join(root, 'coverage'), join(root, 'made')];
    for (const each of [reports, made]) mkdirSync(each);
    writeFolder(tree, folder(files));
    const around = { ...process.env, ...more };
    const env = { ...around, ...wrapCompilers(reports, around, exactness), ...gcovEnvironment(reports), made };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: tree, env, encoding: 'utf8' });
    expect(stderr.replace(/Segmentation fault.*\n/, '')).toBe('');
    const coverage = readGcovCoverage({ root: tree, folder: reports, files: folderSnapshot(tree) });
    return { coverage, status, stdout, left: readdirSync(tree).sort() } satisfies Ended;
  });

const sorted = (lines: ReadonlySet<number> | undefined): number[] => [...(lines ?? [])].sort((a, b) => a - b);
const sources = Object.keys(files).sort();
const ranIn = { main: [7, 8, 9, 11, 13, 14, 15], lib: [1, 2, 3, 4, 5, 6] };

function expectLines({ coverage, status, stdout }: Ended): void {
  expect([status, stdout]).toEqual([3, '1\n']);
  expect(sorted(coverage.executed.get('main.c'))).toEqual(ranIn.main);
  expect(sorted(coverage.executed.get('lib.c'))).toEqual(ranIn.lib);
}

test.skipIf(!has('gcc', 'gcov'))(
  'objects next to the sources or in a folder that is deleted again, and nothing of ours is left (needs gcc, gcov)',
  async () => {
    const compiled = await run(
      'cc -O2 -D_FORTIFY_SOURCE=2 -Wall -Werror -c main.c lib.c && cc -o program *.o && ./program',
    );
    expectLines(compiled);
    expect(compiled.left).toEqual([...sources, 'lib.o', 'main.o', 'program'].sort());
    const deleted = await run(
      'gcc -O2 -o "$made/program" main.c lib.c && "$made/program"; s=$?; rm -r "$made"; exit $s',
    );
    expectLines(deleted);
    expect(deleted.left).toEqual(sources);
    expectLines(await run('mkdir o && cd o && gcc -c -o m.o ../main.c && cc -c ../lib.c -o l.o && cc *.o && ./a.out'));
    expectLines(
      await run('cp *.c "$made" && cd "$made" && cc -c -o m.o main.c && cc -o program m.o lib.c && ./program'),
    );
  },
);

test.skipIf(!has('gcc', 'gcov'))(
  'a library that is linked from its sources, and a program without a name (needs gcc)',
  async () => {
    const compiled = await run('cc -shared -fPIC -o liblib.so lib.c && cc main.c ./liblib.so && ./a.out');
    expectLines(compiled);
    expect(compiled.left).toEqual([...sources, 'a.out', 'liblib.so'].sort());
  },
);

test.skipIf(!has('gcc', 'gcov'))('a crash, also of a program that is optimised (needs gcc, gcov)', async () => {
  for (const exactness of ['exact', 'optimised'] as const) {
    const { coverage, status } = await run('cc -O1 -o p main.c lib.c && ./p crash', {}, exactness);
    expect(status).toBe(139);
    expect(sorted(coverage.executed.get('main.c'))).toEqual(expect.arrayContaining([7, 9, 10]));
    expect(sorted(coverage.executed.get('main.c'))).not.toContain(5);
  }
  expect(
    sorted((await run('cc -O2 -o p main.c lib.c && ./p', {}, 'optimised')).coverage.executed.get('lib.c')),
  ).toEqual(ranIn.lib);
});

test.skipIf(!has('gcc', 'gcov'))('an error that a sanitizer reports keeps its exit code (needs gcc)', async () => {
  const program =
    'int idle(void) {\\n  return 1;\\n}\\nint main(void) {\\n  char x[2];\\n  volatile int i = 2;\\n  x[i] = 1;\\n  return 0;\\n}\\n';
  const { coverage, status } = await run(
    `printf '${program}' > bad.c && cc -fsanitize=address -o bad bad.c && ./bad 2> said; s=$?; grep -q stack-buffer-overflow said && exit $s`,
  );
  expect(status).toBe(1);
  expect(sorted(coverage.executed.get('bad.c'))).toEqual([4, 5, 6, 7, 8, 9]);
});

test.skipIf(!has('gcc', 'gcov'))(
  'a program that is compiled again after it has run keeps its counts, and one that never runs has none (needs gcc, gcov)',
  async () => {
    const { coverage } = await run(
      'cc -o p main.c lib.c; ./p; cc -DAGAIN -o p main.c lib.c; ./p a b; cc -c -o other.o other.c; exit 0',
    );
    expect(sorted(coverage.executed.get('main.c'))).toEqual([4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]);
    expect(sorted(coverage.executed.get('other.c'))).toEqual([]);
  },
);

test.skipIf(!has('gcc', 'gcov'))(
  'what does not compile, and questions to the compiler, are answered by the compiler itself (needs gcc)',
  async () => {
    for (const line of [
      'cc --version',
      'gcc -print-search-dirs',
      'cc -E -P lib.c',
      'cc -MM main.c',
      'cc -S -O1 -o - lib.c',
      'cc -dumpversion; echo "int x = ;" > bad.c; cc -c bad.c 2>&1',
      'echo "int f(void) { return 1; }" | cc -x c -c -o f.o - && nm f.o',
    ]) {
      const plain = await inScratch(root => {
        writeFolder(root, folder(files));
        return spawnSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' });
      });
      const { status, stdout } = await run(line);
      expect([line, status, stdout]).toEqual([line, plain.status, plain.stdout]);
    }
  },
);

test.skipIf(!has('gcc', 'gcov'))(
  'CC as a path, make, and a cache of objects are followed (needs gcc, make)',
  async () => {
    const makefile = 'p: main.o lib.o\\n\\t$(CC) -o p main.o lib.o\\n';
    const gcc = spawnSync('sh', ['-c', 'command -v gcc'], { encoding: 'utf8' }).stdout.trim();
    expectLines(await run(`printf '${makefile}' > Makefile && make -s && ./p`, { CC: `${gcc} -g` }));
    expectLines(await run('$CC -o p main.c lib.c && ./p', { CC: gcc }));
    if (isThere('ccache')) {
      expectLines(await run('ccache gcc -c main.c && ccache gcc -c lib.c && cc *.o && ./a.out'));
      const masked = { PATH: `/usr/lib/ccache${delimiter}${process.env.PATH}` };
      expectLines(await run('gcc -c main.c && gcc -c lib.c && cc *.o && ./a.out', masked));
    }
  },
);

/** It links with its profile runtime, which is a package of its own. The notes of a probe go where it is. */
const probe = (name: string): string =>
  `cd "$(mktemp -d)" && echo 'int main(void) { return 0; }' > p.c && ${name} --coverage -o p p.c; s=$?; rm -r "$PWD"; exit $s`;
const clang = ['clang', 'clang-14', 'clang-16'].find(
  name => isThere(name) && spawnSync('sh', ['-c', probe(name)], { stdio: 'ignore' }).status === 0,
);

test.skipIf(!clang || !isThere('llvm-cov'))('clang, if llvm-cov is there (needs clang and its runtime)', async () => {
  for (const line of [
    `${clang} -O2 -c main.c lib.c && ${clang} -o p *.o && ./p`,
    `cd "$made" && ${clang} -o p "$OLDPWD/main.c" "$OLDPWD/lib.c" && ./p`,
  ]) {
    const { coverage, status } = await run(line);
    expect(status).toBe(3);
    expect(sorted(coverage.executed.get('main.c'))).toEqual(ranIn.main);
    // Where a function ends is not said: its last brace is undecided.
    expect(sorted(coverage.executed.get('lib.c'))).toEqual([1, 2, 4, 5]);
  }
});
