import { expect, test } from 'vitest';
import { grammarOf } from '../../src/syntax/grammars.js';
import { requireLanguage } from '../../src/syntax/languages/index.js';
import { freeNamesReader } from '../../src/syntax/names/typescript.js';
import { type Fails, nested } from './needs.js';
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
  const freeNames = await freeNamesReader('input.jsx');
  const before = freeNames(script);
  const { accepted, text } = await reach('a.js', script, isFailing, { level: 'semantic' });
  for (const one of [...accepted, text])
    expect(
      [...freeNames(one)].filter(name => !before.has(name)),
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

interface Linked {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly fails: () => Fails | Promise<Fails>;
  /** Names that something in the text points at and that are not there, read without culprit. */
  readonly dangling: (text: string) => readonly string[];
  readonly reached: string;
}

const found = (text: string, like: RegExp): readonly string[] => [...text.matchAll(like)].map(match => match[1]!);

function danglingIds(text: string): readonly string[] {
  const ids = new Set(found(text, /\sid\s*=\s*["']?([^\s"'>/]+)/g));
  const pointers = [
    ...found(text, /(?:href|usemap)\s*=\s*["']?#([^\s"'>/]+)/g),
    ...found(text, /url\(#([^\s"')]+)/g),
    ...found(text, /\s(?:for|list|form|headers|aria-labelledby)\s*=\s*["']?([^"'>]+)/g).flatMap(one =>
      one.split(/\s+/),
    ),
  ];
  return pointers.filter(name => name !== '' && name !== 'elsewhere' && !ids.has(name));
}

function danglingLinks(text: string): readonly string[] {
  const labels = new Set(found(text, /^\[([^\]]+)\]:/gm));
  const anchors = new Set(
    found(text, /^#+ +(.*)$/gm).map(one =>
      one
        .trim()
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  return [
    ...[...found(text, /\]\[([^\][]+)\]/g), ...found(text, /\[(\^[^\]]+)\]/g)].filter(name => !labels.has(name)),
    ...found(text, /\]\(#([^)\s]+)/g).filter(name => !anchors.has(name.toLowerCase())),
  ];
}

const pages: readonly Linked[] = [
  {
    what: 'page',
    file: 'a.html',
    text: `<!doctype html>
<html><head><title>Order</title><style>.mark { fill: url(#gradient) } #total { color: red }</style></head>
<body>
<nav><ul><li><a href="#introduction">Introduction</a></li><li><a href="#order-form">Order</a></li><li><a href="#elsewhere">Gone</a></li></ul></nav>
<h1 id="introduction">Introduction</h1><p id="hint">Read this first.</p>
<svg><defs><linearGradient id="gradient"></linearGradient></defs><rect class="mark" fill="url(#gradient)"></rect></svg>
<form id="order-form" aria-labelledby="introduction hint">
<label for="amount">Amount</label><input id="amount" list="amounts"><datalist id="amounts"><option>1</option></datalist>
<table><tr><th id="first-column">Thing</th></tr><tr><td headers="first-column">A pen</td></tr></table>
</form><button form="order-form">Send</button>
</body></html>
`,
    // A label with a word in it, for an input, beside a table cell with headers.
    fails: () =>
      nested('html', [/^element$/, /^element$/, /^attribute$/], /^for=["']?[^\s"'>]/).then(
        labelled => (text: string) => labelled(text) && /headers=["']?[^\s"'>]/.test(text),
      ),
    dangling: danglingIds,
    reached: '<c><th for=a><td id=a><th id=b><td headers=b></c>',
  },
  {
    what: 'drawing',
    file: 'a.svg',
    text: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
  <defs>
    <filter id="soft-shadow"><feGaussianBlur stdDeviation="2"/><feOffset dx="1"/></filter>
    <linearGradient id="base-colours"><stop offset="0"/></linearGradient>
    <linearGradient id="more-colours" xlink:href="#base-colours"/>
    <symbol id="leaf-shape"><path d="M0 0L10 10" fill="url(#more-colours)"/></symbol>
  </defs>
  <g filter="url(#soft-shadow)"><use xlink:href="#leaf-shape" x="1"/><use xlink:href="#leaf-shape" x="2"/></g>
  <text><textPath href="#elsewhere">words</textPath></text>
</svg>
`,
    fails: () => nested('xml', [/^element$/, /^EmptyElemTag$/, /^Attribute$/], /^xlink:href="#[^"]/),
    dangling: danglingIds,
    reached: '<a><a id="b"/><a xlink:href="#b"/></a>',
  },
  {
    what: 'Markdown text',
    file: 'a.md',
    text: `# The manual

See [the start](#getting-started), [the site][home page] and a note[^why].
Also [more](#last-words) and [the site again][home page].

## Getting started

Some words, and \`crash\` in *the middle* of them, with [a link][home page] and [another][second].

## Last words

Nothing[^more].

[home page]: https://example.org/a/long/path
[second]: https://example.org/second
[^why]: Because.
[^more]: See [the start](#getting-started).
`,
    fails: () => text => /\]\[[^\][^]+\]/.test(text) && /\]\(#[^)\s]+\)/.test(text) && /\[\^[^\]]+\][^:]/.test(text),
    dangling: danglingLinks,
    reached: '](#b)][c][^d]\n# b\n[c]:\n[^d]:',
  },
];

for (const { what, file, text, fails, dangling, reached } of pages)
  test(`at the semantic level no accepted ${what} refers to an id or target that is not there`, async () => {
    expect(dangling(text)).toEqual([]);
    const isFailing = await fails();
    const end = await reach(file, text, isFailing, { level: 'semantic' });
    for (const one of [...end.accepted, end.text]) expect(dangling(one), one).toEqual([]);
    expect(end.bytes, end.text).toBeLessThanOrEqual(reached.length);
  });

test('at the semantic level no accepted page has more syntax errors than the original', async () => {
  const text = '<div><p id="a">one</p><b>two <i>crash</i></b><script>let a = f(1); g(a)</script></div>\n';
  const { parser } = await grammarOf(requireLanguage('javascript'))!;
  const isFailing: Fails = one => one.includes('crash') && one.includes('f(');
  const { accepted, text: end } = await reach('a.html', text, isFailing, { level: 'semantic' });
  for (const one of [...accepted, end]) {
    const open: string[] = [];
    for (const [, close, name] of one.replace(/<script>.*<\/script>/s, '').matchAll(/<(\/?)(\w+)[^>]*>/g))
      if (close === '') open.push(name!);
      else expect(open.pop(), one).toBe(name);
    expect(open, one).toEqual([]);
    for (const script of found(one, /<script>(.*)<\/script>/gs)) {
      const tree = parser.parse(script)!;
      expect(tree.rootNode.hasError, one).toBe(false);
      tree.delete();
    }
  }
});
