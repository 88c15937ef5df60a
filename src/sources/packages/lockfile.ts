/** Reads package-lock.json. */
import { UserError } from '../../core/index.js';
import { boolean, Mismatch, number, object, optional, record, string } from '../../core/schema.js';
import { readNamed } from '../read-named.js';

/** One installed package of a lockfile, at a location such as `node_modules/a/node_modules/b`. */
export interface Locked {
  readonly version?: string | undefined;
  readonly resolveLocation?: string | undefined;
  readonly integrity?: string | undefined;
  readonly link?: boolean | undefined;
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
  readonly optionalDependencies?: Readonly<Record<string, string>> | undefined;
  readonly peerDependencies?: Readonly<Record<string, string>> | undefined;
  readonly devDependencies?: Readonly<Record<string, string>> | undefined;
}

export interface Lockfile {
  readonly text: string;
  readonly lockfileVersion: number;
  /** By location; the project itself is at ''. */
  readonly packages: Readonly<Record<string, Locked>>;
}

export function readLockfile(path: string): Lockfile {
  let text: string;
  try {
    text = readNamed(path).toString();
  } catch (error) {
    throw new UserError(
      `The lockfile ${path} can't be read: ${(error as Error).message}.`,
      'Give the paths of two package-lock.json files.',
    );
  }
  return parseLockfile(text, path);
}

export function parseLockfile(text: string, path = 'package-lock.json'): Lockfile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path} is not JSON: ${(error as Error).message}`, advice);
  }
  try {
    const { lockfileVersion, packages } = lockfile(json);
    if (packages) return { text, lockfileVersion: lockfileVersion ?? 3, packages };
    throw new UserError(
      `${path} has lockfile version ${lockfileVersion ?? 'none'}; version 2 or 3 is needed, which lists packages by location.`,
      'npm 7 and later writes it:\n  npm install --package-lock-only --lockfile-version 3',
    );
  } catch (error) {
    if (error instanceof Mismatch) throw new UserError(`${path} is damaged: ${error.message}.`, advice);
    throw error;
  }
}

const advice = 'Was it merged by hand? `npm install --package-lock-only` repairs it.';

const ranges = optional(record(string));
const locked = object({
  version: optional(string),
  resolved: optional(string),
  integrity: optional(string),
  link: optional(boolean),
  dependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
  devDependencies: ranges,
});
const lockfile = object({ lockfileVersion: optional(number), packages: optional(record(locked)) });

/** The location where a package at `from` finds `name`: its own node_modules, then those above it. */
export function resolved(from: string, name: string, isThere: (location: string) => boolean): string | undefined {
  for (let at = from; ; ) {
    const location = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (isThere(location)) return location;
    if (at === '') return undefined;
    const above = at.lastIndexOf('/node_modules/');
    at = above < 0 ? '' : at.slice(0, above);
  }
}
