/** The searches of `culprit env`: variables first, then their values. */
import { betweenEnvironments, environmentOf, overEnv } from '../../circumstances/environment/environment.js';
import { betweenValues, valuesOf } from '../../circumstances/environment/values.js';
import type { Artifact } from '../../core/artifact.js';
import { all, type Circumstance, type Configuration, empty, type Strategy, type Test } from '../../core/index.js';
import { addAll } from '../../core/lists.js';
import { Counter, type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import type { Environment } from '../../sources/environment/secrets.js';
import { dd } from '../../strategies/index.js';
import type { Confirming } from '../confirm.js';
import type { Pass } from '../pass.js';
import type { Proof } from '../proof.js';
import { confirmSides, proofsOfSides, type Sides } from '../sides.js';

export interface EnvironmentOptions {
  /** Only find which variables matter, and leave their values alone. */
  readonly namesOnly?: boolean;
}

/** Whole variables first, then the entries of their values (a PATH folder by folder), then characters. */
export function environmentPasses({ namesOnly = false }: EnvironmentOptions = {}): readonly Pass<Artifact>[] {
  const pass = (name: string, proves: string, over: (env: Environment) => Circumstance<Environment>) => ({
    name,
    proves,
    stable: name === 'variables',
    over(artifact: Artifact) {
      const circumstance = over(artifact.env ?? {});
      return circumstance.count === 0 ? undefined : overEnv(circumstance, artifact);
    },
  });
  const variables = pass('variables', 'variable', environmentOf);
  if (namesOnly) return [variables];
  return [
    variables,
    pass('values', 'entry', valuesOf),
    pass('characters of values', 'character', env => valuesOf(env, { by: 'char' })),
  ];
}

/** The size of an environment, as `execve` counts it: NAME=value and its end. */
export const bytesOfEnvironment = (env: Environment): number =>
  Object.entries(env).reduce((sum, [name, value]) => sum + name.length + value.length + 2, 0);

export interface EnvironmentPair {
  readonly passing: Environment;
  readonly failing: Environment;
}

export interface IsolatedEnvironment extends EnvironmentPair {
  readonly ended: Ended;
  readonly minimal: readonly string[];
  readonly proofs: readonly Proof<Artifact>[];
}

interface IsolateEnvironmentOptions extends EnvironmentOptions, ExploreOptions<Artifact>, Confirming {
  readonly identify: (artifact: Artifact) => string;
  /** The algorithm that narrows; `dd` by default. */
  readonly strategy?: Strategy<unknown, unknown>;
  /** Called with each narrower pair. */
  readonly keep?: (pair: EnvironmentPair) => void;
}

/** Narrows the difference between two environments from both sides: variables, then entries of those that both set. */
export async function* isolateEnvironment(
  pair: EnvironmentPair,
  surroundings: Artifact,
  test: Test<Artifact>,
  { namesOnly = false, strategy = dd(), keep, ...options }: IsolateEnvironmentOptions,
): AsyncGenerator<Event, IsolatedEnvironment> {
  let { passing, failing } = pair;
  const minimal: string[] = [];
  const proofs: Proof<Artifact>[] = [];
  const inEnv = (env: Environment): Artifact => ({ ...surroundings, env });
  const history: Sides<Artifact>[] = [{ passing: inEnv(passing), failing: inEnv(failing) }];
  const levels = [
    { name: 'variables that differ', of: betweenEnvironments },
    ...(namesOnly ? [] : [{ name: 'entries that differ', of: betweenValues }]),
  ];
  for (const { name, of } of levels) {
    const circumstance = of(passing, failing);
    let sides: Sides<Configuration> = { failing: all(circumstance.count), passing: empty };
    // One difference is as small as a difference gets.
    if (circumstance.count > 1) {
      yield { type: 'pass', pass: name, round: 1, deltas: circumstance.count, strategy: strategy.name };
      const narrowed = (worst: Configuration, best: Configuration) => {
        const [bad, good] = [circumstance.build(worst), circumstance.build(best)];
        if (bad && good) keep?.({ passing: good, failing: bad });
      };
      const end = yield* explore(strategy, overEnv(circumstance, surroundings), test, { ...options, narrowed });
      passing = (end.passing && circumstance.build(end.passing)) ?? passing;
      failing = circumstance.build(end.best) ?? failing;
      if (end.ended !== 'done') return { passing, failing, ended: end.ended, minimal, proofs };
      sides = { failing: end.best, passing: end.passing ?? empty };
    }
    if (circumstance.count === 0) continue;
    minimal.push(circumstance.name);
    addAll(proofs, proofsOfSides(overEnv(circumstance, surroundings), sides, options.identify));
    history.push({ passing: inEnv(passing), failing: inEnv(failing) });
  }
  const { counter = new Counter() } = options;
  const again = yield* confirmSides(history, test, { ...options, counter });
  const { env: good = {} } = again.artifact.passing;
  const { env: bad = {} } = again.artifact.failing;
  const isHeld = again.how === 'held';
  return { passing: good, failing: bad, ended: again.ended, minimal: isHeld ? minimal : [], proofs };
}
