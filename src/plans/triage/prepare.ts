/** Checks a triage request before anything is run: files, result folder, earlier results, reports. */
import { UserError } from '../../core/index.js';
import { readRegex } from '../../core/regex.js';
import { type Output, outputFor, type Wanted } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { type BugReport, readBugReports } from '../../sources/bug-reports.js';
import { type InputFile, listInputFiles } from '../../sources/input-files.js';
import { listStrategy } from '../../strategies/registry.js';
import type { JobOptions, Request } from '../job.js';
import type { ReduceOptions } from '../reduce/passes.js';
import { type Known, programOf, readKnown } from './known.js';

export interface TriageOptions extends JobOptions, Pick<ReduceOptions, 'level' | 'by' | 'language'> {
  readonly out?: string;
  readonly all?: boolean;
  readonly reports?: string;
  readonly keep?: string;
  readonly maxTestsPerGroup?: number;
  readonly maxTimePerGroup?: number;
}

export interface Prepared {
  readonly inputs: readonly string[];
  readonly files: readonly InputFile[];
  readonly skipped: readonly string[];
  readonly output: Output;
  /** The folder of the results, as the user typed it. */
  readonly out: string;
  readonly program: string;
  /** What an earlier triage found. */
  readonly known: Known | undefined;
  readonly reports: readonly BugReport[] | undefined;
  readonly how: ReduceOptions & { readonly strategy?: string };
}

/** What a resumed run finds in its journal. */
type Noted = Pick<Prepared, 'files' | 'skipped' | 'program' | 'known'>;

export function prepare({ inputs, command, options }: Request<TriageOptions>, resumed?: RunFolder): Prepared {
  refuse(options, command);
  const { strategy, out = 'triage' } = options;
  if (strategy) listStrategy(strategy);
  const reports = options.reports === undefined ? undefined : readBugReports(options.reports);
  const noted = resumed?.journal.noted<Noted>('inputs');
  const listed = noted ?? listInputFiles(inputs);
  if (listed.files.length === 0)
    throw new UserError(
      `There is no file in ${inputs.join(', ')} that can be read.`,
      'Give a folder with the failing inputs, such as the crashes of a fuzzer.',
      1,
    );
  const output = named('--out', () =>
    outputFor({ asked: out, otherwise: out, kind: 'folder', inputs, run: options.run, resumed } satisfies Wanted),
  );
  const program = noted?.program ?? programOf(command);
  const known = noted ? noted.known : earlier(out, command, program, options);
  return { inputs, ...listed, output, out, program, known, reports, how: howOf(options) };
}

function howOf({ level, by, language, keep, strategy }: TriageOptions): Prepared['how'] {
  return {
    ...(level === undefined ? {} : { level }),
    ...(by === undefined ? {} : { by }),
    ...(language === undefined ? {} : { language }),
    ...(keep === undefined ? {} : { keep: readRegex(keep, '--keep') }),
    ...(strategy === undefined ? {} : { strategy }),
  };
}

function refuse(options: TriageOptions, command: readonly string[]): void {
  const { output, cache, repeat, flaky, confidence } = options;
  if (output !== undefined)
    throw new UserError('triage writes a folder of results: --output does not apply.', 'Name the folder with --out.');
  const once = { '--no-cache': cache === false, '--repeat': repeat, '--flaky': flaky, '--confidence': confidence };
  for (const [name, value] of Object.entries(once))
    if (value)
      throw new UserError(
        `${name} does not apply to triage: each input is run once, and all groups share what was seen.`,
        'Remove it.',
      );
  if (!command.join(' ').includes('{}'))
    throw new UserError(
      'The command does not say where the file goes.',
      'Put {} in place of its path, for example: culprit triage crashes/ -- ./target {}',
    );
}

/** What an earlier triage left in the folder, if it was for the same program. */
function earlier(
  out: string,
  command: readonly string[],
  program: string,
  { force }: TriageOptions,
): Known | undefined {
  const known = readKnown(out);
  if (!known || force) return undefined;
  if (known.command.join('\0') !== command.join('\0'))
    throw new UserError(
      `${out} contains the triage of another command: ${known.command.join(' ')}`,
      'Choose another folder with --out, or start over with --force.',
    );
  if (known.program === program) return known;
  process.stderr.write(`culprit: The program has changed since the triage in ${out}: all files are tested again.\n`);
  return undefined;
}

/** Messages about the result's path name --output; here the option has a different name. */
function named<T>(option: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const renamed = (text: string) => text.replaceAll('--output', option);
    throw new UserError(renamed(error.message), renamed(error.advice), error.exitCode);
  }
}
