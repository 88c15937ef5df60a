/** Reads a claim from where it was made: a run, a result of one, or a certificate. */

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import { UserError, type Verdict } from '../core/index.js';
import { object, string } from '../core/schema.js';
import { Counter } from '../engine/index.js';
import type { FirstRun } from '../oracle/command/first-run.js';
import { type Certificate, formatCertificate, isCertificate, pack, readCertificate } from '../run/certificate.js';
import { readRun } from '../run/finished-run.js';
import { inRealFolder, ledgerFor } from '../run/output.js';
import { isOwn, readLedger } from '../run/publication.js';
import { writable } from '../run/run-folder.js';
import { closeArchives, openArchives } from '../sources/archives/index.js';
import { identify, readArtifact } from '../sources/files.js';
import { asSearched } from './archives.js';
import { confirmations } from './confirm.js';
import { decisionsIn, disagreementIn, isFlakyRun } from './flaky/recorded.js';
import type { Request } from './job.js';
import { openProofCertificate, openRecorded, type RecordedSource } from './open-recorded.js';
import { programOf } from './program.js';
import { otherCertificate } from './recorded-claim.js';
import type { ReduceRequestOptions } from './reduce/job.js';
import { readable } from './reduce/readable.js';
import { type Claim, type Findings, nothingFound as none, type Promised, replay } from './verify.js';

export interface OpenedClaim {
  readonly claim: Claim;
  readonly versions: Readonly<Record<string, string>>;
  /** The folder in which the command was typed. */
  readonly cwd: string;
  readonly formatted?: string;
  readonly isFlaky: boolean;
  /** What the source of the claim says against it already. */
  readonly findings: Findings;
  /** Repeats the steps of the search, if they are known. */
  again(): Promise<Findings>;
}

export function openClaim(path: string): OpenedClaim | RecordedSource | Findings {
  if (!existsSync(path))
    throw new UserError(`There is no run, result or certificate at ${path}.`, '`ls .culprit` shows the runs.');
  if (existsSync(join(path, 'journal.jsonl'))) return openRun(path);
  if (statSync(path).isFile() && isCertificate(path)) return openProofCertificate(path) ?? openCertificate(path);
  return openRun(runOf(path), path);
}

/** `result`: a file or folder in place of the smallest artifact in the run's folder. */
function openRun(run: string, result?: string): OpenedClaim | RecordedSource | Findings {
  const finished = readRun(run);
  const { header, verdicts, noted, ended, damage, transcript } = finished;
  if (damage !== undefined) return { refuted: [`${damage}.`], unchecked: [] };
  const request = header.request as Request<ReduceRequestOptions> | undefined;
  if (header.job === 'states' || header.job === 'triage' || !request) return unclaimed(cannotCheck(header.job));
  if (ended?.ended !== 'done') return unclaimed('The run has not finished: nothing is claimed yet.');
  if (ended.minimal.length === 0) return unclaimed('The run ended without a claim: nothing was called minimal.');
  if (header.job !== 'reduce' || request.options.also !== undefined) {
    const recorded = openRecorded(run, finished);
    if (!recorded) return { refuted: [`${run} calls its result minimal, but it recorded no proof.`], unchecked: [] };
    const isIts = result === undefined || isInside(run, result) || isPublished(result);
    return isIts ? recorded : { refuted: [`${result} is not the result of ${run}.`], unchecked: [] };
  }
  const first = noted.get('first run') as FirstRun | undefined;
  const [original, best] = [finished.original, finished.best].map(
    each => each && asSearched(each, name => noted.get(name)),
  );
  if (!original || !best || !first) return unclaimed(`${run} lacks its original, its result or its first run.`);
  const isFlaky = isFlakyRun(noted);
  const claim: Claim = {
    request,
    original,
    result: best,
    minimal: ended.minimal,
    first,
    verdictsOf: isFlaky ? decisionsIn(verdicts) : content => verdicts.get(content) ?? [],
    noted: name => noted.get(name),
  };
  const opened = { claim, versions: header.versions, cwd: header.cwd, findings: none, isFlaky };
  return {
    ...opened,
    async again() {
      if (isFlaky)
        return unclaimed(
          'The failure is flaky: each verdict is a decision from several runs, and the steps are not replayed.',
        );
      const look = disagreementIn(noted, verdicts, identify(original));
      if (look !== undefined) return { refuted: [look], unchecked: [] };
      const steps = await replay(claim, transcript);
      if (result === undefined || steps.refuted.length > 0) return steps;
      return (await isResult(claim, result))
        ? steps
        : { refuted: [`${result} is not the result of ${run}.`], unchecked: [] };
    },
  };
}

/** Jobs that do not claim that a set of deltas is minimal. */
const cannotCheck = (job: string): string =>
  job === 'triage'
    ? 'A triage reduces many inputs, each for its own failure, and claims nothing about all of them. Reduce one of its inputs with `culprit reduce`, and verify that.'
    : `A run of \`${job}\` claims nothing to be minimal.`;

/** What is in the run's folder is checked with it. */
const isInside = (run: string, path: string): boolean => resolve(path).startsWith(resolve(run) + sep);

/** Whether a path holds what culprit wrote there: outputs are recorded beside the runs. */
const isPublished = (path: string): boolean => isOwn(path, readLedger(ledgerFor(inRealFolder(path))));

const unclaimed = (sentence: string): Findings => ({ refuted: [], unchecked: [sentence] });

/** A result is written as the smallest bytes, or in a readable layout that was seen to fail. */
async function isResult(claim: Claim, path: string): Promise<boolean> {
  const found = named(path, claim.original);
  const content = identify(claim.original.archives ? (openArchives(found) ?? found) : found);
  return content === identify(claim.result) || content === (await formattedOf(claim));
}

/** A result has its own file name; in a test it gets the name of the original. */
function named(path: string, original: Artifact): Artifact {
  const { artifact, given } = readArtifact([path]);
  const [first = ''] = original.files.keys();
  const name = first.split('/')[0]!;
  const moved = [...artifact.files].map(([each, entry]) => [name + each.slice(given[0]!.name.length), entry] as const);
  return { files: new Map(moved) };
}

async function formattedOf(claim: Claim): Promise<string | undefined> {
  const { options } = claim.request;
  if (options.format === false) return undefined;
  const formatted = await readable(claim.result, async () => ({ outcome: 'unresolved' }), {
    identify,
    memory: { recall: content => claim.verdictsOf(content)[0], record: () => {} },
    signal: new AbortController().signal,
    times: confirmations,
    counter: new Counter(),
    ...(options.language === undefined ? {} : { language: options.language }),
    ...(options.grammar === undefined ? {} : { grammar: options.grammar }),
  });
  return formatted && identify(formatted);
}

function openCertificate(path: string): OpenedClaim | Findings {
  const { certificate, damage, ...read } = readCertificate(path);
  const [original, result] = certificate.areOpen
    ? [openArchives(read.original) ?? read.original, openArchives(read.result) ?? read.result]
    : [read.original, read.result];
  const { promises, formatted, minimal, request, first } = certificate;
  const verdicts = new Map<string, Verdict>([[identify(result), { outcome: 'fail' }]]);
  // Several promises may name the same neighbour; one that fails is enough.
  for (const { neighbours } of promises)
    for (const [content, outcome] of Object.entries(neighbours))
      if (verdicts.get(content)?.outcome !== 'fail') verdicts.set(content, { outcome });
  const claim: Claim = {
    request: { ...request, job: 'reduce', options: request.options as ReduceRequestOptions },
    original,
    result,
    minimal,
    first: first as Claim['first'],
    verdictsOf: content => (verdicts.has(content) ? [verdicts.get(content)!] : []),
  };
  return {
    claim,
    versions: certificate.versions,
    cwd: process.cwd(),
    isFlaky: false,
    ...(formatted === undefined ? {} : { formatted }),
    findings: damage === undefined ? none : { refuted: [`${damage}.`], unchecked: [] },
    // The steps of the search are in its journal, and the claim does not depend on them.
    again: async () => none,
  };
}

/** The newest run in .culprit/ that wrote its result to this path. */
function runOf(result: string): string {
  const runs = existsSync('.culprit') ? readdirSync('.culprit').map(name => join('.culprit', name)) : [];
  const wrote = (run: string): boolean => {
    try {
      const { output } = object({ output: string })(JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')));
      return resolve(output) === resolve(result);
    } catch {
      return false;
    }
  };
  const [newest] = runs
    .filter(wrote)
    .map(run => ({ run, changed: statSync(join(run, 'journal.jsonl'), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.changed - a.changed);
  if (!newest)
    throw new UserError(
      `No run in .culprit/ has written ${result}.`,
      'Give the folder of the run instead, for example: culprit verify .culprit/bug-1.',
    );
  return newest.run;
}

export async function writeCertificate(
  path: string,
  opened: OpenedClaim,
  promises: readonly Promised[],
): Promise<void> {
  const { claim, versions, cwd } = opened;
  const { request, first } = claim;
  const formatted = opened.formatted ?? (await formattedOf(claim));
  const program = programOf(request.command, cwd);
  const certificate: Certificate = {
    certificate: 1,
    job: 'reduce',
    versions,
    request: {
      inputs: request.inputs.map(each => (first.isInFolder ? relative(cwd, resolve(cwd, each)) : basename(each))),
      command: request.command,
      options: shaping(request.options),
    },
    first: {
      rule: first.rule,
      described: first.described,
      timeout: first.timeout,
      ...(first.isInFolder ? { isInFolder: true } : {}),
    },
    ...(program ? { program } : {}),
    ...(claim.original.archives ? { areOpen: true } : {}),
    original: pack(closeArchives(claim.original)),
    result: pack(closeArchives(claim.result)),
    ...(formatted === undefined ? {} : { formatted }),
    minimal: claim.minimal,
    promises,
  };
  writable(path, () => writeFileSync(path, formatCertificate(certificate), { flag: 'wx' }), otherCertificate);
}

/** The options that determine the deltas and what is tested; where things were written does not matter elsewhere. */
function shaping(options: ReduceRequestOptions): Partial<ReduceRequestOptions> {
  const { level, by, language, grammar, keep, rename, format, strategy, differs } = options;
  return JSON.parse(JSON.stringify({ level, by, language, grammar, keep, rename, format, strategy, differs }));
}
