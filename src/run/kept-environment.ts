/** Keeps the environment of a run without its secrets. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../core/index.js';
import type { Environment } from '../sources/environment/secrets.js';
import { isSecret } from '../sources/environment/secrets.js';
import { writable, writeFile } from './atomic-write.js';
import type { RunFolder } from './run-folder.js';

/** The variables of this process. */
export const ownEnvironment = (): Environment =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));

/**
 * The key that the run's environments are hashed with. It is next to the journal and not in it, so a journal that is shared
 * reveals no secrets, not even to someone who can guess them.
 */
export function saltOf({ path: run, journal }: RunFolder): string {
  const path = join(run, 'salt');
  // A hash of the salt, which is random: it reveals nothing about what is hashed with it.
  const known = journal.noted('salt');
  const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (known === undefined) {
    // Recorded once it is on disk, so that a run that is killed in between uses this salt, or a new one.
    const salt = found ?? randomBytes(16).toString('hex');
    if (found === undefined) writable(path, () => writeFile(path, salt, { secret: true, exclusive: true, sync: true }));
    journal.note('salt', hash('sha256', salt));
    return salt;
  }
  if (found !== undefined && hash('sha256', found) === known) return found;
  throw new UserError(
    `${path} is ${found === undefined ? 'missing' : 'not what it was'}, and the run needs it to identify its tests.`,
    'Start the run again.',
    1,
  );
}

/** Variables as the journal has them, in their order: a value, or the hash of a secret. */
type Kept = readonly (readonly [name: string, value: string | { readonly hash: string }])[];

/**
 * The environment that a run starts with, even if it is resumed later and elsewhere. Secrets are not stored: they are read
 * again from `now`, and must not have changed.
 */
export function keptEnvironment(folder: RunFolder, name: string, now: Environment, where: string): Environment {
  const { journal } = folder;
  const hashOf = (variable: string, value: string) =>
    createHmac('sha256', saltOf(folder)).update(`${variable}=${value}`).digest('base64url');
  const known = journal.noted<Kept>(name);
  if (!known) {
    const kept: Kept = Object.entries(now).map(([each, value]) => [
      each,
      isSecret(each, value) ? { hash: hashOf(each, value) } : value,
    ]);
    journal.note(name, kept);
    return now;
  }
  const lost: string[] = [];
  const entries = known.map(([each, value]) => {
    if (typeof value === 'string') return [each, value] as const;
    const secret = now[each];
    if (secret === undefined || hashOf(each, secret) !== value.hash) lost.push(each);
    return [each, secret ?? ''] as const;
  });
  if (lost.length > 0)
    throw new UserError(
      `${lost.join(', ')} ${lost.length === 1 ? 'is' : 'are'} not set in ${where} as when the run began.`,
      'Values that look like secrets are not kept. Set them as they were, and resume again.',
      1,
    );
  return Object.fromEntries(entries);
}
