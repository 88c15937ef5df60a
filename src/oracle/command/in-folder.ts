/**
 * Many commands need the files around their input: `npm test`, `make`, a linter with its settings. They run in a copy of the
 * user's folder, in which the input lies where it lies in the original.
 */
import { realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Artifact, Entry } from '../../core/artifact.js';
import type { Given } from '../../sources/files.js';
import { hidesPackages, standardInput } from '../../sources/input.js';
import { linksToPackages } from '../../sources/packages/installed.js';
import type { Selection } from '../../sources/selection.js';
import { surroundingsOf } from '../../sources/surroundings.js';
import type { OracleOptions } from './options.js';

export interface InFolder {
  /** The inputs, with their paths from the folder as their names. */
  readonly given: readonly Given[];
  /** What else is in the folder. */
  readonly files: ReadonlyMap<string, Entry>;
  /** What all tests share with the user. */
  readonly linked: readonly string[];
  /** Where an input lies, by its own name. */
  readonly places: ReadonlyMap<string, string>;
}

/** What of the folder is not copied. */
export interface LeftOut extends Selection {
  /** Results of culprit: they are not part of what the command works on. */
  readonly results: readonly string[];
}

/** Nothing if an input is not inside the folder, or if it could only be reached through the user's own files. */
export function inFolder(given: readonly Given[], cwd: string, leftOut: LeftOut): InFolder | undefined {
  if (given.some(({ path }) => path === standardInput)) return undefined;
  const folder = realpathSync(cwd);
  const placeOf = (path: string): string => relative(folder, resolve(folder, path));
  const moved = given.map(each => ({ ...each, name: placeOf(each.path) }));
  if (moved.some(({ name }) => name === '' || name.startsWith('..'))) return undefined;
  const { files, linked } = surroundingsOf(folder);
  const inputs = moved.map(({ name }) => name);
  const isLed = inputs.some(name =>
    [...files].some(([path, { kind }]) => kind === 'link' && name.startsWith(`${path}/`)),
  );
  if (isLed) return undefined;
  const out = [...inputs, ...leftOut.results.map(placeOf)];
  // What a test does to a repository would be done to the user's.
  const isHidden = (path: string) => path === '.git' || (hidesPackages(leftOut) && packages.test(path));
  const isOut = (path: string) => out.some(each => path === each || path.startsWith(`${each}/`)) || isHidden(path);
  const kept = new Map([...files].filter(([path]) => !isOut(path)));
  return {
    given: moved,
    files: eachPackage(kept, folder),
    linked: linked.filter(path => kept.has(path)),
    places: new Map(given.map(({ name }, i) => [name, inputs[i]!])),
  };
}

const packages = /(?:^|\/)node_modules$/;

/** A link to each package in the place of one to all of them: a test may install packages, and must not do it for the user. */
const eachPackage = (files: ReadonlyMap<string, Entry>, folder: string): ReadonlyMap<string, Entry> =>
  new Map(
    [...files].flatMap(([path, entry]): readonly (readonly [string, Entry])[] =>
      entry.kind === 'link' && packages.test(path)
        ? [...linksToPackages(resolve(folder, dirname(path), entry.target))].map(([name, link]) => [
            `${path}/${name}`,
            link,
          ])
        : [[path, entry]],
    ),
  );

/** What an oracle is opened with, so that its tests run in copies of the folder: all words of the command mean what they say. */
export const optionsInFolder = (options: OracleOptions, { given, files, places }: InFolder): OracleOptions => ({
  ...options,
  given,
  places,
  beside: new Map([...eachPackage(moved(options.beside ?? new Map(), places), '/'), ...files]),
  inside: () => true,
});

/** An artifact with its inputs at their places. */
export const placed = (artifact: Artifact, places: ReadonlyMap<string, string>): Artifact =>
  [...places].every(([name, place]) => name === place)
    ? artifact
    : { ...artifact, files: moved(artifact.files, places) };

const moved = (files: ReadonlyMap<string, Entry>, places: ReadonlyMap<string, string>): ReadonlyMap<string, Entry> =>
  new Map(
    [...files].map(([path, entry]) => {
      const end = path.indexOf('/');
      const name = end < 0 ? path : path.slice(0, end);
      return [(places.get(name) ?? name) + path.slice(name.length), entry];
    }),
  );
