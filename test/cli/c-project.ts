/**
 * Two versions of a small C program, about sixty hunks apart over seven files. The new one crashes, because one hunk lost a
 * bound. Among the changes: a file that is renamed and edited, a function that gets another parameter (header, definition and
 * call do not compile without each other), macros, a table of data, comments, and many hunks in functions that nobody calls.
 */
type Files = Readonly<Record<string, string>>;

const parts = ['list', 'table', 'parse', 'text', 'stats'] as const;
const perFile = 11;

/** Functions far enough apart for hunks of their own. Those with an even number are called by the program. */
function functionsOf(part: string, isNew: boolean): string {
  return Array.from({ length: perFile }, (_, i) => {
    const factor = isNew && i !== 4 ? i + 12 : i + 2;
    return [
      `/* ${part} ${i}${isNew && i === 4 ? ', which is said better now' : ''} */`,
      `int ${part}_${i}(int value) {`,
      '  int sum = 0;',
      '  for (int k = 0; k < 3; k++) {',
      '    sum += value;',
      `    sum ^= ${factor} * k;`,
      '  }',
      '  if (sum < 0)',
      '    sum = -sum;',
      '  sum %= 9973;',
      '  return sum;',
      '}',
      '',
    ].join('\n');
  }).join('\n');
}

function slot(isNew: boolean): string {
  return [
    '#include "all.h"',
    '',
    'static int cells[SLOTS];',
    '',
    '/* Where a key lies. */',
    isNew ? 'int slot_of(int key, int step) {' : 'int slot_of(int key) {',
    isNew ? '  return (key + step) & 0xffffff;' : '  return key & 0xffffff;',
    '}',
    '',
    '/* What lies under a key. */',
    'int *cell_at(int key) {',
    '  int place = key;',
    '  if (place < 0)',
    '    return 0;',
    isNew ? '  if (place == SLOTS)' : '  if (place >= SLOTS)',
    '    return 0;',
    '  return &cells[place];',
    '}',
    '',
  ].join('\n');
}

function header(isNew: boolean): string {
  const declared = parts.flatMap(part => Array.from({ length: perFile }, (_, i) => `int ${part}_${i}(int value);`));
  return [
    '#ifndef ALL_H',
    '#define ALL_H',
    '',
    `#define SLOTS ${isNew ? 96 : 64}`,
    '',
    '#define LEAST 1',
    '',
    ...declared,
    '',
    isNew ? 'int slot_of(int key, int step);' : 'int slot_of(int key);',
    'int *cell_at(int key);',
    'extern const int primes[];',
    '',
    '#endif',
    '',
  ].join('\n');
}

function main(isNew: boolean): string {
  const calls = parts.flatMap(part => [0, 2, 4].map(i => `  total += ${part}_${i}(total);`));
  return [
    '#include <stdio.h>',
    '#include <stdlib.h>',
    '#include "all.h"',
    '',
    'int main(int argc, char **argv) {',
    '  int total = argc > 1 ? atoi(argv[1]) : 7;',
    ...calls,
    '  total += primes[3];',
    '',
    isNew ? '  int place = slot_of(50000000, 1);' : '  int place = slot_of(50000000);',
    '  int *cell = cell_at(place);',
    '  if (cell)',
    '    *cell = total;',
    '',
    isNew ? '  puts("done");' : '  puts("Done.");',
    '  return 0;',
    '}',
    '',
  ].join('\n');
}

const makefile = `CFLAGS ?= -g -O0
SOURCES := $(sort $(wildcard src/*.c))
OBJECTS := $(SOURCES:.c=.o)
program: $(OBJECTS)
\t$(CC) $(CFLAGS) -o $@ $(OBJECTS)
%.o: %.c src/all.h
\t$(CC) $(CFLAGS) -c -o $@ $<
`;

export function cProject(isNew: boolean): Files {
  const body = (part: string) => `#include "all.h"\n\n${functionsOf(part, isNew)}`;
  return {
    Makefile: makefile,
    'NOTES.md': isNew ? '# What is new\n\nMuch.\n' : '# Notes\n\nNothing.\n',
    'src/all.h': header(isNew),
    'src/main.c': main(isNew),
    'src/slot.c': slot(isNew),
    'src/primes.c': `#include "all.h"\nconst int primes[] = {\n  2,\n  3,\n  ${isNew ? 55 : 5},\n  7,\n};\n`,
    'src/list.c': body('list'),
    'src/table.c': body('table'),
    'src/parse.c': body('parse'),
    [isNew ? 'src/words.c' : 'src/text.c']: body('text'),
    'src/stats.c': body('stats'),
  };
}
