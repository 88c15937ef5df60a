/** The upgrades between two lockfiles. */
import { type Locked, type Lockfile, resolved } from './lockfile.js';
import { satisfies } from './semver.js';

/** What happens at one location: upgraded, added or removed. */
export interface Step {
  readonly location: string;
  readonly from?: Locked;
  readonly to?: Locked;
}

/** Steps that only make sense together: one delta. */
export interface Upgrade {
  readonly label: string;
  readonly steps: readonly Step[];
  /** The other upgrades that this one needs to be installed. */
  readonly needs: readonly number[];
}

export interface Upgrades {
  readonly upgrades: readonly Upgrade[];
  /**
   * These upgrades with everything that they need to be installed. That can be more than what each of them needs alone: two
   * that can each be left out may not be left out together (two copies of a package, one of which must stay).
   */
  closed(chosen: Iterable<number>): ReadonlySet<number>;
}

/** What differs between two lockfiles, in the order of locations. */
export function stepsBetween(old: Lockfile, now: Lockfile): readonly Step[] {
  const locations = new Set([...Object.keys(old.packages), ...Object.keys(now.packages)]);
  return [...locations].sort().flatMap(location => {
    const from = old.packages[location];
    const to = now.packages[location];
    if (from && to && same(from, to)) return [];
    return [{ location, ...(from ? { from } : {}), ...(to ? { to } : {}) }];
  });
}

/** The project itself, at '', has changed if it requires something else. */
const same = (a: Locked, b: Locked): boolean =>
  a.version === b.version &&
  a.resolveLocation === b.resolveLocation &&
  a.integrity === b.integrity &&
  a.link === b.link &&
  asks(a) === asks(b);

const asks = (entry: Locked): string =>
  JSON.stringify([entry.dependencies, entry.devDependencies, entry.optionalDependencies, entry.peerDependencies]);

/**
 * Upgrades with what each of them needs. A step needs another one if a package would otherwise lack a dependency, or have
 * one outside its range: then the dependent must change too, or its dependency must. Steps that need each other are one
 * upgrade.
 */
export function upgradesBetween(old: Lockfile, now: Lockfile): Upgrades {
  const steps = stepsBetween(old, now);
  const tree = treeOver(old, now, steps);
  const needs = steps.map((_, step) => closure(tree, steps, [step]));
  const groups: number[][] = [];
  const groupOf = new Int32Array(steps.length).fill(-1);
  for (const [step, own] of needs.entries()) {
    if (groupOf[step]! >= 0) continue;
    const together = [step, ...[...own].filter(other => other > step && needs[other]!.has(step))];
    for (const member of together) groupOf[member] = groups.length;
    groups.push(together);
  }
  const upgrades = groups.map((members, group) => ({
    label: members.map(member => labelOf(steps[member]!)).join(', '),
    steps: members.map(member => steps[member]!),
    needs: [...new Set(members.flatMap(member => [...needs[member]!].map(other => groupOf[other]!)))]
      .filter(other => other !== group)
      .sort((a, b) => a - b),
  }));
  return {
    upgrades,
    closed: chosen =>
      new Set(
        [
          ...closure(
            tree,
            steps,
            [...chosen].flatMap(group => groups[group]!),
          ),
        ].map(step => groupOf[step]!),
      ),
  };
}

export function labelOf({ location, from, to }: Step): string {
  if (location === '') return 'package.json';
  if (!to) return `${location} ${from?.version ?? ''} removed`;
  if (!from) return `${location} ${to.version ?? ''} added`;
  return `${location} ${from.version} → ${to.version}`;
}

interface Tree {
  readonly locations: readonly string[];
  at(location: string, applied: ReadonlySet<number>): Locked | undefined;
  stepAt(location: string): number | undefined;
  /** Dependencies that are not met when these steps are applied: the dependent, and the name. */
  unmet(applied: ReadonlySet<number>): readonly { readonly location: string; readonly name: string }[];
  readonly now: Lockfile;
}

function treeOver(old: Lockfile, now: Lockfile, steps: readonly Step[]): Tree {
  const number = new Map(steps.map(({ location }, step) => [location, step]));
  const locations = [...new Set([...Object.keys(old.packages), ...Object.keys(now.packages)])];
  const at = (location: string, applied: ReadonlySet<number>): Locked | undefined => {
    const step = number.get(location);
    if (step === undefined) return old.packages[location] ?? now.packages[location];
    return applied.has(step) ? steps[step]!.to : steps[step]!.from;
  };
  const meets = (location: string, name: string, range: string, applied: ReadonlySet<number>): boolean => {
    const found = resolved(location, name, place => at(place, applied) !== undefined);
    if (found === undefined) return false;
    const { version } = at(found, applied)!;
    return version === undefined || satisfies(version, range) !== false;
  };
  const none: ReadonlySet<number> = new Set();
  const every: ReadonlySet<number> = new Set(steps.keys());
  /** The project's own range is changed along with a package, as an upgrade by npm does. */
  const rangesOf = (location: string, name: string, range: string): readonly string[] =>
    location === ''
      ? [range, ...[old, now].flatMap(({ packages }) => packages['']?.dependencies?.[name] ?? [])]
      : [range];
  const isMet = (location: string, name: string, range: string, applied: ReadonlySet<number>): boolean =>
    rangesOf(location, name, range).some(each => meets(location, name, each, applied));
  const unmet: Tree['unmet'] = applied =>
    locations.flatMap(location => {
      const here = at(location, applied);
      if (!here) return [];
      // A range that is already broken in one of the two lockfiles is the user's choice (overrides, old peers), and not ours to fix.
      const end = here === old.packages[location] ? none : every;
      return Object.entries(here.dependencies ?? {})
        .filter(([name, range]) => !isMet(location, name, range, applied) && isMet(location, name, range, end))
        .map(([name]) => ({ location, name }));
    });
  return { locations, at, unmet, stepAt: location => number.get(location), now };
}

/** All steps that must come with these, themselves included. It ends: every round adds a step, and with all of them nothing is unmet. */
function closure(tree: Tree, steps: readonly Step[], chosen: readonly number[]): ReadonlySet<number> {
  const applied = new Set(chosen);
  for (;;) {
    const before = applied.size;
    for (const { location, name } of tree.unmet(applied)) {
      const asker = tree.stepAt(location);
      const changed = asker !== undefined && applied.has(asker);
      // If the dependent has changed, its dependency follows, as in new. If it is still old, it must change too.
      if (asker !== undefined && !changed) applied.add(asker);
      else {
        const wanted = resolved(location, name, place => tree.now.packages[place] !== undefined);
        const target = wanted === undefined ? undefined : tree.stepAt(wanted);
        if (target !== undefined) applied.add(target);
        for (const shadow of shadows(tree, steps, location, name)) applied.add(shadow);
      }
    }
    // What is nested in a package is added and removed with it.
    for (const [other, step] of steps.entries())
      if (!applied.has(other) && isInside(step, tree, steps, applied)) applied.add(other);
    if (applied.size === before) return applied;
  }
}

/** Steps that remove a nearer copy of `name`, which would hide the wanted one. */
const shadows = (tree: Tree, steps: readonly Step[], location: string, name: string): readonly number[] => {
  const found: number[] = [];
  for (let at = location; at !== ''; ) {
    const step = tree.stepAt(`${at}/node_modules/${name}`);
    if (step !== undefined && steps[step]!.to === undefined) found.push(step);
    const above = at.lastIndexOf('/node_modules/');
    at = above < 0 ? '' : at.slice(0, above);
  }
  return found;
};

/** A package whose parent folder is gone can't stay, and one that is added needs its parent folder. */
function isInside({ location, to }: Step, tree: Tree, steps: readonly Step[], applied: ReadonlySet<number>): boolean {
  const above = location.lastIndexOf('/node_modules/');
  if (above < 0 || to !== undefined) return false;
  const holder = tree.stepAt(location.slice(0, above));
  return holder !== undefined && applied.has(holder) && steps[holder]!.to === undefined;
}
