/**
 * Many commands need the files around their input: `npm test`, `make`, a linter with its settings. They run in a copy of the
 * user's folder, in which the input lies where it lies in the original.
 */
import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Artifact, Entry } from '../../core/artifact.js';
import type { Given } from '../../sources/files.js';
import { hidesPackages, standardInput } from '../../sources/input.js';
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
  const isHidden = (path: string) => hidesPackages(leftOut) && /(?:^|\/)node_modules$/.test(path);
  const isOut = (path: string) => out.some(each => path === each || path.startsWith(`${each}/`)) || isHidden(path);
  const kept = [...files].filter(([path]) => !isOut(path));
  return {
    given: moved,
    files: new Map(kept),
    linked: linked.filter(path => kept.some(([each]) => each === path)),
    places: new Map(given.map(({ name }, i) => [name, inputs[i]!])),
  };
}

/** What an oracle is opened with, so that its tests run in copies of the folder: all words of the command mean what they say. */
export const optionsInFolder = (options: OracleOptions, { given, files, places }: InFolder): OracleOptions => ({
  ...options,
  given,
  places,
  beside: new Map([...moved(options.beside ?? new Map(), places), ...files]),
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
