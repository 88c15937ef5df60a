/** Options as a person types them, for commands that culprit suggests. */
import { flagOf } from '../core/cannot-combine.js';

/** `{ send: true, allowHost: ['a'] }` gives `--send --allow-host a`. Only the named options are spelled, in this order. */
export function spellOptions(options: object, names: readonly string[]): readonly string[] {
  return names.flatMap(name => {
    const value: unknown = options[name as keyof typeof options];
    const flag = flagOf(name);
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    return (Array.isArray(value) ? value : [value]).flatMap(each => [flag, String(each)]);
  });
}
