/** Checks the claim that a result is 1-minimal: its neighbours are built again, and looked up or tested again. */
import { type Artifact, bytesOf } from '../core/artifact.js';
import type { Outcome, Test, Verdict } from '../core/index.js';
import type { Event, Memory } from '../engine/index.js';
import type { FirstRun } from '../oracle/command/first-run.js';
import type { Printed, Unexecuted } from '../oracle/coverage/index.js';
import { journalled } from '../run/journal-file.js';
import { identify } from '../sources/files.js';
import type { WrittenCall } from '../syntax/calls.js';
import type { Request } from './job.js';
import type { Pass } from './pass.js';
import { neighboursBy } from './proof.js';
import { noteOfCalls } from './reduce/direct-calls.js';
import { canReport, noteOfCoverage } from './reduce/executed.js';
import { passOptions, type ReduceRequestOptions } from './reduce/job.js';
import { reducePasses } from './reduce/passes.js';
import { noteOfOutput } from './reduce/printed.js';
import { passesBy, passesWithCoverage, searchSmaller } from './reduce/search.js';
import { noteOfValues, type RunWithValues, type SeenValues } from './reduce/seen-values.js';

/** A result, the claim about it, and the verdicts that support the claim. */
export interface Claim {
  readonly request: Request<ReduceRequestOptions>;
  readonly original: Artifact;
  readonly result: Artifact;
  /** The kinds of delta for which no single one can be removed. */
  readonly minimal: readonly string[];
  /** What counts as the failure. */
  readonly first: Pick<FirstRun, 'rule' | 'described' | 'timeout' | 'signature' | 'named' | 'isInFolder'>;
  /** The verdicts on a content, in the order in which they were made. */
  verdictsOf(content: string): readonly Verdict[];
  /** What the run noted by the way, if its journal is there. */
  noted?(name: string): unknown;
}

/** The result without one delta. */
export interface Neighbour {
  readonly pass: string;
  readonly proves: string;
  /** The delta in words. */
  readonly delta: string;
  readonly artifact: Artifact;
  readonly content: string;
}

export interface Promised {
  readonly pass: string;
  readonly proves: string;
  readonly deltas: number;
  /** The outcome of each neighbour by its content. */
  readonly neighbours: Readonly<Record<string, Outcome>>;
}

export interface Findings {
  /** What contradicts the claim. */
  readonly refuted: readonly string[];
  /** What could not be checked. */
  readonly unchecked: readonly string[];
}

export const nothingFound: Findings = { refuted: [], unchecked: [] };

/** Looks up every neighbour of the result: none of them may be known to fail, and all of them must be known. */
export async function checkNeighbours(claim: Claim): Promise<Findings & { readonly promises: readonly Promised[] }> {
  const [refuted, unchecked]: [string[], string[]] = [[], []];
  const passes = await passesOf(claim);
  const proven = promisedBy(passes);
  if (claim.minimal.join() !== proven.join())
    refuted.push(`The run claims to be minimal by ${listWords(claim.minimal)}, but it looked at ${listWords(proven)}.`);
  const own = claim.verdictsOf(identify(claim.result))[0]?.outcome;
  const isOriginal = identify(claim.result) === identify(claim.original);
  if (own !== undefined && own !== 'fail') refuted.push(`The result itself is recorded as "${own}", not as "fail".`);
  if (own === undefined && !isOriginal) refuted.push('The result was never tested: its content has no verdict.');
  const promises = new Map<
    string,
    { deltas: number; neighbours: Record<string, Outcome> } & Omit<Promised, 'deltas'>
  >();
  for await (const { pass, proves, delta, content } of neighboursOf(claim.result, passes)) {
    let promise = promises.get(pass);
    if (!promise) promises.set(pass, (promise = { pass, proves, deltas: 0, neighbours: {} }));
    promise.deltas++;
    const [verdict] = claim.verdictsOf(content);
    if (verdict) promise.neighbours[content] = verdict.outcome;
    if (!verdict) unchecked.push(`${delta}: there is no verdict on the result without it.`);
    else if (verdict.outcome === 'fail') refuted.push(`${delta} can be removed: the result without it fails too.`);
  }
  return { refuted, unchecked, promises: [...promises.values()] };
}

/** Every smaller artifact that differs from the result by one delta of a pass that promises something. */
export async function* neighboursOf(result: Artifact, passes: readonly Pass<Artifact>[]): AsyncGenerator<Neighbour> {
  const bytes = bytesOf(result);
  for (const pass of passes) {
    if (pass.proves === undefined) continue;
    for await (const { delta, artifact } of neighboursBy(pass, result))
      if (isSmaller(artifact, result, bytes))
        yield { pass: pass.name, proves: pass.proves, delta, artifact, content: identify(artifact) };
  }
}

const isSmaller = (artifact: Artifact, result: Artifact, bytes: number): boolean =>
  bytesOf(artifact) < bytes || artifact.files.size < result.files.size;

/**
 * Repeats the search's steps over the recorded verdicts, without running a test. Any difference from the recorded
 * transcript means that something was changed after the run: a verdict, a step, the original.
 */
export async function replay(claim: Claim, transcript: readonly Event[]): Promise<Findings> {
  const missing: string[] = [];
  const stop = new AbortController();
  const test: Test<Artifact> = async artifact => {
    missing.push(identify(artifact));
    stop.abort();
    return { outcome: 'unresolved' };
  };
  const noted = async <T extends object>(name: string, artifact: Artifact): Promise<T> => {
    const known = claim.noted?.(name) as T | undefined;
    if (known) return known;
    missing.push(identify(artifact));
    stop.abort();
    return {} as T;
  };
  const coverage = (artifact: Artifact) => noted<Unexecuted>(noteOfCoverage(artifact), artifact);
  const values: RunWithValues = (artifact, _loaded, reporters) =>
    noted<SeenValues>(noteOfValues(artifact, reporters), artifact);
  const output = (artifact: Artifact) => noted<Partial<Printed>>(noteOfOutput(artifact), artifact);
  const calls = (artifact: Artifact) => noted<readonly WrittenCall[]>(noteOfCalls(artifact), artifact);
  const { options } = claim.request;
  const passes = await passesWithCoverage(
    await passesOf(claim),
    claim.original,
    passOptions(options),
    canReport(claim.first, claim.original) ? { coverage, values, output, calls } : undefined,
  );
  const search = searchSmaller(claim.original, passesBy(options.strategy, passes), test, {
    identify,
    measure: bytesOf,
    memory: memoryOver(claim, options.cache === false),
    signal: stop.signal,
    ...(options.cache === false ? { remember: false } : {}),
  });
  const recorded = transcript.filter(event => event.type !== 'began');
  for (let at = 0; ; at++) {
    const step = await search.next();
    if (missing.length > 0) return refutedBy(`The journal has no verdict for step ${stepOf(recorded[at]) ?? at + 1}.`);
    if (step.done) {
      if (at < recorded.length) return refutedBy('The journal holds more steps than the search takes.');
      return identify(step.value.artifact) === identify(claim.result)
        ? nothingFound
        : refutedBy('The recorded verdicts lead to another result.');
    }
    // Notes for people are not steps.
    if (step.value.type === 'noticed') at--;
    else if (written(step.value) !== written(recorded[at]))
      return refutedBy(
        `Step ${stepOf(recorded[at]) ?? stepOf(step.value) ?? at + 1} of the journal does not follow from its verdicts.`,
      );
  }
}

/** Tests the result and some of its neighbours again. */
export async function* testAgain(
  claim: Claim,
  test: Test<Artifact>,
  { neighbours, signal }: { readonly neighbours: number; readonly signal: AbortSignal },
): AsyncGenerator<{ readonly tested: number }, Findings> {
  const [refuted, unchecked]: [string[], string[]] = [[], []];
  const ask = unlessStopped(test, signal);
  const own = await ask(claim.result);
  if (own.outcome !== 'fail' && !signal.aborted)
    refuted.push(`The result does not fail when it is tested again: ${reasonOf(own)}.`);
  let tested = 1;
  yield { tested };
  const list: Neighbour[] = [];
  const seen = new Set<string>();
  if (neighbours > 0)
    for await (const each of neighboursOf(claim.result, await passesOf(claim)))
      if (!seen.has(each.content) && seen.add(each.content)) list.push(each);
  // The order of contents is as good as a random one, and the same each time.
  const chosen = neighbours >= list.length ? list : list.toSorted(byContent).slice(0, neighbours);
  for (const { delta, artifact } of chosen) {
    if (signal.aborted) break;
    const { outcome } = await ask(artifact);
    if (outcome === 'fail') refuted.push(`${delta} can be removed: tested again, the result without it fails too.`);
    yield { tested: ++tested };
  }
  if (signal.aborted) unchecked.push(interrupted);
  return { refuted, unchecked };
}

export const interrupted = 'The tests were interrupted.';

/** What was refuted before an interruption stays refuted, so the test that it ends must not throw. */
export const unlessStopped =
  <Tested>(test: Test<Tested>, signal: AbortSignal) =>
  async (artifact: Tested): Promise<Verdict> => {
    try {
      return await test(artifact, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return { outcome: 'unresolved', reason: 'interrupted' };
    }
  };

const byContent = (a: Neighbour, b: Neighbour): number => (a.content < b.content ? -1 : 1);
const reasonOf = ({ outcome, reason }: Verdict): string => reason ?? outcome;

async function passesOf({ request, original, first }: Claim): Promise<readonly Pass<Artifact>[]> {
  const options = passOptions(request.options, () => first.named ?? []);
  return passesBy(request.options.strategy, await reducePasses(original, options));
}

const promisedBy = (passes: readonly Pass<Artifact>[]): readonly string[] => [
  ...new Set(passes.flatMap(({ proves }) => (proves === undefined ? [] : [proves]))),
];

/** `inOrder`: for a run that tested the same content more than once; each verdict then answers one question. */
function memoryOver(claim: Claim, inOrder: boolean): Memory {
  const asked = new Map<string, number>();
  return {
    recall(content) {
      const at = inOrder ? (asked.get(content) ?? 0) : 0;
      asked.set(content, at + 1);
      return claim.verdictsOf(content)[at];
    },
    record: () => {},
  };
}

const refutedBy = (sentence: string): Findings => ({ refuted: [sentence], unchecked: [] });
const stepOf = (event: Event | undefined): number | undefined =>
  event?.type === 'answered' || event?.type === 'reduced' ? event.step : undefined;
const listWords = (words: readonly string[]): string => (words.length === 0 ? 'nothing' : words.join(', '));

const written = (event: Event | undefined): string => JSON.stringify(event && journalled(event));
