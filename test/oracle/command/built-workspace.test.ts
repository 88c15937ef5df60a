/** Workspaces in which builds stay: what `make` sees of a changed artifact. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Artifact, Entry } from '../../../src/core/artifact.js';
import { openWorkspaces, type Workspaces } from '../../../src/oracle/command/workspace.js';

let workspaces: Workspaces;
afterEach(() => workspaces.close());

const artifact = (texts: Readonly<Record<string, string>>): Artifact => ({
  files: new Map(
    Object.entries(texts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, text]): [string, Entry] => [path, { kind: 'file', bytes: Buffer.from(text), executable: false }]),
  ),
});

/** Puts an artifact, lets `make` run there, and says what it did. */
function make(texts: Readonly<Record<string, string>>, ...targets: readonly string[]): readonly string[] {
  workspaces.put(0, artifact(texts));
  const cwd = workspaces.path(0);
  const said = execFileSync('make', ['--no-print-directory', ...targets], { cwd, encoding: 'utf8' });
  workspaces.built(0);
  return said.split('\n').filter(line => line !== '' && !line.startsWith('make:'));
}

/** Copies a source in place of compiling it, and adds to a library in place of `ar`. */
const makefile = (objects: string) => `lib.a: ${objects}
\t@echo library ${objects}; echo ${objects} >> lib.a
%.o: %.c
\t@echo compile $<; cp $< $@
`;

test('a parser that is shipped beside its grammar is not made again', () => {
  workspaces = openWorkspaces(1, { keeps: true });
  const rules = 'all: parser.o\nparser.o: parser.c\n\t@cp parser.c parser.o\nparser.c: parser.y\n\t@echo generate\n';
  expect(make({ Makefile: rules, 'parser.c': 'one', 'parser.y': 'one' })).toEqual([]);
  expect(make({ Makefile: rules, 'parser.c': 'one', 'parser.y': 'two' })).toEqual([]);
});

test('all files that are put at once have the same time', () => {
  workspaces = openWorkspaces(1, { keeps: true });
  const names = Array.from({ length: 300 }, (_, i) => `${i}.txt`);
  workspaces.put(0, artifact(Object.fromEntries(names.map(name => [name, name]))));
  expect(new Set(names.map(name => lstatSync(join(workspaces.path(0), name)).mtimeMs)).size).toBe(1);
});

test('a source that another one includes is compiled with it, although the makefile does not say so', () => {
  workspaces = openWorkspaces(1, { keeps: true });
  const main = '#include "part.c"\n';
  const rules = 'all: main.o\nmain.o: main.c\n\t@echo compile; cp main.c main.o\n';
  expect(make({ Makefile: rules, 'main.c': main, 'part.c': 'one' })).toEqual(['compile']);
  expect(make({ Makefile: rules, 'main.c': main, 'part.c': 'two' })).toEqual(['compile']);
  expect(make({ Makefile: rules, 'main.c': main, 'part.c': 'two', 'notes.txt': 'three' })).toEqual([]);
});

test('with other rules everything is made again', () => {
  workspaces = openWorkspaces(1, { keeps: true });
  const sources = { 'a.c': 'a', 'b.c': 'b' };
  make({ Makefile: makefile('a.o b.o'), ...sources });
  expect(make({ Makefile: `FLAGS = -O2\n${makefile('a.o b.o')}`, ...sources })).toEqual([
    'compile a.c',
    'compile b.c',
    'library a.o b.o',
  ]);
});

test('what was in a library is not in it any more once its source is gone', () => {
  workspaces = openWorkspaces(1, { keeps: true });
  const rules = makefile('$(patsubst %.c,%.o,$(wildcard *.c))');
  make({ Makefile: rules, 'a.c': 'a', 'b.c': 'b' });
  expect(make({ Makefile: rules, 'a.c': 'a' })).toEqual(['library a.o']);
  expect(execFileSync('cat', ['lib.a'], { cwd: workspaces.path(0), encoding: 'utf8' })).toBe('a.o\n');
});

test('a library that belongs to the artifact stays', () => {
  workspaces = openWorkspaces(1, { keeps: true });
  workspaces.put(0, artifact({ 'given.a': 'a', Makefile: 'one' }));
  mkdirSync(join(workspaces.path(0), 'out'));
  writeFileSync(join(workspaces.path(0), 'out/made.a'), 'b');
  workspaces.built(0);
  workspaces.put(0, artifact({ 'given.a': 'a', Makefile: 'two' }));
  expect(['given.a', 'out/made.a'].map(path => existsSync(join(workspaces.path(0), path)))).toEqual([true, false]);
});
