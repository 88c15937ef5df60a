import { readFileSync } from 'node:fs';
import { UserError } from '../../core/index.js';

/** One installed package of a lockfile: what is below a location such as `node_modules/a/node_modules/b`. */
export interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
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
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UserError(`There is no lockfile ${path}.`, 'Give the paths of two package-lock.json files.');
  }
  return parseLockfile(text, path);
}

export function parseLockfile(text: string, path = 'package-lock.json'): Lockfile {
  let json: { lockfileVersion?: number; packages?: Record<string, Locked> };
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UserError(
      `${path} is not JSON: ${(error as Error).message}`,
      'Was it merged by hand? `npm install --package-lock-only` mends it.',
    );
  }
  if (!json.packages)
    throw new UserError(
      `${path} has lockfile version ${json.lockfileVersion ?? 'none'}; version 2 or 3 is needed, which lists packages by their place.`,
      'npm 7 and later writes it:\n  npm install --package-lock-only --lockfile-version 3',
    );
  return { text, lockfileVersion: json.lockfileVersion ?? 3, packages: json.packages };
}

/** The location that a package at `from` gets `name` from: its own node_modules, then those above it. */
export function resolved(from: string, name: string, isThere: (location: string) => boolean): string | undefined {
  for (let at = from; ; ) {
    const location = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (isThere(location)) return location;
    if (at === '') return undefined;
    const above = at.lastIndexOf('/node_modules/');
    at = above < 0 ? '' : at.slice(0, above);
  }
}
