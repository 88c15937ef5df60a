/** Command line arguments as deltas: an option is removed together with its value. */
import { type Circumstance, type Configuration, has } from '../../core/index.js';
import { quoteAll } from '../../core/shell.js';
import { type Group, groupsOf } from '../../sources/command-line/groups.js';
import { firstOf, knownOf, type TakesValue } from '../../sources/command-line/knowledge.js';

export interface OptionSettings {
  /** The command's first word: what is known about it decides which options take the next word. */
  readonly program?: string;
  /** What the tool's own help says (`knownFrom`). It takes precedence over the table. */
  readonly takes?: TakesValue;
  /** Words that are never left out. By default those with a placeholder such as `{}`. */
  readonly isProtected?: (word: string) => boolean;
  /** `apart`: if it is only a guess that a word is an option's value, the option and the word are two deltas. */
  readonly uncertain?: 'together' | 'apart';
}

const hasPlaceholder = (word: string): boolean => /\{\w*\}/.test(word);

/**
 * Arguments as deltas: an option with its value is one, and so is a positional argument. The order is kept. Without `--`,
 * an argument that looks like an option would become one; such a configuration has no artifact.
 */
export function optionsOf(args: readonly string[], settings: OptionSettings = {}): Circumstance<readonly string[]> {
  const isProtected = settings.isProtected ?? hasPlaceholder;
  const takes = firstOf(settings.takes ?? (() => undefined), knownOf(settings.program ?? ''));
  const groups = groupsOf(args, takes).flatMap(group => (settings.uncertain === 'apart' ? apart(group) : [group]));
  const words = (group: Group): readonly string[] => args.slice(group.from, group.to);
  const deltas = groups.filter(group => !words(group).some(isProtected));
  const numbers = new Map(deltas.map((group, delta) => [group, delta]));
  return {
    name: settings.uncertain === 'apart' ? 'argument' : 'option',
    count: deltas.length,
    weights: deltas.map(group => words(group).join(' ').length + 1),
    build(configuration: Configuration) {
      const kept = groups.filter(group => {
        const delta = numbers.get(group);
        return delta === undefined || has(configuration, delta);
      });
      const end = groups.find(group => group.kind === 'end');
      if (end && !kept.includes(end) && kept.some(group => group.from > end.from && args[group.from]!.startsWith('-')))
        return undefined;
      return kept.flatMap(words);
    },
    describe: delta => quoteAll(words(deltas[delta]!)),
  };
}

/** Whether a second, finer search may find more: some option's value was only a guess. */
export const isUncertain = (args: readonly string[], settings: OptionSettings = {}): boolean =>
  groupsOf(args, firstOf(settings.takes ?? (() => undefined), knownOf(settings.program ?? ''))).some(
    group => group.uncertain,
  );

const apart = (group: Group): readonly Group[] =>
  group.uncertain
    ? [
        { ...group, to: group.from + 1 },
        { ...group, kind: 'argument', from: group.from + 1 },
      ]
    : [group];
