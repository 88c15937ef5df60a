/** Recognises a command that did not start, and finds programs on the PATH. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Test, Verdict } from '../../core/index.js';
import type { Environment } from '../../sources/environment/secrets.js';

/**
 * A command that did not even start says nothing about a variable. Shells, `env`, `timeout` and the dynamic loader all
 * end with 127 (not found, or a library is missing) or 126 (can't be executed) when they can't start a program
 * (POSIX.1-2017, XCU 2.8.2). So: an exit of 126 or 127 that the original run did not show is unresolved, whatever rule
 * judged it. If the original itself ends like that ("command not found" in CI), that is the failure, and nothing is changed.
 */
export const didNotStart = (verdict: Verdict, original: Verdict): boolean =>
  (verdict.exit === 126 || verdict.exit === 127) && verdict.exit !== original.exit;

/** Wraps a test of environments: what did not start is unresolved. */
export const requireStart =
  <Artifact>(original: Verdict, test: Test<Artifact>): Test<Artifact> =>
  async (artifact, signal) => {
    const verdict = await test(artifact, signal);
    return didNotStart(verdict, original)
      ? { ...verdict, outcome: 'unresolved', reason: 'the command does not start without it' }
      : verdict;
  };

/**
 * The program as a path, found in the PATH of the original environment, so that leaving PATH out of a candidate does not
 * decide whether the command is found. `undefined` if there is none: the command is then left as it is.
 */
export function whereIs(program: string, env: Environment, folder: string): string | undefined {
  if (program.includes('/')) return isAbsolute(program) ? program : resolve(folder, program);
  for (const each of (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter)) {
    const path = join(resolve(folder, each || '.'), program);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not there, or not executable: the next folder of PATH may have it.
    }
  }
  return undefined;
}
