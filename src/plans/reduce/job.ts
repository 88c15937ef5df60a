/** `culprit reduce`: the smallest file or folder that still makes the command fail in the same way. */

import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Artifact, bytesOf, type Entry } from '../../core/artifact.js';
import { cannotCombine } from '../../core/cannot-combine.js';
import { readRegex } from '../../core/regex.js';
import { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import { optionsInFolder } from '../../oracle/command/in-folder.js';
import type { OracleOptions } from '../../oracle/command/options.js';
import { type AskedOptions, askedRule } from '../../oracle/command/rules.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { changedSince, pairFiles } from '../../run/originals.js';
import { originsFile } from '../../run/origins.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { closeArchives, openArchives } from '../../sources/archives/index.js';
import { type Given, identifyIgnoringWhitespace } from '../../sources/files.js';
import { type Input, linksBeside, type Reading, readInput, standardInput } from '../../sources/input.js';
import { listStrategy } from '../../strategies/registry.js';
import { extensionOf } from '../../syntax/languages/index.js';
import { mayOpen } from '../archives.js';
import { differentCrash, expectedOf, firstLook, learnOutputs, runOptions } from '../first-run.js';
import { demandStdin, noteLeftOut } from '../input.js';
import type { Context, Found, Job, JobOptions, Opened, Request } from '../job.js';
import { proofsBy } from '../proof.js';
import { beginEarly } from './begin-early.js';
import { beginWhereItFails } from './begin-where-it-fails.js';
import { runWithCalls } from './direct-calls.js';
import { canReport, runWithCoverage } from './executed.js';
import { FileLineage } from './lineage.js';
import { otherCauses } from './others.js';
import { type Level, type ReduceOptions, reducePasses } from './passes.js';
import { runWithOutput } from './printed.js';
import { readable } from './readable.js';
import { passesBy, passesWithCoverage, searchSmaller } from './search.js';
import { runWithValues } from './seen-values.js';
import { bytesThatMatter, textOf } from './shown-result.js';
import { type VaryCommand, varyCommand } from './vary-command.js';

export interface ReduceRequestOptions extends JobOptions, AskedOptions {
  readonly level?: Level;
  readonly by?: 'line' | 'token' | 'char' | 'byte' | 'node';
  readonly language?: string;
  readonly grammar?: string;
  readonly keep?: string;
  readonly rename?: boolean;
  readonly values?: boolean;
  readonly format?: boolean;
  readonly unpack?: boolean;
  readonly also?: readonly string[];
  readonly others?: number;
  readonly exclude?: readonly string[];
  readonly include?: readonly string[];
  readonly stdin?: boolean;
}

/** The first tests of a larger input are the slowest of the run: none of them only repeats another one. */
const largeInput = 20_000;

interface Reduced extends Found<Artifact> {
  /** The result in a readable layout, if it still fails that way. */
  readonly formatted?: Artifact;
  /** Inputs that fail for another cause, if they were looked for. */
  readonly others?: readonly Other[];
}

interface Other {
  readonly path: string;
  readonly bytes: number;
}

interface Prepared {
  readonly request: Request<ReduceRequestOptions>;
  readonly original: Artifact;
  /** The original with its archives as folders, if it has any. */
  readonly opened: Artifact | undefined;
  readonly given: readonly Given[];
  readonly output: Output;
  readonly passes: Awaited<ReturnType<typeof reducePasses>>;
  /** What the passes know about the first run, as soon as it is known. */
  readonly firstRun: { known?: FirstRun };
  readonly isKept: boolean;
  readonly linked: Input['linked'];
  readonly leftOut: readonly string[];
}

export async function reduceJob(
  request: Request<ReduceRequestOptions>,
  resumed?: RunFolder,
): Promise<Job<Artifact, Artifact, Reduced>> {
  const { options, inputs } = request;
  askedRule(options);
  if (options.by === 'node' && options.level === 'lexical')
    throw cannotCombine(
      '--by node',
      '--level lexical',
      'The lexical level knows lines, tokens and characters, and no nodes.',
    );
  if (options.strategy) listStrategy(options.strategy);
  const kept = resumed?.keptOriginal();
  const reading = readingOf(options);
  const {
    artifact: original,
    given,
    linked,
    leftOut,
  } = kept ? keptInput(inputs, kept, reading) : await readInput(inputs, reading);
  demandStdin(options, given);
  const isFile = given.length === 1 && !given[0]!.folder;
  const output = outputFor({
    asked: options.output,
    otherwise: besideOriginal(given),
    kind: isFile ? 'file' : 'folder',
    inputs: inputs.filter(path => path !== standardInput),
    run: options.run,
    force: options.force,
    resumed,
    prefix: given.length === 1 ? `${given[0]!.name}/` : '',
    mayBeStdout: true,
  });
  const firstRun: Prepared['firstRun'] = {};
  const opened = options.unpack === false ? undefined : openArchives(original);
  // A missing language or grammar is reported before anything is run.
  const passes = await reducePasses(
    opened ?? original,
    passOptions(options, () => firstRun.known?.named ?? []),
  );
  sweepAbandoned();
  const prepared = {
    request,
    original,
    opened,
    given,
    output,
    passes,
    firstRun,
    isKept: kept !== undefined,
    linked,
    leftOut,
  };
  return {
    name: 'reduce',
    runName: given.length === 1 ? basename(given[0]!.name, extname(given[0]!.name)) : 'files',
    outputs: [output],
    open: context => open(prepared, context),
  };
}

async function open(prepared: Prepared, context: Context): Promise<Opened<Artifact, Artifact, Reduced>> {
  const { request, original, opened, given, output, linked } = prepared;
  const { command, options } = request;
  const isLarge = bytesOf(original) > largeInput;
  const { passes, begin } = beginEarly(prepared.passes, opened ?? original);
  const { folder, signal } = context;
  if (!prepared.isKept) folder.keepOriginal(original);
  const path = output.isStdout ? join(folder.path, 'best', given[0]!.name) : output.path;
  noteLeftOut(prepared.leftOut, context);
  const also = varyCommand(options.also, folder, command);
  const running = runOptions(context, options);
  const outputs = await learnOutputs(context, { command, given, artifact: original, ...running });
  const usual: OracleOptions = {
    command,
    given,
    original,
    ...running,
    ...outputs,
    beside: new Map([...linked, ...(outputs.beside ?? [])]),
    warm: true,
    ...(also.cleaned ? { cleaned: also.cleaned } : {}),
  };
  let oracle: CommandOracle;
  const origins = originsFile(folder);
  let input = original;
  let lineage: FileLineage | undefined;
  const originsOf = (best: Artifact) => lineage?.originsOf(best) ?? new Map();
  let first: FirstRun;
  const reproduce = (best: Artifact) => also.shown(best, path) ?? oracle.shown(path);
  return {
    async firstRun() {
      const running = beginWhereItFails(
        {
          given,
          reading: readingOf(options),
          output: path,
          open: around => new CommandOracle(around ? optionsInFolder(usual, around) : usual),
          look: of => ({
            artifact: original,
            ...emptied(original),
            isLarge,
            asked: askedRule(options),
            command,
            names: given.map(each => each.name),
            where: process.cwd(),
            shown: of.shown(given.length > 1 ? '.' : given[0]!.path === standardInput ? '/dev/stdin' : given[0]!.path),
          }),
        },
        context,
      );
      if (isLarge) begin();
      ({ first, oracle } = await running);
      prepared.firstRun.known = first;
      const test = also.judged(oracle.test(first.rule, first.timeout));
      const isSame = async () => (await test(opened!, signal)).outcome === 'fail';
      if (opened && (await mayOpen(opened, isSame, context))) input = opened;
      const whole = also.over(input, oracle.argv);
      return {
        ...expectedOf(first, command.join(' ')),
        original: whole,
        before: { bytes: also.measure(whole), deltas: input.files.size },
        test,
        probe: {
          original: whole,
          // With --force, an empty input that fails is not background: it is a result.
          ...(first.needsNoInput ? {} : emptyOver(also, original, oracle.argv)),
          identify: also.identify,
          testedOf: best => best,
          ...firstLook(first, context),
        },
        kept: inputOf,
      };
    },
    async *search({ test, settings, keep }) {
      const whole = also.over(input, oracle.argv);
      const { strategy } = options;
      const { identify, measure } = also;
      const runs = { oracle, timeout: first.timeout, journal: folder.journal, signal };
      const watched = canReport(first, input)
        ? {
            coverage: runWithCoverage({ ...runs, first }),
            values: runWithValues(runs),
            output: runWithOutput({ ...runs, first }),
            calls: runWithCalls(runs),
          }
        : undefined;
      // The passes that are known are for what is in the archives.
      const all = opened && input === original ? await reducePasses(original, passOptions(options)) : passes;
      const inInput = await passesWithCoverage(all, input, passOptions(options), watched);
      const passesOver = also.passes(passesBy(strategy, inInput), whole);
      const simplifying = { ...settings, identify, identifyIgnoringWhitespace, measure };
      lineage = new FileLineage(whole);
      const end = yield* searchSmaller(whole, passesOver, test, { ...simplifying, accepted: keep, lineage });
      const again = { times: settings.confirm || 1, counter: settings.counter! };
      const layout = { memory: settings.memory ?? folder.journal, identify, signal, ...again, ...languageOf(options) };
      const isDone = end.ended === 'done';
      const formatted = isDone && options.format !== false ? await readable(end.artifact, test, layout) : undefined;
      const slipped = isDone && !signal.aborted ? await differentCrash(first, oracle, end.artifact, signal) : undefined;
      if (slipped) yield { type: 'noticed', what: 'note', text: slipped };
      const more =
        options.others !== undefined && isDone
          ? yield* otherCauses(whole, passesOver, test, {
              ...simplifying,
              most: options.others,
              known: end.artifact,
            })
          : undefined;
      const others: Other[] = [];
      for (const other of more?.artifacts ?? []) {
        const path = folder.keepCause(others.length + 1, inputOf(other));
        const bytes = bytesOf(other);
        others.push({ path, bytes });
        yield {
          type: 'noticed',
          what: 'cause',
          text: `another cause of the same failure, in ${bytes} bytes: ${path}`,
          path,
        };
      }
      // Without --also, `verify` builds the neighbours again from the original and the result.
      const isVaried = options.also !== undefined && isDone;
      const proofs = isVaried ? { proofs: await proofsBy(passesOver, end.artifact, { identify, measure }) } : {};
      return {
        ended: more?.ended ?? end.ended,
        minimal: end.minimal,
        ...proofs,
        best: end.artifact,
        after: { bytes: measure(end.artifact), deltas: end.artifact.files.size },
        ...(formatted ? { formatted } : {}),
        ...(more ? { others } : {}),
      };
    },
    goBack: ({ formatted: _, ...end }, best) => ({
      ...end,
      best,
      after: { bytes: also.measure(best), deltas: best.files.size },
    }),
    keep(best) {
      folder.keepBest(inputOf(best));
      output.write(inputOf(best), folder);
      also.keep(best, path);
      origins.sometimes(best, () => originsOf(best));
    },
    page: best => ({
      title: given.map(each => each.name).join(', '),
      reproduce: reproduce(best),
      output: path,
      files: pairFiles(input, best, originsOf(best)),
      ...(lineage ? { candidates: lineage.candidates.all } : {}),
      ...bytesThatMatter(best),
    }),
    look: () => lineage?.candidates.look(),
    present({ best, formatted, others }) {
      origins.write(best, originsOf(best));
      if (formatted) output.write(inputOf(formatted), folder);
      output.finish();
      const problem = changedSince(original, given, folder, readingOf(options));
      const result = textOf(formatted ?? best);
      return {
        output: path,
        ...(formatted ? { smallest: join(folder.path, 'best') } : {}),
        reproduce: reproduce(best),
        ...(result === undefined ? {} : { result }),
        fields: {
          ...(formatted ? { formatted: { bytes: bytesOf(formatted) } } : {}),
          ...(others ? { others } : {}),
          ...also.json(best),
        },
        ...(problem ? { problem } : {}),
      };
    },
    close: async () => oracle?.close(),
  };
}

/** What the passes depend on. `named`: what the failure of the first run names, once it is known. */
export const passOptions = (
  { keep, ...rest }: ReduceRequestOptions,
  named?: NonNullable<ReduceOptions['named']>,
): ReduceOptions => ({
  ...rest,
  ...(keep === undefined ? {} : { keep: readRegex(keep, '--keep') }),
  ...(named ? { named } : {}),
});

/** A text on standard input has no file name to detect its language from. */
const readingOf = ({ exclude, include, language }: ReduceRequestOptions): Reading => ({
  ...(exclude ? { exclude } : {}),
  ...(include ? { include } : {}),
  ...(language === undefined ? {} : { extension: extensionOf(language) }),
});

const keptInput = (inputs: readonly string[], kept: Artifact, reading: Reading): Input => ({
  artifact: kept,
  given: givenFrom(inputs, kept),
  linked: linksBeside(inputs, reading),
  leftOut: [],
});

const languageOf = ({ language, grammar }: ReduceRequestOptions) => ({
  ...(language === undefined ? {} : { language }),
  ...(grammar === undefined ? {} : { grammar }),
});

/** The input alone, as files: how the command is called is kept elsewhere, and without its secrets. */
const inputOf = (artifact: Artifact): Artifact => ({ files: closeArchives(artifact).files });

/** The input with nothing in it: an empty file, or no files at all. None if there is nothing to remove from it. */
function emptied(artifact: Artifact): { readonly empty?: Artifact } {
  if (bytesOf(artifact) === 0 && artifact.files.size <= 1) return {};
  const files = new Map<string, Entry>();
  if (artifact.files.size === 1)
    for (const [path, entry] of artifact.files)
      files.set(path, entry.kind === 'file' ? { ...entry, bytes: new Uint8Array() } : entry);
  return { empty: { ...artifact, files } };
}

const emptyOver = (also: VaryCommand, original: Artifact, argv: readonly string[]): { readonly empty?: Artifact } => {
  const { empty } = emptied(original);
  return empty ? { empty: also.over(empty, argv) } : {};
};

function besideOriginal(given: readonly Given[]): string {
  const [first] = given;
  if (given.length !== 1 || !first) return 'culprit.reduced';
  const path = resolve(first.path === standardInput ? first.name : first.path);
  const extension = first.folder ? '' : extname(path);
  return join(dirname(path), `${basename(path, extension)}.reduced${extension}`);
}

export const givenFrom = (paths: readonly string[], original: Artifact): readonly Given[] =>
  paths.map(path => {
    const [first = ''] = original.files.keys();
    const name = path === standardInput ? first.split('/')[0]! : basename(resolve(path));
    return { path, name, folder: original.files.get(name)?.kind !== 'file' && !original.archives?.has(name) };
  });
