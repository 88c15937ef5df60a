// node generate.cjs <folder> <modules> <functions in each>: writes old/ and new/, two versions of a C program that prints a number.
// Between them, members and macros are renamed, functions get a parameter, and helpers are added, so that hardly any hunk compiles
// alone. All of that keeps the number; one hunk changes it.
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [folder, modules, functions] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const planted = { module: Math.floor(modules * 0.6), function: Math.floor(functions / 2) };

/** Numbers that look random, and are always the same. */
let seed = 7;
const random = below => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % below;
};

const hasFlags = (module, f) => (module * 7 + f * 3) % 5 < 3;
const called = Array.from({ length: modules }, (_, m) =>
  Array.from({ length: functions }, (_, f) => (m === 0 ? undefined : [random(m), random(functions), f])),
);

function headerOf(m, isNew) {
  const [count, base] = isNew ? ['total', 'OFFSET'] : ['count', 'BASE'];
  const lines = [`#ifndef M${m}_H`, `#define M${m}_H`, '', '/* The state of one module. */', `struct m${m}_state {`];
  lines.push(`    int ${count};`, '    int last;', `    int ${isNew ? 'length' : 'len'};`, '};', '');
  lines.push(`#define M${m}_${base} ${m + 3}`, '', '/* Twice a value. */');
  lines.push(isNew ? `#define M${m}_TWICE(a, more) ((a) * 2 + (more))` : `#define M${m}_TWICE(a) ((a) * 2)`, '');
  for (let f = 0; f < functions; f++)
    lines.push(`int m${m}_f${f}(struct m${m}_state *s, int x${isNew && hasFlags(m, f) ? ', int flags' : ''});`, '');
  if (isNew) lines.push(`int m${m}_helper(struct m${m}_state *s, int x);`, '');
  return [...lines, '#endif', ''].join('\n');
}

function functionOf(m, f, isNew) {
  const flags = isNew && hasFlags(m, f) ? ', int flags' : '';
  const isPlanted = m === planted.module && f === planted.function;
  const lines = [`/* ${m}.${f}${isNew && f % 7 === 1 ? ', revised' : ''} */`];
  lines.push(
    `int m${m}_f${f}(struct m${m}_state *s, int x${flags})`,
    '{',
    `    int sum = M${m}_${isNew ? 'OFFSET' : 'BASE'};`,
  );
  lines.push('    if (x < 0)', '        x = -x;', `    s->${isNew ? 'total' : 'count'} += x;`, '    sum += s->last;');
  lines.push('    s->last = x % 5;', isNew ? `    sum += M${m}_TWICE(x, 0);` : `    sum += M${m}_TWICE(x);`);
  lines.push('    while (sum > 10000)', '        sum -= 9973;');
  const callee = called[m][f];
  if (callee) {
    const [other, g] = callee;
    lines.push(`    {`, `        struct m${other}_state inner = { 0, 0, 0 };`);
    lines.push(`        sum += m${other}_f${g}(&inner, x % 3${isNew && hasFlags(other, g) ? ', 0' : ''});`, '    }');
  }
  lines.push('    if (sum >= 0)', `        sum += ${isPlanted && isNew ? 'x % 8' : 'x % 7'};`);
  if (isNew && f % 3 === 0) lines.push(`    sum += m${m}_helper(s, x);`);
  lines.push('    return sum % 997;', '}', '');
  return lines.join('\n');
}

function moduleOf(m, isNew) {
  const headers = [...Array(m + 1).keys()].map(each => `#include "m${each}.h"`);
  const all = Array.from({ length: functions }, (_, f) => functionOf(m, f, isNew));
  const helper = `int m${m}_helper(struct m${m}_state *s, int x)\n{\n    s->length = x;\n    return 0;\n}\n`;
  return [...headers, '', ...(isNew ? [helper] : []), ...all].join('\n');
}

function mainOf(isNew) {
  const lines = ['#include <stdio.h>', ...[...Array(modules).keys()].map(m => `#include "m${m}.h"`), ''];
  lines.push('int main(void)', '{', '    int sum = 0;');
  for (let m = 0; m < modules; m++) {
    lines.push('    {', `        struct m${m}_state s = { 0, 0, 0 };`);
    for (const f of [0, Math.floor(functions / 2), functions - 1])
      lines.push(
        '        sum = sum % 9999;',
        `        sum += m${m}_f${f}(&s, sum % 50 + ${f + 1}${isNew && hasFlags(m, f) ? ', 1' : ''});`,
      );
    lines.push('    }');
  }
  return [...lines, '    printf("%d\\n", sum);', '    return 0;', '}', ''].join('\n');
}

const objects = ['main', ...[...Array(modules).keys()].map(m => `m${m}`)].map(name => `${name}.o`).join(' ');
const makefile = `program: ${objects}\n\t$(CC) $(CFLAGS) -o $@ ${objects}\n%.o: %.c $(wildcard *.h)\n\t$(CC) $(CFLAGS) -c -o $@ $<\n`;
for (const [side, isNew] of [
  ['old', false],
  ['new', true],
]) {
  const write = (name, text) => writeFileSync(join(folder, side, name), text);
  mkdirSync(join(folder, side), { recursive: true });
  write('Makefile', makefile);
  write('main.c', mainOf(isNew));
  for (let m = 0; m < modules; m++) {
    write(`m${m}.h`, headerOf(m, isNew));
    write(`m${m}.c`, moduleOf(m, isNew));
  }
}
