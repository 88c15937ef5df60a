import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Files, reachFolder, thrownBy } from './folders.js';

const shop: Files = {
  'app/failure.ts': `export function failWith(reason: string, amount: number): void {
  if (amount > 2) throw new TypeError('THING ' + amount);
}
`,
  'app/index.ts': `export { Inventory } from './inventory.js';
export * from './settings.js';
`,
  'app/inventory.ts': `import { failWith } from './failure.js';

export class Inventory {
  things = new Map<string, number>();
  constructor(private label: string, private limit: number) {}
  addThing(name: string, amount: number): void {
    this.things.set(name, amount);
  }
  checkEverything(name: string, limit: number): void {
    failWith('too few', this.things.get(name)!);
  }
}
`,
  'app/main.ts': `import { DEFAULT_LIMIT, Inventory } from './index.js';

const inventory = new Inventory('main', DEFAULT_LIMIT);
inventory.addThing('pen', 3);
inventory.checkEverything('pen', DEFAULT_LIMIT);
`,
  'app/settings.ts': `export const DEFAULT_LIMIT = 10;
export const DEFAULT_NAME = 'unnamed';
`,
};

const throwsThing = (files: Files): boolean => String(thrownBy(files, 'app/main.ts')) === 'TypeError: THING 3';

test('a folder of modules becomes one small file: barrels are skipped, and files folded into their importers', async () => {
  const { files, bytes } = await reachFolder(shop, throwsThing);
  expect(Object.keys(files)).toEqual(['app/main.ts']);
  expect(bytes, files['app/main.ts']).toBeLessThanOrEqual(46);
});

/** `file: name` for every name that a module imports and the other module does not export, read without culprit. */
function missing(files: Files): readonly string[] {
  const list = (names: string): readonly string[] =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '');
  const exported = (path: string): readonly string[] => {
    const text = files[path] ?? '';
    return [
      ...[...text.matchAll(/export\s+(?:function|class|const|let)\s+(\w+)/g)].map(match => match[1]!),
      ...[...text.matchAll(/export\s*\{([^}]*)\}/g)].flatMap(match => list(match[1]!)),
      ...[...text.matchAll(/export\s*\*\s*from\s*'\.\/([^']*)\.js'/g)].flatMap(match => exported(`app/${match[1]}.ts`)),
    ];
  };
  return Object.values(files).flatMap(text =>
    [...text.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*'([^']*)'/g)].flatMap(([, names, from]) => {
      const path = `app/${/^\.\/(.*)\.js$/.exec(from!)?.[1]}.ts`;
      return list(names!)
        .filter(name => files[path] === undefined || !exported(path).includes(name))
        .map(name => `${path}: ${name}`);
    }),
  );
}

test('at the semantic level no accepted folder imports a name that is not exported', async () => {
  expect(missing(shop)).toEqual([]);
  // A test that looks at no imports: whatever it accepts is sound only because nothing else is asked.
  const isFailing = (files: Files): boolean =>
    /failWith\(.*,.*get/s.test(files['app/inventory.ts'] ?? '') && (files['app/main.ts'] ?? '').includes('new ');
  const { accepted, files, bytes } = await reachFolder(shop, isFailing, { level: 'semantic', rename: false });
  for (const one of [...accepted, files]) expect(missing(one), JSON.stringify(one)).toEqual([]);
  expect(bytes, JSON.stringify(files)).toBeLessThanOrEqual(200);
});

const sums: Files = {
  'calc/main.c': `#include "sums.h"

int main(void) {
  return weighted_sum(1, 2);
}
`,
  'calc/sums.c': `#include "sums.h"

int weighted_sum(int first, int weight) {
  return first * weight;
}
`,
  'calc/sums.h': `#define MOST 100
int weighted_sum(int first, int weight);
`,
};

/** Whether both files compile, and one of them calls what the header declares and the other defines. */
function compiles(files: Files): boolean {
  const { 'calc/main.c': main = '', 'calc/sums.c': other = '', 'calc/sums.h': header = '' } = files;
  // What stands behind an include on its line is no code.
  const code = (text: string): string => text.replace(/^#.*$/gm, '');
  const [, name] = /(\w+)\([^()]*\)\s*\{/.exec(code(other)) ?? [];
  const isUsed =
    new RegExp(`\\{[^{}]*\\b${name}\\(`).test(code(main)) && new RegExp(`\\b${name}\\(`).test(code(header));
  if (!isUsed || !/"sums\.h"/.test(main) || !/"sums\.h"/.test(other)) return false;
  const folder = mkdtempSync(join(tmpdir(), 'culprit-sums-'));
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path.slice('calc/'.length)), text);
    return (
      spawnSync('gcc', ['-std=c2x', '-fsyntax-only', '-w', '-Werror=implicit', 'main.c', 'sums.c'], { cwd: folder })
        .status === 0
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const hasGcc = process.env.CI !== undefined || spawnSync('gcc', ['--version']).status === 0;

test.skipIf(!hasGcc)(
  'a function of C loses its name and its parameters in header, definition and calls at once',
  async () => {
    const { files, bytes } = await reachFolder(sums, compiles);
    expect(bytes, JSON.stringify(files)).toBeLessThanOrEqual(55);
  },
);
