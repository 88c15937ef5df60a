/** `culprit verify`: reads a claim from a run, a result or a certificate, checks it, and says what holds. */

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { UserError } from '../core/index.js';
import { counted } from '../core/phrases.js';
import { CommandOracle } from '../oracle/command/command.js';
import { inFolder, optionsInFolder } from '../oracle/command/in-folder.js';
import { findOutputs, outputsIn } from '../oracle/command/outputs.js';
import { type OpenedClaim, openClaim, writeCertificate } from '../plans/claim.js';
import { type RecordedSource, writeProofCertificate } from '../plans/open-recorded.js';
import { checkProofs, countNeighbours } from '../plans/recorded-claim.js';
import { givenFrom } from '../plans/reduce/job.js';
import { checkNeighbours, type Findings, interrupted, nothingFound as none, testAgain } from '../plans/verify.js';
import { ownResults } from '../run/output.js';
import { differingVersions } from '../run/versions.js';
import { linksBeside, standardInput } from '../sources/input.js';
import { newestRun } from './commands/resume.js';
import type { Rerun, VerifyOptions } from './commands/verify.js';
import { printJson } from './failure.js';
import { type Retested, retestRun, untested } from './rerun.js';

export async function verify(what: string | undefined, options: VerifyOptions): Promise<void> {
  const path = what ?? newestRun();
  const found = await check(path, options);
  const { refuted, unchecked } = found;
  const holds = refuted.length === 0 && unchecked.length === 0;
  const state = refuted.length > 0 ? 'refuted' : holds ? 'holds' : 'in part';
  if (options.json) printJson(JSON.stringify({ job: 'verify', state, ...found }));
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  for (const sentence of [...refuted, ...unchecked].slice(0, mostShown)) say(sentence);
  const more = refuted.length + unchecked.length - mostShown;
  if (more > 0) say(`… and ${more} more.`);
  const { neighbours, minimal, tested } = found;
  const again = tested > 0 ? `, ${tested} tested again` : '';
  if (holds && !options.quiet)
    say(
      `Holds. 1-minimal by ${minimal.join(', ')}: ${counted(neighbours, 'neighbour')}, none of them has the same outcome${again}.`,
    );
  else if (refuted.length > 0) say(`Refuted: ${path} is not what it claims to be.`);
  else if (!holds)
    say(`Checked in part: ${counted(neighbours, 'neighbour')} looked up, ${unchecked.length} open${again}.`);
  process.exitCode = refuted.length > 0 ? 1 : holds ? 0 : 3;
}

const mostShown = 10;

export interface Checked extends Findings {
  readonly minimal: readonly string[];
  readonly neighbours: number;
  readonly tested: number;
}

/** Everything that can be said about the claim at this path. */
export async function check(path: string, options: VerifyOptions = {}): Promise<Checked> {
  const nothing = { minimal: [], neighbours: 0, tested: 0 };
  const { certificate } = options;
  if (certificate !== undefined && existsSync(certificate))
    throw new UserError(`${certificate} exists already.`, 'Name a file that does not exist yet with --certificate.');
  const opened = openClaim(path);
  if ('recorded' in opened) return checkRecorded(opened, options);
  if (!('claim' in opened)) return { ...nothing, ...opened };
  const { claim, versions, findings } = opened;
  const differing = differingVersions(versions);
  if (differing.length > 0)
    return {
      ...nothing,
      ...findings,
      unchecked: [`Other versions cut it into other deltas: ${differing.join('; ')}.`],
    };
  const { promises, ...known } = await checkNeighbours(claim);
  const isSound = findings.refuted.length + known.refuted.length === 0;
  const steps = isSound ? await opened.again() : none;
  const rerun = await testedAgain(opened, options);
  const refuted = [findings, known, steps, rerun].flatMap(each => each.refuted);
  const unchecked = [findings, known, steps, rerun].flatMap(each => each.unchecked);
  const neighbours = new Set(promises.flatMap(promise => Object.keys(promise.neighbours))).size;
  if (certificate !== undefined && refuted.length + unchecked.length === 0)
    await writeCertificate(certificate, opened, promises);
  return { refuted, unchecked, minimal: claim.minimal, neighbours, tested: rerun.tested };
}

/** A claim that a run recorded itself: its questions are looked up by name. */
async function checkRecorded(source: RecordedSource, options: VerifyOptions): Promise<Checked> {
  const { recorded, minimal, verdictsOf, findings } = source;
  const known = checkProofs(recorded, minimal, verdictsOf);
  const again = await retested(source, options);
  const refuted = [findings, known, again].flatMap(each => each.refuted);
  const unchecked = [findings, known, again].flatMap(each => each.unchecked);
  if (options.certificate !== undefined && refuted.length + unchecked.length === 0)
    writeProofCertificate(options.certificate, source);
  return { refuted, unchecked, minimal, neighbours: countNeighbours(recorded.proofs), tested: again.tested };
}

async function retested(
  { recorded: { proofs }, run, isFlaky }: RecordedSource,
  { rerun = 'none', jobs, sandbox }: VerifyOptions,
): Promise<Retested> {
  if (rerun === 'none') return { ...none, tested: 0 };
  if (isFlaky) return untested(oneRunIsNothing);
  if (run === undefined)
    return untested(
      'A certificate does not hold what was tested. Test it again where the run is: culprit verify <run> --rerun.',
    );
  return interruptible(signal => retestRun({ run, proofs, neighbours: neighboursFor(rerun), jobs, sandbox, signal }));
}

const oneRunIsNothing = 'The failure is flaky: a single run proves nothing, so nothing was tested again.';

async function interruptible(work: (signal: AbortSignal) => Promise<Retested>): Promise<Retested> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted || (error as Error).name !== 'AbortError') throw error;
    return untested(interrupted);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

async function testedAgain(opened: OpenedClaim, { rerun = 'none', jobs, sandbox }: VerifyOptions): Promise<Retested> {
  if (rerun === 'none') return { ...none, tested: 0 };
  if (opened.isFlaky) return untested(oneRunIsNothing);
  return interruptible(signal => testOpened(opened, { rerun, jobs, sandbox }, signal));
}

async function testOpened(
  { claim, cwd }: OpenedClaim,
  { rerun = 'none', jobs, sandbox }: VerifyOptions,
  signal: AbortSignal,
): Promise<Retested> {
  const { request, original, first } = claim;
  const running = {
    command: request.command,
    given: givenFrom(request.inputs, original),
    cwd,
    ...(request.options.stdin ? { stdin: true } : {}),
    ...(request.options.differs === undefined ? {} : { differs: request.options.differs }),
    ...(request.options.memory ? { memory: request.options.memory } : {}),
    ...(request.options.processes ? { processes: request.options.processes } : {}),
    ...(sandbox || request.options.sandbox ? { sandbox: true } : {}),
  };
  const writing = { ...running, artifact: original };
  const words = await findOutputs({ ...writing, timeout: first.timeout, signal });
  const { outputs, beside } = outputsIn(words, writing);
  const linked = linksBeside(
    request.inputs.map(path => (path === standardInput ? path : resolve(cwd, path))),
    request.options,
  );
  const usual = {
    ...running,
    original,
    jobs: jobs ?? availableParallelism(),
    outputs,
    beside: new Map([...linked, ...beside]),
  };
  const around = first.isInFolder
    ? inFolder(running.given, cwd, { ...request.options, results: ownResults() })
    : undefined;
  if (first.isInFolder && !around) return untested('The command needs the folder in which the run was made.');
  const oracle = new CommandOracle(around ? optionsInFolder(usual, around) : usual);
  try {
    const test = oracle.test(first.rule, first.timeout);
    const run = testAgain(claim, test, { neighbours: neighboursFor(rerun), signal });
    for (let tested = 0; ; ) {
      const step = await run.next();
      if (step.done) return { ...step.value, tested };
      tested = step.value.tested;
    }
  } finally {
    await oracle.close();
  }
}

const neighboursFor = (rerun: Rerun): number => (rerun === 'all' ? Infinity : typeof rerun === 'number' ? rerun : 0);
