import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { freeNamesReader } from '../../src/syntax/names/typescript.js';
import { type Fails, looping, nested } from './needs.js';
import { reach } from './reach.js';

/** Runs a script; it fails when it comes to `crash` with arguments like these, and has not gone wrong before. */
const calling =
  (like: (...args: readonly unknown[]) => boolean, mode = "'use strict';"): Fails =>
  text => {
    let crashed = false;
    const context = createContext({ crash: (...args: readonly unknown[]) => (crashed ||= like(...args)) });
    try {
      runInContext(mode + text, context, { timeout: 1_000 });
    } catch {
      return false;
    }
    return crashed;
  };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface Reduction {
  readonly kind: string;
  /** The pass that has to do something. */
  readonly pass: string | RegExp;
  readonly file: string;
  readonly text: string;
  readonly fails: () => Fails | Promise<Fails>;
  /** What came out once; nothing longer may. */
  readonly reached: string;
}

const reductions: readonly Reduction[] = [
  {
    kind: 'delete: what stands beside goes, with its separators',
    pass: /^nodes at depth/,
    file: 'a.json',
    text: '{ "other": [1, 2, 3], "x": { "l": [2, {}], "k": 1, "m": null }, "y": true }',
    fails: () => text => (parsed(text) as { x?: { k?: unknown } } | undefined)?.x?.k !== undefined,
    reached: '{"x":{"k":0}}',
  },
  {
    kind: 'hoist: a statement takes the place of what it stands in',
    pass: 'hoist',
    file: 'a.c',
    text: 'int f(int a) {\n  if (a) {\n    while (a) {\n      do { crash(a); } while (a);\n    }\n  }\n  return 1;\n}\n',
    fails: () => nested('c', [/^function_definition$/, /^call_expression$/], /^crash\(/),
    reached: 'a a{crash();}',
  },
  {
    kind: 'unwrap: what calls and brackets hold stays without them',
    pass: 'hoist',
    file: 'a.js',
    text: 'const keep = x => x;\nconst wrap = x => keep(x);\ncrash(wrap(keep([(keep(wrap({ deep: 1 })))][0])));\n',
    fails: () => calling(one => (one as { deep?: unknown } | undefined)?.deep !== undefined),
    reached: 'crash({deep:0})',
  },
  {
    kind: 'unwrap: an element gives way to its children',
    pass: /hoist|keep one subtree|nodes at depth/,
    file: 'a.html',
    text: '<main><section class="a"><div><p><b>one</b><i>two</i></p></div></section></main>',
    fails: () => nested('html', [/^element$/, /^element$/], /^<i>.+<\/i>$/),
    reached: '<a><i>t</i></a>',
  },
  {
    kind: 'hollow: a body is emptied',
    pass: /hollow|nodes at depth/,
    file: 'a.js',
    text: 'function compute(list) {\n  let sum = 0;\n  for (const each of list) { sum += each; }\n  return sum;\n}\ncrash(compute);\n',
    fails: () => calling(one => typeof one === 'function' && /^function/.test(String(one))),
    reached: 'function a(){}crash(a)',
  },
  {
    kind: 'substitute: the smallest thing that may stand there',
    pass: 'substitute',
    file: 'a.js',
    text: 'const make = () => [{}];\ncrash(make().length - [make()].map(one => one)[0].length);\n',
    fails: () => calling(one => one === 0),
    reached: 'crash(0)',
  },
  {
    kind: 'declaration with uses',
    pass: /part with its declarations|declaration with uses/,
    file: 'a.js',
    text: 'const first = { n: 1 };\nconst second = [first, first.n];\nlet third = second.length;\nthird += first.n;\ncrash(third);\n',
    fails: () => calling(one => typeof one === 'number'),
    reached: 'crash(0)',
  },
  {
    kind: 'parameter with arguments',
    pass: 'parameter with arguments',
    file: 'a.js',
    text: 'function pick(first, second, third) {\n  crash(arguments.length - pick.length, third);\n}\npick(10, 20, 30);\npick(11, 21, 31);\n',
    fails: () => calling((more, third) => more === 0 && Number(third) > 1),
    reached: 'function a(b){crash(0,b)}a(2)',
  },
  {
    kind: 'inlined call: JavaScript, through a function that is called at once, a method and a constructor',
    pass: 'inlined call',
    file: 'a.js',
    text: '(function (root, factory) {\n  factory(root);\n})({}, function (root) {\n  function Box(value) {\n    this.value = value;\n  }\n  Box.prototype.open = function (key) {\n    const found = this.value + key;\n    return found * 2;\n  };\n  root.make = function (value) {\n    return new Box(value);\n  };\n  crash(root.make(20).open(1));\n});\n',
    fails: () => calling(one => one === 42),
    reached: 'crash(21*2)',
  },
  {
    kind: 'inlined call: TypeScript',
    pass: 'inlined call',
    file: 'a.ts',
    text: 'const scale = (value: number, by = 2): number => value * by;\nfunction report(list: readonly number[]): void {\n  let sum: number = 0;\n  sum = list.length;\n  crash(scale(sum), list);\n}\nreport([1, 2]);\n',
    fails: async () => {
      const { default: ts } = await import('typescript');
      const crashes = calling((size, list) => size === 4 && Array.isArray(list) && list.length === 2);
      const isWhole = await nested('typescript', [/^program$/, /^call_expression$/], /^crash/);
      return text => isWhole(text) && crashes(ts.transpile(text, { target: ts.ScriptTarget.ESNext }));
    },
    reached: 'crash([,0].length*2,[,0])',
  },
  {
    kind: 'inlined call: C',
    pass: 'inlined call',
    file: 'a.c',
    text: 'static int twice(int n) {\n  return n + n;\n}\nvoid report(int what, int unused) {\n  int copy = twice(what);\n  if (copy)\n    crash(copy, 1);\n}\nint main(void) {\n  for (int i = 0; i < 9; i++)\n    report(i, 4);\n  return 0;\n}\n',
    fails: () => looping('c', /^crash\(.+,.+\)$/s),
    reached: 'a a{for(;;)crash(0,0);}',
  },
  {
    kind: 'inlined call: Python',
    pass: 'inlined call',
    file: 'a.py',
    text: 'def twice(n):\n    return n + n\n\ndef report(what, unused=0):\n    copy = twice(what)\n    if copy:\n        crash(copy, 1)\n    return copy\n\nfor each in range(3):\n    if each:\n        print(report(each))\n',
    fails: () => looping('python', /^crash\(.+,.+\)$/s),
    reached: 'for a in a:crash(0,0)',
  },
  {
    kind: 'value in place: what is assigned goes where it is read',
    pass: 'value in place',
    file: 'a.js',
    text: 'const box = {};\nbox.first = [7];\nbox.second = { list: box.first };\nlet last = box.second.list;\nlast = last.concat(8);\ncrash(last);\n',
    fails: () => calling(one => String(one) === '7,8'),
    reached: 'crash([7].concat(8))',
  },
  {
    kind: 'shorter form: what inlining left behind',
    pass: 'shorter form',
    file: 'a.js',
    text: 'function put(kind, name, value) {\n  this[kind + "s"][name] = value;\n}\nconst store = { items: {} };\nput.call(store, "item", "first", 5);\ncrash(store.items.first);\n',
    fails: () => calling(one => one === 5),
    reached: 'crash(5)',
  },
  {
    kind: 'shorter form: a function as an arrow',
    pass: 'shorter form',
    file: 'a.js',
    text: 'function next(value) {\n  return value + 1;\n}\ncrash(next, next);\n',
    fails: () => calling((a, b) => typeof a === 'function' && a === b && a(3) === 4),
    reached: 'let a=b=>b+1;crash(a,a)',
  },
  {
    kind: 'shorter form: a choice between two calls as an expression',
    pass: 'shorter form',
    file: 'a.js',
    text: 'let sum = 0;\nfor (const each of [1, 0, 1]) {\n  if (each) {\n    sum += 1;\n  } else {\n    sum *= 5;\n  }\n}\ncrash(sum);\n',
    fails: () => text =>
      calling(one => one === 6)(text) && /[+] *=/.test(text) && /[*] *=/.test(text) && /for/.test(text),
    reached: 'let a=0;for(b of[1,0,1])b?(a+=1):(a*=5);crash(a)',
  },
  {
    kind: 'shorter form: neighbouring declarations as one',
    pass: 'shorter form',
    file: 'a.js',
    text: 'let first = {};\nlet second = {};\ncrash(first, second, first, second);\n',
    fails: () => calling((a, b, c, d) => a === c && b === d && a !== b && [a, b].every(one => typeof one === 'object')),
    reached: 'let a={},b={};crash(a,b,a,b)',
  },
  {
    kind: 'definition in use: JavaScript',
    pass: 'definition in use',
    file: 'a.js',
    text: 'var list = [];\nvar seen = 0;\ncrash(seen, list, list);\n',
    fails: () => calling((_, a, b) => Array.isArray(a) && a === b, ''),
    reached: 'crash(0,a=[],a)',
  },
  {
    kind: 'definition in use: Python, and a function as a lambda',
    pass: 'definition in use',
    file: 'a.py',
    text: 'def twice(n):\n    return n + n\n\ncrash(twice, twice)\n',
    fails: () => text =>
      [
        /^def (\w+)\((\w+)\):\s*return \2 ?\+ ?\2\s+crash\(\1, ?\1\)\s*$/,
        /^(\w+) ?= ?lambda (\w+):\2 ?\+ ?\2\s+crash\(\1, ?\1\)\s*$/,
        /^crash\((\w+) ?:= ?lambda (\w+):\2 ?\+ ?\2, ?\1\)\s*$/,
      ].some(form => form.test(text)),
    reached: 'crash(t:=lambda n:n+n,t)',
  },
  {
    kind: 'definition in use: a type of C',
    pass: 'definition in use',
    file: 'a.c',
    text: 'struct point { int across; };\nstruct point origin;\n',
    fails: async () => {
      const isC = await nested('c', [/^translation_unit$/], /struct/);
      return text =>
        isC(text) &&
        /^struct (\w+) ?\{ ?int \w+; ?\};\s*struct \1 \w+;\s*$|^struct( \w+)? ?\{ ?int \w+; ?\} ?\w+;\s*$/.test(text);
    },
    reached: 'struct{int a;}a;',
  },
  {
    kind: 'synonyms: a type of C by a shorter one',
    pass: 'synonym',
    file: 'a.c',
    text: 'uint32_t size;\n',
    fails: () => text => /^(uint32_t|int) \w+;\s*$/.test(text),
    reached: 'int a;',
  },
  {
    kind: 'import with uses',
    pass: /nodes at depth|part with its declarations|declaration with uses/,
    file: 'a.mjs',
    text: "import { open } from 'files';\nif (open) crash(open);\n",
    fails: async () => {
      const calls = await nested('javascript', [/^program$/, /^call_expression$/], /^crash\(\w*\)$/);
      const free = await freeNamesReader('input.jsx');
      return text => calls(text) && [...free(text)].every(name => name === 'crash');
    },
    reached: 'crash()',
  },
  {
    kind: 'id with references',
    pass: /id with references|hoist|keep one subtree|nodes at depth/,
    file: 'a.svg',
    text: '<svg><defs><filter id="blur"><feOffset dx="2"/></filter></defs><g filter="url(#blur)"><circle r="3"/></g><use href="#dot"/><path id="dot" d="M0 0"/></svg>',
    fails: async () => {
      const isSvg = await nested('xml', [/^element$/, /^element$/], /<circle/);
      return text => {
        const ids = [...text.matchAll(/id="(\w+)"/g)].map(match => match[1]!);
        return isSvg(text) && [...text.matchAll(/#(\w*)/g)].every(match => ids.includes(match[1]!));
      };
    },
    reached: '<g><circle/></g>',
  },
  {
    kind: 'identifiers merged',
    pass: 'merged name',
    file: 'a.c',
    text: 'int first;\nint second;\nint sum(void) { return first + second; }\n',
    fails: async () => {
      const isC = await nested('c', [/^function_definition$/, /^binary_expression$/], /^\w+ ?\+ ?\w+$/);
      return text => {
        const [, a, b] = /(\w+) ?\+ ?(\w+)/.exec(text) ?? [];
        return isC(text) && [a, b].every(name => new RegExp(`^int ${name};`, 'm').test(text));
      };
    },
    reached: 'int a;a a{a+a;}',
  },
  {
    kind: 'literals',
    pass: /literal|substitute/,
    file: 'a.js',
    text: 'crash(1234567.5, "some long text", 0xff, `more`);\n',
    fails: () => calling((...args) => args.map(one => typeof one).join() === 'number,string,number,string'),
    reached: "crash(0,'',0,'')",
  },
  {
    kind: 'literals that have to stay equal',
    pass: 'literal',
    file: 'a.css',
    text: '.first { margin: 1.714285714rem; padding: 0; }\n.other { width: 50%; }\n.second { top: 1.714285714rem; }\n',
    fails: async () => {
      const isCss = await nested('css', [/^stylesheet$/, /^rule_set$/, /^declaration$/], /:/);
      return text => {
        const values = [...text.matchAll(/\w\s*\{[^}]*?:\s*(\d[\w.]*)/g)].map(match => match[1]!);
        return isCss(text) && values.length > 1 && values[0] === values.at(-1) && /^1/.test(values[0]!);
      };
    },
    reached: 'a{a:1}a{a:1}',
  },
  {
    kind: 'names',
    pass: 'short name',
    file: 'a.js',
    text: 'const veryLong = {};\nconst alsoLong = {};\ncrash(veryLong, alsoLong, veryLong);\n',
    fails: () => calling((a, b, c) => a === c && a !== b && [a, b].every(one => typeof one === 'object')),
    reached: 'const a={};crash(a,{},a)',
  },
  {
    kind: 'a word in several strings: a key and the path to it',
    pass: 'shared word',
    file: 'a.json',
    text: '{ "definitions": { "fieldItem": { "type": "object" } }, "items": { "$ref": "#/definitions/fieldItem" } }',
    fails: () => text => {
      const whole = parsed(text) as Record<string, unknown> | undefined;
      const path = /"\$ref":\s*"#\/(\w+)\/(\w+)"/.exec(text);
      const found = path && (whole?.[path[1]!] as Record<string, unknown> | undefined)?.[path[2]!];
      return found !== undefined && found !== null;
    },
    reached: '{"a":{"b":0},"$ref":"#/a/b"}',
  },
  {
    kind: 'a word in several values: an id that is pointed at',
    pass: 'short word',
    file: 'a.svg',
    text: '<svg><filter id="softShadow"/><g><path style="fill:red;filter:url(#softShadow)" d="M0 0"/></g></svg>',
    fails: async () => {
      const isSvg = await nested('xml', [/^element$/, /^element$/], /url/);
      return text => {
        const id = /url\(#(\w+)\)/.exec(text)?.[1];
        return isSvg(text) && id !== undefined && text.includes(`id="${id}"`);
      };
    },
    reached: '<a><a id="a"f="url(#a)"/></a>',
  },
  {
    kind: 'a clause, in a language without a grammar',
    pass: 'runs of tokens',
    file: 'a.sql',
    text: 'create trigger t insert on a when new.b > 0 begin select crash(1); end;\n',
    fails: () => text => /^create trigger \w+ insert on \w+ (when \w+\.\w+ ?> ?\w+ )?begin select crash\(/.test(text),
    reached: 'create trigger t insert on a begin select crash(',
  },
  {
    kind: 'spaces, where lines mean something',
    pass: /space|tokens|characters/,
    file: 'a.py',
    text: 'if   x :\n\n        crash( 1 ,   2 )\n\n',
    fails: () => nested('python', [/^if_statement$/, /^call$/], /^crash\(.+,.+\)$/s),
    reached: 'if 0:crash(0,0)',
  },
  {
    kind: 'a wide table of a page',
    pass: 'columns of wide rows',
    file: 'a.html',
    text: tableOf(12, 9),
    fails: () => text => {
      const [head, ...rows] = [...text.matchAll(/<tr>([\s\S]*?)(?=<tr>|<\/table|$)/g)].map(([, row]) =>
        [...row!.matchAll(/<(?:td|th)>([^<]*)/g)].map(([, cell]) => cell!.trim()),
      );
      const at = head?.indexOf('c7') ?? -1;
      return at >= 0 && rows.every(row => row.length === head!.length) && rows.some(row => row[at] === 'bad');
    },
    reached: '<tr><th>c7<tr><td>bad',
  },
  {
    kind: 'a mesh, whose faces name its vertices by number',
    pass: 'items numbered from 0 first',
    file: 'a.off',
    text: meshOf(30),
    fails: () => text => {
      const words = text.split(/\s+/).filter(word => word !== '');
      const [vertices, faces] = [Number(words[1]), Number(words[2])];
      const [names, rest] = [words.slice(4, 4 + vertices), words.slice(4 + vertices)];
      if (words[0] !== 'OFF' || rest.length !== 3 * faces) return false;
      const corners = rest.map(word => names[Number(word)]);
      const isBad = corners.some((name, i) => i % 3 === 0 && name === 'p17' && corners[i + 1] === 'p18');
      return isBad && !corners.includes(undefined);
    },
    reached: 'OFF\n3 1 0\np17\np18\n1\n0 1 2',
  },
  {
    kind: 'a graph, whose links name its nodes by number',
    pass: 'numbered items first',
    file: 'a.json',
    text: JSON.stringify({ nodes: namesOf(40), links: namesOf(39).map((_, i) => ({ from: i, to: i + 1 })) }),
    fails: () => text => {
      const { nodes, links } = (parsed(text) ?? {}) as Partial<Graph>;
      if (!Array.isArray(nodes) || !Array.isArray(links)) return false;
      const ends = links.map(({ from, to }) => [nodes[from], nodes[to]]);
      return !ends.flat().includes(undefined) && ends.some(([from, to]) => from === 'p30' && to === 'p31');
    },
    reached: '{"nodes":["p30","p31"],"links":[{"from":0,"to":1}]}',
  },
];

interface Graph {
  readonly nodes: readonly string[];
  readonly links: readonly { readonly from: number; readonly to: number }[];
}

function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `p${i}`);
}

/** In one of its rows, the eighth cell is bad. */
function tableOf(columns: number, rows: number): string {
  const cells = Array.from({ length: columns }, (_, i) => i);
  const head = cells.map(i => `<th>c${i}</th>`).join('');
  const lines = Array.from(
    { length: rows },
    (_, row) => `<tr>${cells.map(i => `<td>${row === 5 && i === 7 ? 'bad' : row * i}</td>`).join('')}</tr>\n`,
  );
  return `<table><tr>${head}</tr>\n${lines.join('')}</table>`;
}

function meshOf(count: number): string {
  const faces = Array.from({ length: count - 2 }, (_, i) => `${i} ${i + 1} ${i + 2}`);
  return `OFF\n${count} ${count - 2} 0\n${namesOf(count).join('\n')}\n${faces.join('\n')}\n`;
}

for (const { kind, pass, file, text, fails, reached } of reductions)
  test(`${kind}: ends no larger than recorded`, async () => {
    const isFailing = await fails();
    const end = await reach(file, text, isFailing);
    const by = [...end.fruitful].join(', ');
    expect(end.bytes, `${end.text} came out`).toBeLessThanOrEqual(reached.length);
    expect(
      [...end.fruitful].some(name => (typeof pass === 'string' ? name === pass : pass.test(name))),
      `only ${by} did something`,
    ).toBe(true);
  });
