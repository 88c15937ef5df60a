import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { freeNamesReader } from '../../src/circumstances/tree/typescript.js';
import { type Fails, nested } from './needs.js';
import { reach } from './reach.js';

/** Runs a script; it fails when it comes to `crash` with arguments like these, and has not gone wrong before. */
const calling =
  (like: (...args: readonly unknown[]) => boolean): Fails =>
  text => {
    let crashed = false;
    const context = createContext({ crash: (...args: readonly unknown[]) => (crashed ||= like(...args)) });
    try {
      runInContext(`'use strict';${text}`, context, { timeout: 100 });
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
    pass: /^levels/,
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
    pass: /hoist|part alone|levels/,
    file: 'a.html',
    text: '<main><section class="a"><div><p><b>one</b><i>two</i></p></div></section></main>',
    fails: () => nested('html', [/^element$/, /^element$/], /^<i>.+<\/i>$/),
    reached: '<a><i>t</i></a>',
  },
  {
    kind: 'hollow: a body is emptied',
    pass: /hollow|levels/,
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
    kind: 'import with uses',
    pass: /levels|part with its declarations|declaration with uses/,
    file: 'a.mjs',
    text: "import { open } from 'files';\nif (open) crash(open);\n",
    fails: async () => {
      const calls = await nested('javascript', [/^program$/, /^call_expression$/], /^crash\(\w*\)$/);
      const free = await freeNamesReader('javascript');
      return text => calls(text) && [...free(text)].every(name => name === 'crash');
    },
    reached: 'crash()',
  },
  {
    kind: 'id with references',
    pass: /id with references|hoist|part alone|levels/,
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
    kind: 'names',
    pass: 'short name',
    file: 'a.js',
    text: 'const veryLong = {};\nconst alsoLong = {};\ncrash(veryLong, alsoLong, veryLong);\n',
    fails: () => calling((a, b, c) => a === c && a !== b && [a, b].every(one => typeof one === 'object')),
    reached: 'const a={};crash(a,{},a)',
  },
  {
    kind: 'spaces, where lines mean something',
    pass: /space|tokens|characters/,
    file: 'a.py',
    text: 'if   x :\n\n        crash( 1 ,   2 )\n\n',
    fails: () => nested('python', [/^if_statement$/, /^call$/], /^crash\(.+,.+\)$/s),
    reached: 'if 0:crash(0,0)',
  },
];

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
