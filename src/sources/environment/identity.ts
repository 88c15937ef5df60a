/** Identifies an artifact without revealing the values of its variables. */
import type { Artifact } from '../../core/artifact.js';
import { identify } from '../files.js';
import { identityOf } from './secrets.js';

/** Identifies an artifact with an environment. Without the salt, no value of a variable can be guessed from it. */
export const identifyWith =
  (salt: string) =>
  ({ env, ...artifact }: Artifact): string =>
    env ? `${identify(artifact)}.${identityOf(env, salt).slice(0, 32)}` : identify(artifact);
