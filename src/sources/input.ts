/** Reads what is to be reduced: files, folders without what git ignores, or standard input. */
import { realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Artifact, Entry } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import { demandSize, type Given, readArtifact } from './files.js';
import { chooserFor, packagesAbove, type Selection } from './selection.js';

/** How standard input is named on a command line. */
export const standardInput = '-';

export interface Input {
  readonly artifact: Artifact;
  readonly given: readonly Given[];
  /** Installed packages: each workspace has links to them. They are not part of the input. */
  readonly linked: ReadonlyMap<string, Entry>;
  /** What is left out of the folders, as shown to people: `proj/dist`. */
  readonly leftOut: readonly string[];
}

export interface Reading extends Selection {
  /** The extension that a text on standard input gets, with its dot. */
  readonly extension?: string;
}

/** Files and folders, or standard input, which may take as long as the program that writes it. */
export const readInput = async (paths: readonly string[], reading: Reading = {}): Promise<Input> =>
  paths.includes(standardInput) ? readStandardInput(paths, reading) : readPaths(paths, reading);

export function readPaths(paths: readonly string[], reading: Reading = {}): Input {
  const input = readChosen(paths, reading);
  demandFolder(input.given, reading);
  // A run folder has a .gitignore that excludes everything in it.
  const isAllIgnored = input.artifact.files.size === 0 && input.leftOut.length > 0 && !reading.exclude;
  return isAllIgnored ? readChosen(paths, { ...reading, gitignore: false }) : input;
}

/** Only the links, for a run that has stored its input. */
export function linksBeside(paths: readonly string[], reading: Reading): ReadonlyMap<string, Entry> {
  if (paths.includes(standardInput)) return linksAround(process.cwd(), reading);
  try {
    return readPaths(paths, reading).linked;
  } catch {
    // The input no longer exists.
    return new Map();
  }
}

function readChosen(paths: readonly string[], reading: Reading): Input {
  const leftOut: string[] = [];
  const linked = new Map<string, Entry>();
  const unused = new Set(reading.exclude);
  const { artifact, given } = readArtifact(paths, (root, name) => {
    const chooser = chooserFor(root, reading, glob => unused.delete(glob));
    return (path, isFolder) => {
      const choice = chooser.choose(path, isFolder);
      if (choice === 'in' || (isFolder && chooser.mayHoldIncluded(path))) return true;
      const shown = `${name}/${relative(root, path)}`;
      if (choice === 'link') linked.set(shown, { kind: 'link', target: path });
      else leftOut.push(shown);
      return false;
    };
  });
  if (unused.size > 0 && given.some(each => each.folder))
    throw new UserError(
      `--exclude ${[...unused][0]} matches nothing in ${paths.join(', ')}.`,
      'A pattern is written as in .gitignore, relative to the folder: *.log, /dist, docs/**/*.png.',
    );
  const [first] = given;
  const around = first ? linksAround(dirname(realpathSync(first.path)), reading) : [];
  for (const [path, entry] of around) if (!given.some(each => each.name === path)) linked.set(path, entry);
  return { artifact, given, linked, leftOut };
}

/** Whether the tests must not see any packages. */
export const hidesPackages = ({ exclude }: Selection): boolean =>
  exclude?.some(glob => /^\/?node_modules\/?$/.test(glob)) === true;

/** Programs find packages in the nearest `node_modules` above them; in a workspace that is the one at its top. */
function linksAround(folder: string, selection: Selection): ReadonlyMap<string, Entry> {
  const target = packagesAbove(folder);
  if (target === undefined || hidesPackages(selection)) return new Map();
  return new Map([['node_modules', { kind: 'link', target }]]);
}

function demandFolder(given: readonly Given[], { exclude, include }: Selection): void {
  const option = exclude ? '--exclude' : include ? '--include' : undefined;
  // A pattern that excludes packages is useful for a file, too.
  if (option === undefined || given.some(each => each.folder) || exclude?.every(glob => glob.includes('node_modules')))
    return;
  throw new UserError(
    `${option} selects files of a folder, but ${given.map(each => each.path).join(', ')} is not a folder.`,
    `Remove ${option}, or give the folder. To protect a part of a file, use --keep.`,
  );
}

async function readStandardInput(paths: readonly string[], reading: Reading): Promise<Input> {
  if (paths.length > 1)
    throw new UserError(
      'Standard input (-) cannot be combined with other inputs.',
      'Write it to a file first, and give all files: culprit reduce a.txt b.txt -- ./test.sh',
    );
  if (process.stdin.isTTY)
    throw new UserError(
      'The input - is standard input, which is the terminal.',
      'Pipe or redirect something into it: culprit reduce - -- ./test.sh {} < bug.txt',
    );
  const name = `stdin${reading.extension ?? ''}`;
  const given = [{ path: standardInput, name, folder: false }];
  demandFolder(given, reading);
  const bytes = await bytesOfStandardInput();
  const linked = linksAround(resolve('.'), reading);
  return { artifact: { files: new Map([[name, { kind: 'file', bytes }]]) }, given, linked, leftOut: [] };
}

/** Read as a stream: as long as nothing comes, Ctrl-C must still end the process. */
async function bytesOfStandardInput(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of process.stdin) {
      parts.push(part);
      demandSize('Standard input', (size += part.length));
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `Standard input can't be read: ${(error as Error).message}.`,
      'Pipe or redirect something into it: culprit reduce - -- ./test.sh {} < bug.txt',
    );
  }
}
