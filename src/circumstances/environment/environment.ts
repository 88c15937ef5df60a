/** Environment variables as deltas: unset in one environment, or different between two. */
import type { Artifact } from '../../core/artifact.js';
import { type Circumstance, type Configuration, has } from '../../core/index.js';
import { type Environment, masked } from '../../sources/environment/secrets.js';

export interface EnvironmentSettings {
  /** Names that are always set: they are not deltas. */
  readonly protected?: readonly string[];
}

/** Each variable is a delta. If it is left out, it is unset. */
export function environmentOf(env: Environment, settings: EnvironmentSettings = {}): Circumstance<Environment> {
  const kept = new Set(settings.protected);
  const names = Object.keys(env).filter(name => !kept.has(name));
  const numbers = new Map(names.map((name, delta) => [name, delta]));
  return {
    name: 'variable',
    count: names.length,
    weights: names.map(name => name.length + env[name]!.length + 1),
    build: configuration =>
      Object.fromEntries(
        Object.entries(env).filter(([name]) => {
          const delta = numbers.get(name);
          return delta === undefined || has(configuration, delta);
        }),
      ),
    describe: delta => `${names[delta]!}=${masked(names[delta]!, env[names[delta]!]!)}`,
  };
}

/** Each candidate is a delta: applied, the variable is set to this value. Nothing applied is the environment itself. */
export function addingVariables(env: Environment, candidates: Environment): Circumstance<Environment> {
  const entries = Object.entries(candidates).filter(([name, value]) => own(env, name) !== value);
  return {
    name: 'variable',
    count: entries.length,
    build: configuration => ({
      ...env,
      ...Object.fromEntries(entries.filter((_, delta) => has(configuration, delta))),
    }),
    describe: delta => `${entries[delta]![0]}=${masked(...entries[delta]!)}`,
  };
}

export interface Difference {
  readonly name: string;
  /** `undefined`: it is not set there. */
  readonly passing?: string;
  readonly failing?: string;
}

/** The variables in which two environments differ, by name. */
export function differencesOf(passing: Environment, failing: Environment): readonly Difference[] {
  const names = [...new Set([...Object.keys(passing), ...Object.keys(failing)])].sort();
  return names
    .filter(name => own(passing, name) !== own(failing, name))
    .map(name => ({ name, passing: own(passing, name), failing: own(failing, name) }));
}

/**
 * From a passing environment to a failing one: nothing applied is the first, everything applied is the second, and each
 * variable that was added, removed or changed is one delta. For `dd`, which narrows from both sides.
 */
export function betweenEnvironments(passing: Environment, failing: Environment): Circumstance<Environment> {
  const differences = differencesOf(passing, failing);
  return {
    name: 'variable',
    count: differences.length,
    build(configuration: Configuration) {
      const env = new Map(Object.entries(passing));
      differences.forEach(({ name, failing: value }, delta) => {
        if (!has(configuration, delta)) return;
        if (value === undefined) env.delete(name);
        else env.set(name, value);
      });
      return Object.fromEntries(env);
    },
    describe: delta => shownDifference(differences[delta]!),
  };
}

export function shownDifference({ name, passing, failing }: Difference): string {
  const shown = (value: string) => JSON.stringify(masked(name, value));
  if (passing === undefined) return `${name} is set to ${shown(failing!)}`;
  if (failing === undefined) return `${name} is not set (was ${shown(passing)})`;
  return `${name}: ${shown(passing)} → ${shown(failing)}`;
}

/** The same deltas over a whole artifact: files and arguments stay, the environment varies. */
export function overEnv(circumstance: Circumstance<Environment>, artifact: Artifact): Circumstance<Artifact> {
  return {
    ...circumstance,
    build(configuration) {
      const env = circumstance.build(configuration);
      return env && { ...artifact, env };
    },
  };
}

const own = (env: Environment, name: string): string | undefined => (Object.hasOwn(env, name) ? env[name] : undefined);
