/** Dependency upgrades between two lockfiles as deltas. */
import type { Artifact, Entry } from '../core/artifact.js';
import { type Circumstance, type Configuration, deltasOf, of } from '../core/index.js';
import { addAll } from '../core/lists.js';
import type { Locked } from '../sources/packages/lockfile.js';
import type { Project } from '../sources/packages/project.js';
import { manifestWith, type Range, rangesToReplace, withRanges } from '../sources/packages/root-ranges.js';
import { type Upgrade, upgradesBetween } from '../sources/packages/upgrades.js';
import { inOrder, type Snapshot } from '../sources/versions/snapshot.js';

export interface Packages extends Circumstance<Artifact> {
  readonly upgrades: readonly Upgrade[];
  /** A configuration with everything that its upgrades need to be installed: what `build` builds. */
  closed(configuration: Configuration): Configuration;
  lockfile(configuration: Configuration): string;
  describe(delta: number): string;
}

/**
 * Which upgrade between two lockfiles broke it. A candidate is assembled from the two installed trees, package by package,
 * which takes milliseconds instead of the minutes of `npm ci`. An upgrade includes everything that it needs to be
 * installed, so every configuration can be built and no test is wasted on a tree that npm could not install.
 */
export function upgradesOf(old: Project, now: Project): Packages {
  const { upgrades, closed: withNeeds } = upgradesBetween(old.lockfile, now.lockfile);
  const closed = (configuration: Configuration): Configuration => of(withNeeds(deltasOf(configuration)));
  const chosen = (configuration: Configuration): ReadonlyMap<string, Locked | undefined> => {
    const places = new Map<string, Locked | undefined>();
    for (const delta of deltasOf(closed(configuration)))
      for (const { location, to } of upgrades[delta]!.steps) places.set(location, to);
    return places;
  };
  const installed = (configuration: Configuration) => {
    const packages: Record<string, Locked> = { ...old.lockfile.packages };
    for (const [location, entry] of chosen(configuration))
      if (entry) packages[location] = entry;
      else delete packages[location];
    const root = packages[''];
    if (!root) return { packages, ranges: [] };
    const other = (root === old.lockfile.packages[''] ? now : old).lockfile.packages[''];
    const ranges = rangesToReplace(root, other, name => packages[`node_modules/${name}`]?.version);
    return { packages: { ...packages, '': withRanges(root, ranges) }, ranges };
  };
  const lockfile = (configuration: Configuration): string => {
    const { packages } = installed(configuration);
    const ordered = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
    const { dependencies: _, ...rest } = JSON.parse(old.lockfile.text);
    return `${JSON.stringify({ ...rest, lockfileVersion: 3, packages: ordered }, null, 2)}\n`;
  };
  const oldPlaces = byPackage(old.files);
  const newPlaces = byPackage(now.files);
  const touched = new Set(upgrades.flatMap(({ steps }) => steps.map(({ location }) => location)));
  const fixed = [...oldPlaces].filter(([location]) => !touched.has(location)).flatMap(([, entries]) => entries);
  return {
    name: 'upgrade',
    count: upgrades.length,
    upgrades,
    closed,
    lockfile,
    weights: upgrades.map(({ steps }) => steps.length),
    describe: delta => upgrades[delta]?.label ?? `upgrade ${delta}`,
    build(configuration) {
      const places = chosen(configuration);
      const entries: (readonly [string, Entry])[] = [...fixed];
      for (const location of touched) {
        const from = places.has(location) ? newPlaces : oldPlaces;
        addAll(entries, from.get(location) ?? []);
      }
      const lock: Entry = { kind: 'file', bytes: Buffer.from(lockfile(configuration)) };
      const { ranges } = installed(configuration);
      const kept = entries.flatMap(([path, entry]) =>
        path === 'package-lock.json' ? [] : [[path, path === 'package.json' ? asking(entry, ranges) : entry] as const],
      );
      return { files: inOrder([...kept, ['package-lock.json', lock] as const]) };
    },
  };
}

/** The project's package.json with ranges that fit what is installed. */
const asking = (entry: Entry, ranges: readonly Range[]): Entry =>
  entry.kind === 'file' && ranges.length > 0
    ? { ...entry, bytes: Buffer.from(manifestWith(Buffer.from(entry.bytes).toString(), ranges)) }
    : entry;

const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/|$)/;

/**
 * The files of each package, without those of the packages inside it; the project's own are at ''. A link in `.bin` belongs
 * to the package that it points to. npm's own record of what it installed is left out: it would be wrong.
 */
function byPackage(files: Snapshot): ReadonlyMap<string, readonly (readonly [string, Entry])[]> {
  const found = new Map<string, (readonly [string, Entry])[]>();
  for (const [path, entry] of files) {
    if (/(^|\/)node_modules\/\.package-lock\.json$/.test(path)) continue;
    const bin = /^(.*)\.bin\/[^/]+$/.exec(path);
    const owner = bin && entry.kind === 'link' ? entry.target.replace(/^\.\.\//, bin[1]!) : path;
    const location = packageFolder.exec(owner)?.[0] ?? '';
    const list = found.get(location);
    if (list) list.push([path, entry]);
    else found.set(location, [[path, entry]]);
  }
  return found;
}
