/** Opens a finished run once more, on a copy of its folder, and tests again what it has proven. */

import { cpSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { invert, type Test, UserError } from '../core/index.js';
import { capital } from '../core/phrases.js';
import { Counter } from '../engine/index.js';
import { scratchParent, uniqueName } from '../oracle/process/scratch.js';
import { makeReliable } from '../plans/flaky/reliability.js';
import { searchReliably } from '../plans/flaky/search.js';
import type { Context, Expected, Opened, Request } from '../plans/job.js';
import type { Proof } from '../plans/proof.js';
import { contradiction, recorded } from '../plans/recorded-claim.js';
import { type Findings, interrupted, unlessStopped } from '../plans/verify.js';
import type { RecordedProof } from '../run/recorded-proof.js';
import { RunFolder } from '../run/run-folder.js';
import { jobNamed } from './jobs.js';

export interface Retesting {
  readonly run: string;
  /** What the run recorded: the search must come to the same. */
  readonly proofs: readonly RecordedProof[];
  /** How many neighbours are tested. */
  readonly neighbours: number;
  readonly jobs?: number | undefined;
  readonly sandbox?: boolean | undefined;
  readonly signal: AbortSignal;
}

export type Retested = Findings & { readonly tested: number };

/** The search takes its steps again over the recorded verdicts, and so leads to the artifacts themselves. */
export async function retestRun(retesting: Retesting): Promise<Retested> {
  const scratch = join(scratchParent(), uniqueName());
  const copy = join(scratch, 'run');
  const removeCopy = () => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', removeCopy);
  const from = process.cwd();
  try {
    cpSync(resolve(retesting.run), copy, {
      recursive: true,
      filter: path => !/[/\\](lock|other-failures)$/.test(path),
    });
    const folder = RunFolder.reopen(copy);
    try {
      process.chdir(folder.journal.header.cwd);
      return await retestIn(folder, join(scratch, 'result'), retesting);
    } finally {
      folder.close();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return untested(`Nothing could be tested again: ${error.message}`);
  } finally {
    process.chdir(from);
    removeCopy();
    process.off('exit', removeCopy);
  }
}

async function retestIn(folder: RunFolder, output: string, retesting: Retesting): Promise<Retested> {
  const { job, request: asked } = folder.journal.header as { readonly job: string; readonly request?: unknown };
  const request = asked as Request;
  const { maxTests: _, maxTime: __, workers: ___, output: ____, ...kept } = request.options;
  const { signal, jobs = availableParallelism(), sandbox } = retesting;
  const options = { ...kept, output, quiet: true, jobs, ...(sandbox ? { sandbox } : {}) };
  const made = await jobNamed(job)({ ...request, options }, folder);
  const context: Context = { folder, options, signal, workers: jobs, say() {}, see() {} };
  const opened: Opened<unknown> = await made.open(context);
  try {
    const expected: Expected<unknown> = await opened.firstRun();
    const proofs = await replayed(opened, expected, context);
    if (JSON.stringify(proofs?.map(recorded)) !== JSON.stringify(retesting.proofs))
      return untested('What the command reads has changed since the run, so its neighbours can’t be built again.');
    return await retest(proofs!, expected.test, retesting);
  } finally {
    await opened.close();
  }
}

/** What the search proves if it takes its steps again. Nothing if a verdict is missing: no test is run for it. */
async function replayed(
  opened: Opened<unknown>,
  expected: Expected<unknown>,
  context: Context,
): Promise<readonly Proof<unknown>[] | undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, context.signal]);
  const test: Test<unknown> = async () => {
    stop.abort();
    return { outcome: 'unresolved' };
  };
  const replaying = { ...context, signal };
  const { journal } = context.folder;
  const isCached = context.options.cache !== false;
  const { end } = await searchReliably({
    opened,
    expected: { ...expected, test },
    context: replaying,
    reliability: await makeReliable(expected.probe, test, replaying),
    settings: {
      signal,
      workers: 1,
      memory: isCached ? journal : journal.inOrder(),
      counter: new Counter(),
      ...(isCached ? {} : { remember: false }),
    },
    keep() {},
    async follow(run) {
      for (;;) {
        const step = await run.next();
        if (step.done) return step.value;
      }
    },
  });
  return stop.signal.aborted || end.ended !== 'done' ? undefined : end.proofs;
}

async function retest(
  proofs: readonly Proof<unknown>[],
  test: Test<unknown>,
  { neighbours, signal }: Retesting,
): Promise<Retested> {
  const [refuted, open]: [string[], string[]] = [[], []];
  const outcomes = new Map<string, string>();
  const ask = unlessStopped(test, signal);
  const outcomeOf = async ({ identify, isInverted }: Proof<unknown>, artifact: unknown): Promise<string> => {
    const name = identify(artifact);
    const known = outcomes.get(name);
    if (known !== undefined) return known;
    const { outcome } = await ask(artifact);
    const found = isInverted ? invert(outcome) : outcome;
    outcomes.set(name, found);
    return found;
  };
  for (const proof of proofs) {
    if (signal.aborted) break;
    const found = await outcomeOf(proof, proof.set);
    if (found !== proof.outcome && !signal.aborted)
      refuted.push(`${capital(proof.of)} came out as "${found}" when it was tested again, not as "${proof.outcome}".`);
  }
  for (const { proof, delta, artifact } of chosen(proofs, neighbours)) {
    if (signal.aborted) break;
    const found = await outcomeOf(proof, artifact);
    if (found === proof.outcome && !signal.aborted) refuted.push(`Tested again: ${contradiction(proof, delta)}`);
  }
  if (signal.aborted) open.push(interrupted);
  return { refuted, unchecked: open, tested: outcomes.size };
}

/** The order of names is as good as a random one, and the same each time. */
function chosen(proofs: readonly Proof<unknown>[], most: number) {
  const seen = new Set<string>();
  const all = proofs.flatMap(proof =>
    proof.neighbours.map(({ delta, artifact }) => ({ proof, delta, artifact, name: proof.identify(artifact) })),
  );
  const distinct = all.filter(({ name }) => !seen.has(name) && seen.add(name));
  return distinct.length <= most ? distinct : distinct.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, most);
}

/** Nothing was tested again, and why. */
export const untested = (sentence: string): Retested => ({ refuted: [], unchecked: [sentence], tested: 0 });
