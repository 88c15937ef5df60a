/** Distinguishes the files that a build made from those that a test made. */
import { lstatSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { itemsIn, namesIn, onDisk } from '../../sources/file-names.js';
import { remove } from '../remove.js';

/**
 * What a build made next to the sources, so that what a test makes can be distinguished and removed: a test must not see
 * another test's leftovers. A folder with an unchanged time has the same names in it as before and is not listed again, so
 * a large node_modules costs next to nothing. What a test writes into a file that the build made is not noticed.
 */
export interface Products {
  /** Records what is there after a build. */
  note(): void;
  /** Removes what was added since. `isOwn`: the paths of the artifact, which are handled elsewhere. */
  sweep(isOwn: (path: string) => boolean): void;
  /** Removes what was probably made from a source that is gone: `make` never does, and may link it. */
  dropMadeFrom(path: string, isOwn: (path: string) => boolean): void;
  /** Removes static libraries: what was once put into one stays in it. */
  dropArchives(isOwn: (path: string) => boolean): void;
}

interface Listed {
  readonly changed: number;
  readonly names: ReadonlySet<string>;
  readonly folders: readonly string[];
}

export function productsIn(root: string): Products {
  const known = new Map<string, Listed>();

  const changedAt = (folder: string): number | undefined => {
    const stats = lstatSync(onDisk(join(root, folder)), { throwIfNoEntry: false });
    return stats?.isDirectory() ? stats.mtimeMs : undefined;
  };
  const list = (folder: string, changed: number): Listed => {
    const items = itemsIn(join(root, folder));
    const path = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    return {
      changed,
      names: new Set(items.map(item => item.name)),
      folders: items.filter(item => item.isDirectory()).map(item => path(item.name)),
    };
  };
  const visit = (folder: string): void => {
    const changed = changedAt(folder);
    const before = known.get(folder);
    if (changed === undefined) {
      known.delete(folder);
      return;
    }
    const now = before?.changed === changed ? before : list(folder, changed);
    known.set(folder, now);
    for (const each of now.folders) visit(each);
  };

  const drop = (isMeant: (name: string) => boolean, isOwn: (path: string) => boolean): void => {
    for (const [folder, { names }] of known) {
      // Packages of others are not made from these sources.
      if (/(^|\/)node_modules(\/|$)/.test(folder)) continue;
      for (const name of names) {
        const made = folder === '' ? name : `${folder}/${name}`;
        if (isMeant(name) && !isOwn(made)) rmSync(onDisk(join(root, made)), { force: true });
      }
    }
  };

  return {
    note: () => visit(''),
    sweep(isOwn) {
      for (const [folder, before] of known) {
        const changed = changedAt(folder);
        if (changed === undefined || changed === before.changed) continue;
        for (const name of namesIn(join(root, folder))) {
          const path = folder === '' ? name : `${folder}/${name}`;
          if (!before.names.has(name) && !isOwn(path)) remove(onDisk(join(root, path)));
        }
      }
    },
    dropMadeFrom(path, isOwn) {
      const stem = basename(path).replace(/\.[^.]*$/, '');
      if (stem !== '')
        drop(
          name => isMadeFrom(name, stem),
          made => made === path || isOwn(made),
        );
    },
    dropArchives: isOwn => drop(name => /\.l?a$/.test(name), isOwn),
  };
}

const isMadeFrom = (name: string, stem: string): boolean =>
  name.startsWith(`${stem}.`) && /\.(o|lo|obj|a|d|gcno|gcda|class|pyc|js|mjs|cjs|map|tsbuildinfo)$/.test(name);
