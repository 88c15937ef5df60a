/** Leaves out candidates that do not parse, if both ends of the search do. */
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import { parseGuard } from '../parse-guard.js';
import { bothText, type Pair } from './texts.js';

/** What people see should parse: half a JSON member or half a declaration explains nothing. */
export const guardOf = ({ passing, failing }: Pair) =>
  parseGuard(
    [...failing.files.keys()]
      .filter(path => bothText(passing, failing, path))
      .map(path => ({ paths: [path], ends: [passing.files.get(path), failing.files.get(path)] as const })),
  );

export type Fits = ((artifact: Artifact) => boolean) | undefined;

export const guarded = (circumstance: Circumstance<Artifact>, fits: Fits): Circumstance<Artifact> =>
  fits === undefined
    ? circumstance
    : {
        ...circumstance,
        build(configuration) {
          const artifact = circumstance.build(configuration);
          return artifact && fits(artifact) ? artifact : undefined;
        },
      };

export const bothFit = (circumstance: Circumstance<Pair>, fits: Fits): Circumstance<Pair> =>
  fits === undefined
    ? circumstance
    : {
        ...circumstance,
        build(configuration) {
          const pair = circumstance.build(configuration);
          return pair && fits(pair.passing) && fits(pair.failing) ? pair : undefined;
        },
      };
