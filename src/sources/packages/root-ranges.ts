/** What a project asks for while only some of its packages are upgraded: for each of them the range that fits, the old one or the new one. */
import type { Locked } from './lockfile.js';
import { satisfies } from './semver.js';

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** A name and its two ranges. */
export interface Range {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The ranges to replace in `root` so that they fit the versions. `other`: the same project in the other lockfile. */
export function rangesToReplace(
  root: Locked,
  other: Locked | undefined,
  versionOf: (name: string) => string | undefined,
): readonly Range[] {
  const found = new Map<string, Range>();
  for (const kind of kinds)
    for (const [name, from] of Object.entries(root[kind] ?? {})) {
      const to = other?.[kind]?.[name];
      const version = versionOf(name);
      if (to === undefined || to === from || version === undefined) continue;
      if (satisfies(version, from) === false && satisfies(version, to) !== false) found.set(name, { name, from, to });
    }
  return [...found.values()];
}

/** The project with these ranges. */
export function withRanges(root: Locked, ranges: readonly Range[]): Locked {
  const changed: Record<string, unknown> = { ...root };
  for (const kind of kinds) {
    if (!root[kind]) continue;
    const own = { ...root[kind] };
    for (const { name, from, to } of ranges) if (own[name] === from) own[name] = to;
    changed[kind] = own;
  }
  return changed as Locked;
}

/** `package.json` with these ranges; everything else in it stays as it is written. */
export function manifestWith(text: string, ranges: readonly Range[]): string {
  let changed = text;
  for (const { name, from, to } of ranges) {
    const entry = new RegExp(`(${quoted(name)}\\s*:\\s*)${quoted(from)}`, 'g');
    changed = changed.replace(entry, (_, before: string) => before + JSON.stringify(to));
  }
  return changed;
}

const quoted = (text: string): string => JSON.stringify(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
