/** Reads options to try from files and help texts. */
import { UserError } from '../../core/index.js';
import { optionsInHelp } from './knowledge.js';
import { wordsOf } from './split-words.js';

/** One option to try, with its value: the words that are added to the command. */
export type Candidate = readonly string[];

/** An option file: one option per line with its value, `#` starts a comment line. */
export function candidatesInFile(text: string, path: string): readonly Candidate[] {
  const candidates = text
    .split(/\r?\n/)
    .filter(line => !/^\s*(#|$)/.test(line))
    .map(wordsOf);
  if (candidates.length === 0)
    throw new UserError(
      `The option file ${path} names no option.`,
      `Write one option per line, as on the command line; lines that start with # are ignored.`,
    );
  return unique(candidates);
}

/**
 * Options to try, from a tool's own help. If the help shows which are on (`gcc -O2 -Q --help=optimizers`), each is inverted:
 * an enabled -fx becomes -fno-x, a disabled one becomes itself. Otherwise every option without a value counts. Options whose
 * value is unknown are left out.
 */
export function candidatesInHelp(help: string, shown: string, only?: RegExp): readonly Candidate[] {
  const listed = optionsInHelp(help).filter(({ value }) => value === 'none');
  const stateful = listed.some(({ state }) => state !== undefined);
  const candidates = listed
    .filter(({ option, state }) => (stateful ? state !== undefined : !/^(-h|-V|--help|--version)$/.test(option)))
    .map(({ option, state }) => [state === 'enabled' ? negate(option) : option])
    .filter(([option]) => only === undefined || only.test(option!));
  if (candidates.length === 0)
    throw new UserError(
      `No option without a value was found in what \`${shown}\` prints${only ? ` (only those that match ${only})` : ''}.`,
      `Lines that start with blanks and an option are read. Run it yourself to see; or list the options with --try.`,
    );
  return unique(candidates);
}

/** -fx ↔ -fno-x, --x ↔ --no-x. */
export function negate(option: string): string {
  const [, head = '', no = '', name = ''] = /^(--|-[a-zA-Z]?)(no-)?(.*)$/.exec(option) ?? [];
  return no ? head + name : `${head}no-${name}`;
}

const unique = (candidates: readonly Candidate[]): readonly Candidate[] => [
  ...new Map(candidates.map(words => [words.join('\0'), words])).values(),
];
