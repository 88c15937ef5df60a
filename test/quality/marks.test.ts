import { expect, test } from 'vitest';
import { freeNames } from '../../src/circumstances/tree/typescript.js';
import { nested } from './needs.js';
import { reach } from './reach.js';

test('what --keep matches is in every text on the way and in the result, once for each time', async () => {
  const text =
    'int unused(void) { return 1; }\nint kept_a = 10, other = 2;\nint main(void) { int kept_b = 20; return crash(kept_a); }\n';
  const keep = /kept_\w+ = \d+/;
  const { accepted, text: end } = await reach('a.c', text, one => /crash\(.*\)/.test(one), { keep });
  for (const one of [...accepted, end]) expect(one.match(/kept_\w+ = \d+/g)).toEqual(['kept_a = 10', 'kept_b = 20']);
});

test('what a culprit-keep comment marks stays in every text on the way', async () => {
  const text = 'first();\n// culprit-keep\nsecond(1, 2);\nthird();\ncrash();\n';
  const { accepted, text: end } = await reach('a.js', text, one => one.includes('crash'));
  for (const one of [...accepted, end]) expect(one).toContain('// culprit-keep\nsecond(1, 2);');
});

test('without renaming every name of the result is a name of the original', async () => {
  const text =
    'const veryLong = {};\nfunction alsoLong(parameter) {\n  return crash(parameter, veryLong);\n}\nalsoLong(veryLong);\n';
  const isFailing = await nested('javascript', [/^function_declaration$/, /^call_expression$/], /^crash\(\w+, ?\w+\)$/);
  const { text: end } = await reach('a.js', text, isFailing, { rename: false });
  for (const name of end.match(/[a-zA-Z]\w*/g)!) expect(text.match(/[a-zA-Z]\w*/g)).toContain(name);
});

const script = `import { open, close } from 'files';
const limit = 10, twice = n => n * 2;
class Store {
  constructor(name) { this.name = name; }
  add(value) { return twice(value) > limit ? open(this.name) : close(value); }
}
function run(names) {
  const store = new Store('x');
  for (const name of names) { const size = name.length; if (store.add(size)) crash(size, limit); }
}
run(['a', 'b']);
`;

test('at the semantic level no accepted script refers to what is not declared', async () => {
  const isFailing = await nested('javascript', [/^for_in_statement$/, /^call_expression$/], /^crash\(.+,.+\)$/s);
  const before = await freeNames(script, 'javascript');
  const { accepted, text } = await reach('a.js', script, isFailing, { level: 'semantic' });
  for (const one of [...accepted, text])
    expect(
      [...(await freeNames(one, 'javascript'))].filter(name => !before.has(name)),
      one,
    ).toEqual([]);
});

const program = `struct pair { int left; int right; };
static int limit = 10;
static int twice(int n) { return n * 2; }
static int sum(struct pair p, int more) { int total = p.left + more; return twice(total) > limit ? total : p.right; }
int main(void) {
  struct pair p;
  int i, found = 0;
  for (i = 0; i < limit; i++) { int now = sum(p, i); found += crash(now, found); }
  return found;
}
`;

test('at the semantic level no accepted program refers to what is not declared', async () => {
  const isFailing = await nested('c', [/^for_statement$/, /^call_expression$/], /^crash\(.+,.+\)$/s);
  const known = /^(struct|static|int|return|void|for|crash|main|if|else)$/;
  const { accepted, text } = await reach('a.c', program, isFailing, { level: 'semantic' });
  for (const one of [...accepted, text]) {
    const names = new Set(one.match(/[a-zA-Z]\w*/g)!.filter(name => !known.test(name)));
    const declared = (name: string) => new RegExp(`(?:int|struct|struct \\w+|int [^;(){}]*,)\\s+${name}\\b`).test(one);
    expect(
      [...names].filter(name => !declared(name)),
      one,
    ).toEqual([]);
  }
});
