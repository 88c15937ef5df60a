import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { upgradesOf } from '../../src/circumstances/packages.js';
import type { Artifact } from '../../src/core/artifact.js';
import { all, type Configuration, deltasOf, empty, minus, of, UserError } from '../../src/core/index.js';
import { blame } from '../../src/plans/changes/levels/blame.js';
import { hierarchyOfUpgrades } from '../../src/plans/changes/levels/hierarchy.js';
import { identify } from '../../src/sources/files.js';
import type { Locked } from '../../src/sources/packages/lockfile.js';
import { parseLockfile, resolved } from '../../src/sources/packages/lockfile.js';
import { openProject } from '../../src/sources/packages/project.js';
import { satisfies } from '../../src/sources/packages/semver.js';
import { upgradesBetween } from '../../src/sources/packages/upgrades.js';
import { folder, inScratch, plain, writeFolder } from './changes/folders.js';

type Tree = Readonly<Record<string, readonly [version: string, needs?: Readonly<Record<string, string>>]>>;

/** A lockfile and its installed tree, where every package's index.js says its place and version. */
function project(tree: Tree, asks: Readonly<Record<string, string>> = {}) {
  const packages: Record<string, Locked> = { '': { dependencies: asks } };
  const files: Record<string, string> = { 'package.json': JSON.stringify({ dependencies: asks }), 'app.js': '//\n' };
  for (const [location, [version, needs]] of Object.entries(tree)) {
    packages[location] = { version, ...(needs ? { dependencies: needs } : {}) };
    files[`${location}/index.js`] = `${location}@${version}`;
  }
  const text = JSON.stringify({ name: 'p', lockfileVersion: 3, packages });
  return { lockfile: parseLockfile(text), files: folder({ ...files, 'package-lock.json': text }) };
}

const labels = (old: Tree, now: Tree): string[] =>
  upgradesBetween(project(old).lockfile, project(now).lockfile).upgrades.map(
    ({ label, needs }) => `${label} [${needs}]`,
  );

test('upgrades that need nothing stand alone, in the order of places', () => {
  expect(
    labels(
      { 'node_modules/b': ['1.0.0'], 'node_modules/a': ['1.0.0', { b: '^1.0.0' }], 'node_modules/gone': ['1.0.0'] },
      { 'node_modules/b': ['1.1.0'], 'node_modules/a': ['1.0.1', { b: '^1.0.0' }], 'node_modules/new': ['1.0.0'] },
    ),
  ).toEqual([
    'node_modules/a 1.0.0 → 1.0.1 []',
    'node_modules/b 1.0.0 → 1.1.0 []',
    'node_modules/gone 1.0.0 removed []',
    'node_modules/new 1.0.0 added []',
  ]);
});

test('an upgrade with a new range needs what it asks for, and not the other way round', () => {
  expect(
    labels(
      { 'node_modules/a': ['1.0.0', { b: '^1.0.0' }], 'node_modules/b': ['1.0.0'] },
      {
        'node_modules/a': ['1.1.0', { b: '^1.1.0', c: '*' }],
        'node_modules/b': ['1.1.0'],
        'node_modules/c': ['1.0.0'],
      },
    ),
  ).toEqual(['node_modules/a 1.0.0 → 1.1.0 [1,2]', 'node_modules/b 1.0.0 → 1.1.0 []', 'node_modules/c 1.0.0 added []']);
});

test('two that only fit together are one upgrade', () => {
  expect(
    labels(
      { 'node_modules/a': ['1.0.0', { b: '^1.0.0' }], 'node_modules/b': ['1.0.0'] },
      { 'node_modules/a': ['2.0.0', { b: '^2.0.0' }], 'node_modules/b': ['2.0.0'] },
    ),
  ).toEqual(['node_modules/a 1.0.0 → 2.0.0, node_modules/b 1.0.0 → 2.0.0 []']);
});

test('packages that the project pins are upgraded one by one, and its ranges follow', () => {
  const at = (version: string) => ({ 'node_modules/a': [version] as const, 'node_modules/b': [version] as const });
  const old = project(at('1.0.0'), { a: '1.0.0', b: '1.0.0' });
  const now = project(at('2.0.0'), { a: '2.0.0', b: '2.0.0' });
  const upgrades = upgradesOf(old, now);
  const alone = upgrades.upgrades.findIndex(({ label }) => label === 'node_modules/b 1.0.0 → 2.0.0');
  const { files } = upgrades.build(of([alone]))!;
  const read = (path: string) => JSON.parse(Buffer.from((files.get(path) as { bytes: Uint8Array }).bytes).toString());
  const asked = { a: '1.0.0', b: '2.0.0' };
  expect(read('package.json').dependencies).toEqual(asked);
  expect(read('package-lock.json').packages['']).toEqual({ dependencies: asked });
  expect(read('package-lock.json').packages['node_modules/a'].version).toBe('1.0.0');
});

test('an upgrade is not blamed for another one that it brings with it, and the revert takes both back', async () => {
  const at = (version: string, range: string) =>
    ({ 'node_modules/a': [version, { b: range }], 'node_modules/b': [version], 'node_modules/c': [version] }) as const;
  const packages = upgradesOf(project(at('1.0.0', '^1.0.0')), project(at('1.1.0', '^1.1.0')));
  const judge = async ({ files }: Artifact) => {
    const entry = files.get('node_modules/b/index.js');
    const text = entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
    return { outcome: text.endsWith('1.1.0') ? 'fail' : 'pass' } as const;
  };
  const searching = blame(hierarchyOfUpgrades(packages).levels, { suspects: all(packages.count) }, judge, { identify });
  let step = await searching.next();
  while (!step.done) step = await searching.next();
  const { causes, back } = step.value;
  const named = (set: Configuration) => [...deltasOf(set)].map(delta => packages.describe(delta));
  expect(causes.map(({ changes }) => named(changes))).toEqual([['node_modules/b 1.0.0 → 1.1.0']]);
  expect(named(back)).toEqual(['node_modules/a 1.0.0 → 1.1.0', 'node_modules/b 1.0.0 → 1.1.0']);
});

test('a nested copy goes only with the upgrade that no longer needs it', () => {
  expect(
    labels(
      {
        'node_modules/a': ['1.0.0', { b: '^2.0.0' }],
        'node_modules/a/node_modules/b': ['2.0.0'],
        'node_modules/b': ['1.0.0'],
      },
      { 'node_modules/a': ['1.1.0', { b: '^1.0.0' }], 'node_modules/b': ['1.0.0'] },
    ),
  ).toEqual(['node_modules/a 1.0.0 → 1.1.0, node_modules/a/node_modules/b 2.0.0 removed []']);
});

test('nothing upgraded is the old tree, everything upgraded is the new one, but for the lockfile’s form', () => {
  const old = project({
    'node_modules/a': ['1.0.0'],
    'node_modules/b': ['1.0.0'],
    'node_modules/a/node_modules/c': ['1.0.0'],
  });
  const now = project({ 'node_modules/a': ['2.0.0'], 'node_modules/b': ['1.0.0'], 'node_modules/d': ['1.0.0'] });
  const upgrades = upgradesOf(old, now);
  const without = (files: Record<string, string>) => ({ ...files, 'package-lock.json': '' });
  expect(without(plain(upgrades.build(empty)!.files))).toEqual(without(plain(old.files)));
  expect(without(plain(upgrades.build(all(upgrades.count))!.files))).toEqual(without(plain(now.files)));
  expect(parseLockfile(upgrades.lockfile(all(upgrades.count))).packages).toEqual(now.lockfile.packages);
  expect(upgrades.build(of([0]))!.files.get('node_modules/b/index.js')).toBe(old.files.get('node_modules/b/index.js'));
});

const versions = fc.constantFrom('1.0.0', '1.1.0', '2.0.0');
const ranges = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('^1.0.0', '^1.1.0', '^2.0.0', '*'), {
  maxKeys: 2,
});
const trees = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'a/node_modules/b', 'c/node_modules/d').map(name => `node_modules/${name}`),
  fc.tuple(versions, ranges),
);

test('whatever is chosen, no package is left with a dependency that neither end would have accepted', () => {
  fc.assert(
    fc.property(trees, trees, fc.infiniteStream(fc.boolean()), (before, after, choice) => {
      const [old, now] = [project(before), project(after)];
      const upgrades = upgradesOf(old, now);
      const chosen = of([...Array(upgrades.count).keys()].filter(() => choice.next().value));
      const { packages } = parseLockfile(upgrades.lockfile(chosen));
      const met = (from: string, name: string, range: string, among: typeof packages): boolean => {
        const place = resolved(from, name, at => among[at] !== undefined);
        return place !== undefined && satisfies(among[place]!.version!, range) !== false;
      };
      for (const [location, { version, dependencies = {} }] of Object.entries(packages))
        for (const [name, range] of Object.entries(dependencies)) {
          const ends = [old, now].filter(({ lockfile }) => lockfile.packages[location]?.version === version);
          if (ends.every(({ lockfile }) => met(location, name, range, lockfile.packages)))
            expect([location, name, met(location, name, range, packages)]).toEqual([location, name, true]);
        }
      expect(upgrades.closed(upgrades.closed(chosen))).toEqual(upgrades.closed(chosen));
      expect(minus(chosen, upgrades.closed(chosen))).toEqual(empty);
    }),
    { numRuns: 300 },
  );
});

test('a lockfile of npm 6 and one that is not JSON are refused with a way out', () => {
  expect(() => parseLockfile('{"lockfileVersion": 1, "dependencies": {}}')).toThrow(UserError);
  expect(() => parseLockfile('<<<<<<< HEAD')).toThrow(/not JSON/);
});

test('an installed project is taken as it is, and nothing is written to it', () =>
  inScratch(async root => {
    const { files, lockfile } = project({ 'node_modules/a': ['1.0.0'] });
    writeFolder(root, files);
    writeFileSync(
      join(root, 'node_modules', '.package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }),
    );
    const opened = await openProject(join(root, 'package-lock.json'), join(root, 'cache'));
    expect(opened.lockfile.packages).toEqual(lockfile.packages);
    expect(opened.files.has('node_modules/a/index.js')).toBe(true);
  }));

test(
  'a lockfile whose packages can’t be had says so',
  () =>
    inScratch(async root => {
      mkdirSync(join(root, 'p'));
      const gone = { version: '1.0.0', resolved: 'file:nowhere.tgz' };
      const text = JSON.stringify({
        name: 'p',
        lockfileVersion: 3,
        packages: { '': { dependencies: { gone: 'file:nowhere.tgz' } }, 'node_modules/gone': gone },
      });
      writeFileSync(join(root, 'p', 'package-lock.json'), text);
      expect(spawnSync('npm', ['--version']).status, 'npm is there').toBe(0);
      await expect(openProject(join(root, 'p', 'package-lock.json'), join(root, 'cache'))).rejects.toThrow(
        /could not be installed/,
      );
    }),
  30_000,
);
