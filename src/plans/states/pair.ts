/** The two inputs of `culprit states`, and the command: from the command line, from a run of isolate or reduce, or from a resumed run. */
import { basename, join, resolve } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { noCommand } from '../../core/no-command.js';
import type { AskedOptions } from '../../oracle/command/rules.js';
import { readJournal } from '../../run/journal.js';
import { keptIn, type RunFolder } from '../../run/run-folder.js';
import { type Given, identify } from '../../sources/files.js';
import { bothSides, readPair, sidesOf } from '../isolate/pair.js';
import type { JobOptions, Request } from '../job.js';

export interface StatesOptions extends JobOptions, AskedOptions {
  readonly passing?: string;
  readonly failing?: string;
  readonly in?: readonly string[];
  readonly with?: string;
  readonly places?: number;
}

/** What the command line says, or the run that it names. Plain data: the journal keeps it for `resume`. */
export interface PairSource {
  readonly command: readonly string[];
  /** The folder in which the command is typed. */
  readonly cwd: string;
  readonly given: readonly Given[];
  /** Options of the run that the pair comes from: they define what counts as the failure, and the limits of a test. */
  readonly inherited?: StatesOptions;
}

export interface Pair extends PairSource {
  /** Unset if it must be found: a run of reduce knows only its failing input. */
  readonly passing?: Artifact;
  readonly failing: Artifact;
  readonly options: StatesOptions;
}

export const example = 'culprit states --passing works.json --failing crashes.json -- node app.js {}';

const noted = 'pair';

/** The pair that a request asks for. A resumed run has both inputs as they were, even if the files or the other run are gone. */
export function pairFor(request: Request<StatesOptions>, resumed?: RunFolder): Pair {
  const source = resumed?.journal.noted<PairSource>(noted);
  const kept = resumed?.keptOriginal();
  if (source && kept) {
    const { passing, failing } = sidesOf(kept, '');
    return { ...source, options: { ...source.inherited, ...request.options }, ...passingIn(passing), failing };
  }
  const { inputs, command, options } = request;
  const [run] = inputs;
  if (run !== undefined) {
    if (options.passing !== undefined || options.failing !== undefined)
      throw new UserError(
        'Give either one run, or two inputs with --passing and --failing.',
        `For example: ${example}`,
      );
    return demandDifferent(pairOfRun(run, command, options));
  }
  if (command.length === 0) throw noCommand(example);
  const { passing, failing } = options;
  if (passing === undefined || failing === undefined)
    throw new UserError(
      `states compares two inputs: ${passing === undefined ? '--passing' : '--failing'} is missing.`,
      `For example: ${example}`,
    );
  return demandDifferent({ ...readPair(passing, failing), command, options, cwd: process.cwd() });
}

export function keepPair({ passing, failing, options: _, ...source }: Pair, folder: RunFolder): void {
  folder.journal.note(noted, source);
  folder.keepOriginal(bothSides({ passing: passing ?? { files: new Map() }, failing }));
}

/** The pair that a run of isolate found, or the failing input that a run of reduce found. */
function pairOfRun(run: string, command: readonly string[], options: StatesOptions): Pair {
  const path = resolve(run);
  const { job, cwd, request } = readJournal(join(path, 'journal.jsonl')).header;
  const best = keptIn(path, 'best');
  if ((job !== 'isolate' && job !== 'reduce') || !best || !request)
    throw new UserError(
      best ? `${run} is a run of ${job}, which has no pair of inputs.` : `${run} has no result yet.`,
      'Give a finished run of isolate or reduce, or two inputs with --passing and --failing.',
      1,
    );
  const from = request as Request<StatesOptions>;
  const { passing, failing } = job === 'isolate' ? sidesOf(best, '') : { passing: undefined, failing: best };
  const inputs = job === 'isolate' ? from.inputs.slice(1) : from.inputs;
  const rest = inheritedFrom(from.options, options);
  return {
    command: command.length > 0 ? command : from.command,
    cwd,
    given: inputs.map(each => givenAt(resolve(cwd, each), failing)),
    inherited: rest,
    options: { ...rest, ...options },
    ...passingIn(passing),
    failing,
  };
}

const givenAt = (path: string, { files }: Artifact): Given => {
  const name = basename(path);
  return { path, name, folder: files.get(name)?.kind !== 'file' };
};

const passingIn = (passing: Artifact | undefined) => (passing && passing.files.size > 0 ? { passing } : {});

const rules = ['interesting', 'bisect', 'match', 'exit', 'signal', 'hang', 'differs'] as const;
const limits = ['timeout', 'memory', 'processes', 'sandbox'] as const;

/** The other run's failure rule applies here too, unless another rule is given; so do its limits. */
function inheritedFrom(from: StatesOptions, own: StatesOptions): StatesOptions {
  const hasRule = rules.some(name => own[name] !== undefined);
  const names = [...limits, ...(hasRule ? [] : rules)];
  return Object.fromEntries(names.filter(name => from[name] !== undefined).map(name => [name, from[name]]));
}

function demandDifferent(pair: Pair): Pair {
  if (pair.passing && identify(pair.passing) === identify(pair.failing))
    throw new UserError(
      'The two inputs are the same, so their runs do not differ.',
      'Give one on which the command succeeds and one on which it fails.',
      1,
    );
  return pair;
}
