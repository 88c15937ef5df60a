/** `culprit triage`: a folder of failing inputs as groups, with one minimal input for each kind of failure. */

import { type Artifact, bytesOf } from '../../core/artifact.js';
import { type Test, UserError } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import { Counter, joinTests, pauseIfDue } from '../../engine/index.js';
import { CommandOracle } from '../../oracle/command/command.js';
import { timeoutFor } from '../../oracle/command/first-run.js';
import { checkStarted } from '../../oracle/command/no-failure.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { otherFailures } from '../../run/other-failures.js';
import type { RunFolder } from '../../run/run-folder.js';
import { identify } from '../../sources/files.js';
import { artifactOf, type InputFile, readAgain } from '../../sources/input-files.js';
import { requireLanguage } from '../../syntax/languages/index.js';
import { learnOutputs, runOptions } from '../first-run.js';
import type { Context, Found, Job, Opened, Request } from '../job.js';
import { budgetsOf } from './budgets.js';
import { groupsOf } from './groups.js';
import { fromKnown, toKnown } from './known.js';
import { filesBySignature, smallest, type TestedFile, type Triage } from './model.js';
import { observation, observing, testFor } from './observe.js';
import { type Prepared, prepare, type TriageOptions } from './prepare.js';
import { contains, reduceVariants } from './reduce.js';
import { filesOf, type ResultContext, resultOf, sentenceOf, viewOf, wordsOf } from './result.js';
import { scan } from './scan.js';

/** Seconds that a file may take without --timeout. No earlier run can provide a better value. */
const patience = 5;

export async function triageJob(
  request: Request<TriageOptions>,
  resumed?: RunFolder,
): Promise<Job<Artifact, Triage, Found<Triage>>> {
  const prepared = prepare(request, resumed);
  const { language } = request.options;
  if (language !== undefined) requireLanguage(language);
  sweepAbandoned();
  return { name: 'triage', runName: 'triage', open: context => open(request, prepared, context) };
}

async function open(
  { command, options }: Request<TriageOptions>,
  prepared: Prepared,
  context: Context,
): Promise<Opened<Artifact, Triage, Found<Triage>>> {
  const { files, skipped, output, reports, program } = prepared;
  const { folder, say, signal } = context;
  const { journal } = folder;
  if (!journal.noted('inputs')) journal.note('inputs', { files, skipped, program, known: prepared.known });
  const known = fromKnown(prepared.known ?? { files: [], reductions: [] });
  const fresh = unknown(files, known.files);
  const names = [...new Set(files.map(({ name }) => name))];
  const given = names.map(name => ({ path: `${output.path}/${name}`, name, folder: false }));
  const running = runOptions(context, options);
  const empty = artifactOf(names[0]!, new Uint8Array());
  const sample = (fresh[0] && readAgain(fresh[0])) ?? empty;
  const writing = { command, given: [{ ...given[0]!, name: [...sample.files.keys()][0]! }], artifact: sample };
  const outputs = await learnOutputs(context, { ...writing, ...running });
  const oracle = new CommandOracle({ command, given, oneOf: true, ...running, ...outputs });
  const shown: ResultContext = { folder: prepared.out, reports, skipped, command: path => oracle.shown(path) };
  let timeout = options.timeout ?? patience;
  const test = observing(oracle, () => timeout);
  const contentOf = (triage: Triage) => filesOf(triage, toKnown(triage, command, program), shown);
  return {
    async firstRun() {
      const before = known.files.length > 0 ? `, ${files.length - fresh.length} known from ${prepared.out}` : '';
      say(`${counted(files.length, 'file')}${before}; timeout ${timeout} s per file (change with --timeout)`);
      if (skipped.length > 0)
        say(`Skipped (not readable, a link to a folder, or a fuzzer's note): ${skipped.slice(0, 5).join(', ')}.`);
      await tryEmpty();
      return {
        original: known,
        before: { deltas: files.length },
        countsDeltas: true,
        rule: 'fail = any failure; files with the same signature are one group',
        command: command.join(' '),
        test,
      };
    },
    async *search({ test: tested, settings, keep }) {
      const counter = settings.counter ?? new Counter();
      const memory = settings.memory ?? journal;
      const scanned = yield* scan(fresh, tested, { ...settings, memory });
      let triage: Triage = { ...known, files: merged(known.files, scanned.files) };
      keep(triage);
      let { ended } = scanned;
      if (ended === 'done') {
        timeout = settleTimeout(triage.files);
        const originals = keepOriginals(folder, triage);
        const { maxTestsPerGroup: tests, maxTimePerGroup: seconds } = options;
        const found = yield* reduceVariants(triage, {
          test: joinTests(keepingOthers(tested, triage.files, context), identify),
          settings: { ...settings, counter, memory },
          budgets: budgetsOf({ tests, seconds }, settings, { counter, journal }),
          how: prepared.how,
          isAll: options.all === true,
          originalOf: signature => originals.get(signature),
          keep: sparing(keep),
        });
        ({ ended, triage } = found);
      }
      triage = { ...triage, containing: await containing(triage) };
      const result = resultOf(triage, shown);
      const minimal = result.groups.flatMap(({ variants }) => variants.map(variant => variant.minimal ?? []));
      return {
        ended,
        minimal: (minimal[0] ?? []).filter(unit => minimal.every(proven => proven.includes(unit))),
        best: triage,
        after: { deltas: result.groups.length },
        sentence: sentenceOf(result, ended === 'done'),
      };
    },
    keep(triage) {
      const content = contentOf(triage);
      folder.keepBest(content);
      output.write(content, folder);
    },
    page: triage => ({
      title: `Triage of ${prepared.inputs.join(', ')}`,
      output: prepared.out,
      groups: viewOf(triage, shown),
    }),
    present({ best, ended }) {
      const result = resultOf(best, shown);
      return {
        output: prepared.out,
        ...(result.groups.length > 0 || reports ? { result: wordsOf(result, groupsOf(best), reports) } : {}),
        fields: result,
        ...(result.failing === 0 && ended === 'done' ? { problem: nothingFails(result) } : {}),
      };
    },
    close: () => oracle.close(),
  };

  /** A command that can't be started, or that fails without any input, is reported before hours are wasted. */
  async function tryEmpty(): Promise<void> {
    if (journal.recall(identify(empty))) return;
    const original = await oracle.attempt(empty, timeout, signal);
    const shownEmpty = oracle.shown(files[0]!.path);
    checkStarted({ original, argv: oracle.argv, where: process.cwd(), command: shownEmpty });
    const verdict = await test(empty, signal);
    journal.record(identify(empty), verdict);
    if (verdict.outcome === 'fail')
      say(`The command fails on an empty input too: ${verdict.excerpt}. Files that fail like this need no input.`);
  }

  /** Ten times the slowest file that fails, for the candidates of all variants: a hang should not cost more. */
  function settleTimeout(tested: readonly TestedFile[]): number {
    if (options.timeout !== undefined) return options.timeout;
    const failing = tested.filter(({ outcome }) => outcome === 'fail');
    return timeoutFor(failing.reduce((most, { seconds = 0 }) => Math.max(most, seconds), 0));
  }
}

/**
 * Milliseconds between two results on disk: the whole folder is rewritten each time, and a resumed run recovers everything
 * anyway.
 */
const writeEvery = 1000;

function sparing(keep: (triage: Triage) => void): (triage: Triage) => void {
  let last = Number.NEGATIVE_INFINITY;
  return triage => {
    if (performance.now() - last < writeEvery) return;
    keep(triage);
    last = performance.now();
  };
}

/** A failure that no file has is kept for the user to see. */
function keepingOthers(test: Test<Artifact>, files: readonly TestedFile[], { folder, see }: Context): Test<Artifact> {
  const known = filesBySignature(files);
  const kept = otherFailures(
    testFor(test, signature => known.has(signature)),
    folder,
    see,
  );
  return async (artifact, signal) => observation(await kept(artifact, signal));
}

/** Files with unknown content. A file that has changed counts as new. */
function unknown(files: readonly InputFile[], known: readonly TestedFile[]): readonly InputFile[] {
  const seen = new Map(known.map(({ path, identity }) => [path, identity]));
  return files.filter(({ path, identity }) => seen.get(path) !== identity);
}

function merged(known: readonly TestedFile[], tested: readonly TestedFile[]): readonly TestedFile[] {
  const all = new Map([...known, ...tested].map(file => [file.path, file]));
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The file that each variant is reduced from is kept in the run's folder, so that a resumed run finds it unchanged. */
function keepOriginals(folder: RunFolder, { files, reductions }: Triage): ReadonlyMap<string, Artifact> {
  const variants = [...filesBySignature(files)].filter(([signature]) => !reductions.get(signature)?.isDone);
  const kept = folder.keptOriginal();
  const found = new Map<string, Artifact>();
  for (const [i, [signature, own]] of variants.entries()) {
    const partial = reductions.get(signature);
    const { name } = partial ?? smallest(own);
    const entry = kept?.files.get(`${i + 1}/${name}`);
    if (entry) found.set(signature, { files: new Map([[name, entry]]) });
    else if (kept) continue;
    else if (partial) found.set(signature, artifactOf(name, partial.form));
    else {
      const artifact = readSmallest(own);
      if (artifact) found.set(signature, artifact);
    }
  }
  if (!kept)
    folder.keepOriginal({
      files: new Map(
        variants
          .flatMap(([signature], i) =>
            [...(found.get(signature)?.files ?? [])].map(([name, entry]) => [`${i + 1}/${name}`, entry] as const),
          )
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    });
  return found;
}

/** The smallest file of a variant that still exists. */
function readSmallest(files: readonly TestedFile[]): Artifact | undefined {
  const left = [...files];
  while (left.length > 0) {
    const file = smallest(left);
    const artifact = readAgain(file);
    if (artifact && bytesOf(artifact) === file.bytes) return artifact;
    left.splice(left.indexOf(file), 1);
  }
  return undefined;
}

/** The files that contain the form of their variant verbatim: no test is needed to see that. */
async function containing(triage: Triage): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { variants } of groupsOf(triage))
    for (const { reduction, files } of variants)
      for (const file of reduction?.isDone ? files : []) {
        await pauseIfDue();
        const [entry] = readAgain(file)?.files.values() ?? [];
        if (entry?.kind === 'file' && contains(entry.bytes, reduction!.form)) found.add(file.path);
      }
  return found;
}

const nothingFails = ({ files, passing, unresolvedFiles }: ReturnType<typeof resultOf>): UserError =>
  new UserError(
    files === 1
      ? `The only file ${passing.length === 1 ? 'passes' : 'is unresolved'}.`
      : `None of the ${files} files fails: ${passing.length} pass, ${unresolvedFiles.length} unresolved.`,
    unresolvedFiles.length > 0
      ? `The first unresolved one: ${unresolvedFiles[0]!.path} (${unresolvedFiles[0]!.reason}). If it needs more time, raise --timeout.`
      : 'Check the command: {} is replaced by the path of a file.',
    1,
  );
