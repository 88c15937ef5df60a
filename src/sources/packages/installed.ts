/** Packages that are installed beside the sources, and that git ignores: no revision contains them, and most tests need them. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../core/artifact.js';
import { namesIn } from '../file-names.js';

const scope = /^@/;
/** Where a package manager installs, and the file that says what. */
const managers = [
  { description: 'package.json', folder: 'node_modules', scoped: scope },
  { description: 'composer.json', folder: 'vendor', scoped: /^(?!bin$|composer$)/ },
] as const;

/** The packages that are installed for these sources. `isIn`: whether a path is part of the sources. */
export function installedPackages(
  root: string,
  sources: readonly string[],
  isIn: (path: string) => boolean,
): ReadonlyMap<string, Entry> {
  const links = new Map<string, Entry>();
  for (const { description, folder, scoped } of managers)
    for (const source of sources) {
      if (source !== description && !source.endsWith(`/${description}`)) continue;
      const packages = source.slice(0, -description.length) + folder;
      if (isIn(packages) || !isFolder(join(root, packages))) continue;
      for (const [name, entry] of linksToPackages(join(root, packages), scoped))
        links.set(`${packages}/${name}`, entry);
    }
  return links;
}

/**
 * A link to each package, and not to the folder that contains them: a test that installs packages replaces links, and not what
 * the user has.
 */
export function linksToPackages(folder: string, scoped: RegExp = scope): ReadonlyMap<string, Entry> {
  const links = new Map<string, Entry>();
  const link = (name: string) => links.set(name, { kind: 'link', target: join(folder, name) });
  for (const name of namesIn(folder) ?? []) {
    // Caches are made again by the tests, each for itself.
    if (name.startsWith('.') && name !== '.bin') continue;
    if (scoped.test(name) && isFolder(join(folder, name)))
      for (const own of namesIn(join(folder, name)) ?? []) link(`${name}/${own}`);
    else link(name);
  }
  return links;
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
