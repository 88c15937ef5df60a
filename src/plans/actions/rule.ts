/** What counts as a failure when actions are replayed: in the page, or in a command that runs afterwards. */

import { cannotCombine, flagOf } from '../../core/cannot-combine.js';
import { UserError } from '../../core/index.js';
import { readRegex } from '../../core/regex.js';
import type { Failing } from '../../oracle/browser/failing.js';
import type { AskedOptions } from '../../oracle/command/rules.js';
import type { JobOptions } from '../job.js';
import { spellOptions } from '../spell.js';

type Rule = Omit<AskedOptions, 'differs'>;

export interface ActionsOptions extends JobOptions, Rule {
  readonly failsWhen?: string;
  readonly exception?: string | true;
  readonly console?: string | true;
  readonly request?: string | true;
  readonly dialog?: string | true;
  readonly crash?: boolean;
  readonly patience?: number;
}

const inPage = ['failsWhen', 'exception', 'console', 'request', 'dialog', 'crash'] as const;
const ofCommand = ['interesting', 'bisect', 'match', 'exit', 'signal'] as const;

/** What fails in the page, as far as the page reports it. With a command, the page is not judged. */
export function failingOf(options: ActionsOptions, isCommand: boolean): Exclude<Failing, { kind: 'command' }> {
  const given = (names: readonly (keyof ActionsOptions)[]) => names.filter(name => options[name] !== undefined);
  const [page, alien] = [given(inPage), given(ofCommand)] as const;
  if (isCommand && page.length > 0)
    throw cannotCombine(
      flagOf(page[0]!),
      'a command after `--`',
      'Both decide what counts as the failure. Use one of them.',
    );
  if (!isCommand && alien.length > 0)
    throw new UserError(
      `${flagOf(alien[0]!)} needs a command after \`--\`, which runs after each replay.`,
      'Add one, or describe the failure in the page: --exception, --console, --request, --dialog, --fails-when.',
    );
  const said = [...page, ...(options.hang && !isCommand ? (['hang'] as const) : [])];
  if (said.length > 1) throw cannotCombine(flagOf(said[0]!), flagOf(said[1]!));
  for (const [name, why] of [
    ['sandbox', 'The browser has its own sandbox, and must reach the page.'],
    ['memory', 'The memory of a page cannot be limited.'],
    ['processes', 'The browser decides how many processes a page has.'],
  ] as const)
    if (options[name] !== undefined && !(isCommand && name !== 'sandbox'))
      throw new UserError(`--${name} is not available for actions.`, `${why} Remove the option.`);
  const [kind] = said;
  switch (kind) {
    case undefined:
      return { kind: 'any' };
    case 'crash':
    case 'hang':
      return { kind };
    case 'failsWhen':
      return { kind: 'expression', expression: checkedExpression(options.failsWhen!) };
    default: {
      const pattern = options[kind as 'exception'];
      return {
        kind: kind as 'exception',
        ...(typeof pattern === 'string' ? { match: readRegex(pattern, flagOf(kind)) } : {}),
      };
    }
  }
}

function checkedExpression(expression: string): string {
  try {
    new Function(`return (${expression}\n)`);
    return expression;
  } catch (error) {
    throw new UserError(
      `--fails-when ${expression} is not a valid expression: ${(error as Error).message}.`,
      'Use JavaScript, in quotes: --fails-when "document.querySelector(\'.error\')"',
    );
  }
}

/** What the command after `--` must do to fail. */
export const ruleOf = ({ interesting, bisect, match, exit, signal, hang }: ActionsOptions): Rule => ({
  ...(interesting && { interesting }),
  ...(bisect && { bisect }),
  ...(match !== undefined && { match }),
  ...(exit !== undefined && { exit }),
  ...(signal !== undefined && { signal }),
  ...(hang && { hang }),
});

/** The options that describe the failure, to check the result for the same failure. */
export function ruleWords(options: ActionsOptions, command: readonly string[]): readonly string[] {
  const words = spellOptions(options, [...inPage, 'patience', ...ofCommand, 'hang', 'timeout']);
  return command.length > 0 ? [...words, '--', ...command] : words;
}
