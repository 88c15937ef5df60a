/** Packages that are installed beside the sources, and that git ignores: no revision contains them, and most tests need them. */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../core/artifact.js';
import { namesIn } from '../file-names.js';

/** Where a package manager installs, and the file that says what. */
const managers = [
  { description: 'package.json', folder: 'node_modules', scoped: /^@/ },
  { description: 'composer.json', folder: 'vendor', scoped: /^(?!bin$|composer$)/ },
] as const;

/**
 * A link to each package, and not to the folder that contains them: a test that installs packages replaces links, and not what
 * the user has. `isIn`: whether a path is part of the sources.
 */
export function installedPackages(
  root: string,
  sources: readonly string[],
  isIn: (path: string) => boolean,
): ReadonlyMap<string, Entry> {
  const links = new Map<string, Entry>();
  const link = (path: string) => links.set(path, { kind: 'link', target: join(root, path) });
  for (const { description, folder, scoped } of managers)
    for (const source of sources) {
      if (source !== description && !source.endsWith(`/${description}`)) continue;
      const packages = source.slice(0, -description.length) + folder;
      if (isIn(packages) || !isFolder(join(root, packages))) continue;
      for (const name of namesIn(join(root, packages)) ?? []) {
        const path = `${packages}/${name}`;
        // Caches are made again by the tests, each for itself.
        if (name.startsWith('.') && name !== '.bin') continue;
        if (scoped.test(name) && isFolder(join(root, path)))
          for (const own of namesIn(join(root, path)) ?? []) link(`${path}/${own}`);
        else link(path);
      }
    }
  return links;
}

const isFolder = (path: string): boolean => existsSync(path) && lstatSync(path).isDirectory();
