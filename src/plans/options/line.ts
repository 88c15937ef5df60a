/** The command line that `options` searches, with response files and help texts read. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { readRegex } from '../../core/regex.js';
import { quoteAll } from '../../core/shell.js';
import type { AskedOptions } from '../../oracle/command/rules.js';
import type { JobOptions } from '../../plans/job.js';
import { type Candidate, candidatesInFile, candidatesInHelp } from '../../sources/command-line/candidates.js';
import { helpOf } from '../../sources/command-line/help.js';
import { expandResponseFiles } from '../../sources/command-line/response.js';
import { wordsOf } from '../../sources/command-line/split-words.js';
import { identify } from '../../sources/files.js';
import { readNamed } from '../../sources/read-named.js';
import type { AllOptions } from '../causes/options.js';
import { type InvocationOptions, textFiles, typedWords } from '../invocation.js';
import type { Context } from '../job.js';

export interface OptionsOptions extends JobOptions, AskedOptions, AllOptions {
  readonly prevent?: boolean;
  readonly tries?: readonly string[];
  readonly tryFile?: readonly string[];
  readonly tryHelp?: readonly string[];
  readonly tryOnly?: string;
  readonly valuesFrom?: string;
  readonly keep?: string;
}

/** The command line to search: response files expanded, help texts read. A resumed run gets the same one. */
export interface Line {
  readonly words: readonly string[];
  readonly help?: string;
  readonly candidates: readonly Candidate[];
}

export function lineOf([program = '', ...args]: readonly string[], options: OptionsOptions, { folder }: Context): Line {
  const known = folder.journal.noted<Line>('command line');
  if (known) return known;
  const read = (path: string) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined);
  const only = options.tryOnly === undefined ? undefined : readRegex(options.tryOnly, '--try-only');
  const line: Line = {
    words: typedWords([program, ...expandResponseFiles(args, read)]),
    ...(options.valuesFrom === undefined ? {} : { help: helpOf(options.valuesFrom) }),
    candidates: [
      ...(options.tries ?? []).map(each => wordsOf(each)),
      ...(options.tryFile ?? []).flatMap(path => candidatesInFile(textOf(path), path)),
      ...(options.tryHelp ?? []).flatMap(shown => candidatesInHelp(helpOf(shown), shown, only)),
    ],
  };
  folder.journal.note('command line', line);
  return line;
}

function textOf(path: string): string {
  try {
    return readNamed(path).toString();
  } catch (error) {
    throw new UserError(
      `The option file ${path} can't be read: ${(error as Error).message}.`,
      '--try-file needs a file with one option per line.',
    );
  }
}

export const lengthOf = ({ args = [] }: Artifact): number => quoteAll(args).length;
export const shownOf = ({ args = [] }: Artifact): string => quoteAll(args);
export const identifyArgs = ({ args = [] }: Artifact): string => identify({ files: new Map(), args });

/** The command line as a file to keep. */
export const commandFile = (artifact: Artifact): Artifact => textFiles({ 'command.txt': `${shownOf(artifact)}\n` });

export const invocationOf = (line: Line, options: OptionsOptions): InvocationOptions => ({
  options,
  command: line.words,
  shown: quoteAll(line.words),
  varying: { args: line.words },
  setting: { phrase: 'as given' },
});
