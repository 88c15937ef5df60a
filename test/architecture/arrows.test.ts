import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** Which rooms a room may import from. Nothing points back (docs/architecture.md). */
const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  strategies: ['core'],
  engine: ['core'],
  syntax: ['core'],
  sources: ['core'],
  circumstances: ['core', 'sources'],
  reductions: ['core', 'syntax', 'circumstances'],
  run: ['core', 'engine', 'sources'],
  oracle: ['core', 'sources', 'circumstances', 'run'],
  report: ['core', 'engine', 'run'],
  plans: [
    ...['core', 'strategies', 'engine', 'syntax', 'sources', 'circumstances', 'reductions'],
    ...['run', 'oracle', 'report'],
  ],
  library: ['core', 'strategies', 'circumstances', 'engine', 'plans'],
  cli: ['core', 'strategies', 'engine', 'sources', 'circumstances', 'run', 'oracle', 'plans', 'report', 'library'],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
const importsOf = (file: string): readonly string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
    ),
  ].map(match => match[1] ?? match[2]!);

test('arrows between rooms point one way', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const room = file.split('/')[0]!;
    if (!file.includes('/')) continue;
    for (const target of importsOf(file)) {
      if (!target.startsWith('.')) continue;
      const other = relative(root, join(root, dirname(file), target)).split('/')[0]!;
      if (other !== room && !arrows[room]?.includes(other))
        wrong.push(
          `src/${file} imports from ${other}/, but ${room}/ may only import from: ${arrows[room]?.join(', ') || 'nothing'}.`,
        );
    }
  }
  expect(wrong).toEqual([]);
});

test('core and strategies import nothing but each other: they run wherever JavaScript runs', () => {
  const wrong: string[] = [];
  for (const file of files)
    if (/^(core|strategies)\//.test(file))
      for (const target of importsOf(file)) if (!target.startsWith('.')) wrong.push(`src/${file} imports ${target}.`);
  expect(wrong).toEqual([]);
});

test('every room is listed in the architecture', () => {
  const rooms = readdirSync(root, { withFileTypes: true })
    .filter(each => each.isDirectory())
    .map(each => each.name);
  expect(rooms.filter(room => !(room in arrows))).toEqual([]);
});
