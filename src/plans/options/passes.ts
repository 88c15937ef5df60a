/** The passes of `options`. */
import { overArgs } from '../../circumstances/options/artifact.js';
import { isUncertain, type OptionSettings, optionsOf } from '../../circumstances/options/options.js';
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import type { Pass } from '../pass.js';

/**
 * Options with their values first; then, if a value was only a guess, the option and the next word separately.
 * An artifact's arguments begin with the program.
 */
export function optionPasses(args: readonly string[], settings: OptionSettings = {}): readonly Pass<Artifact>[] {
  const over = (uncertain: 'together' | 'apart') => (artifact: Artifact) => {
    const [program = '', ...rest] = artifact.args ?? args;
    const options = optionsOf(rest, { program, ...settings, uncertain });
    return options.count === 0 ? undefined : overArgs(after(program, options), artifact);
  };
  const [program = '', ...rest] = args;
  const together: Pass<Artifact> = { name: 'options', proves: 'option', over: over('together') };
  const apart: Pass<Artifact> = { name: 'arguments', proves: 'argument', over: over('apart') };
  return isUncertain(rest, { program, ...settings }) ? [together, apart] : [together];
}

/** The same with the program in front. */
export const after = (
  program: string,
  circumstance: Circumstance<readonly string[]>,
): Circumstance<readonly string[]> => ({
  ...circumstance,
  build(configuration) {
    const args = circumstance.build(configuration);
    return args && [program, ...args];
  },
});
