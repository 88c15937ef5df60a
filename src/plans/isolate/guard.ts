/** Leaves out candidates that do not parse, if both ends of the search do. */
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

/** Without the candidates that `fits` refuses; all of them if there is nothing to refuse by. */
export const guarded = <Built>(
  circumstance: Circumstance<Built>,
  fits: ((built: Built) => boolean) | undefined,
): Circumstance<Built> =>
  fits === undefined
    ? circumstance
    : {
        ...circumstance,
        build(configuration) {
          const built = circumstance.build(configuration);
          return built !== undefined && fits(built) ? built : undefined;
        },
      };
