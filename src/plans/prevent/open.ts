/** The search of `--prevent`, for any job: what makes the failure go away if it is added to the job's own circumstance. */
import { join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { type Circumstance, type Configuration, deltasOf, UserError } from '../../core/index.js';
import type { Output } from '../../run/output.js';
import { listStrategy } from '../../strategies/registry.js';
import { textFiles } from '../invocation.js';
import type { Context, Expected, Found, Look, Opened } from '../job.js';
import { sentenceOf, setWords, tableOf, wrapSentence } from './describe-prevention.js';
import { prevent } from './search.js';

/** What differs from job to job. */
export interface PreventPlan {
  readonly title: string;
  /** What is added, one and many of them. */
  readonly noun: readonly [one: string, many: string];
  /** Where the result goes outside the run's folder, if anywhere: a file for the list, or a folder. */
  readonly output?: Output;
  readonly identify: (artifact: Artifact) => string;
  /** Runs what fails, and returns what may be added to it: the empty configuration is what fails. */
  firstRun(): Promise<FirstPrevent>;
  /** How to add these, ready to use: a command line, a patch to apply. */
  use(set: Configuration, i: number): string;
  /** The command that fails. */
  readonly reproduce?: string;
  /** What is written next to the list. */
  files?(found: readonly Configuration[]): Artifact['files'];
  fields?(): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface FirstPrevent extends Pick<Expected<Artifact>, 'rule' | 'signature' | 'command' | 'test' | 'kept'> {
  readonly circumstance: Circumstance<Artifact>;
  readonly look: Look<Artifact>;
}

type Sets = readonly Configuration[];

export interface Prevention extends Found<Sets> {
  readonly unstable: number;
}

export function openPrevent(plan: PreventPlan, context: Context): Opened<Artifact, Sets, Prevention> {
  const { folder, options } = context;
  const [one, many] = plan.noun;
  const output = plan.output?.path ?? join(folder.path, 'best/preventions.txt');
  let first: FirstPrevent;
  const words = (set: Configuration) =>
    [...deltasOf(set)].map(delta => first.circumstance.describe?.(delta) ?? `${one} ${delta + 1}`);
  const describe = (set: Configuration, i: number) => setWords(words(set), i);
  const filesOf = (found: Sets): Artifact => ({
    files: new Map([
      ...textFiles({ 'preventions.txt': found.map((set, i) => `${plan.use(set, i)}\n`).join('') }).files,
      ...(plan.files?.(found) ?? []),
    ]),
  });
  const page = { title: plan.title, output, ...(plan.reproduce === undefined ? {} : { reproduce: plan.reproduce }) };
  return {
    async firstRun() {
      const { circumstance, look, ...expected } = (first = await plan.firstRun());
      if (circumstance.count === 0)
        throw new UserError(`There are no ${many} to try.`, 'Check what --prevent may add.', 1);
      const probe = { ...look, identify: plan.identify };
      return { ...expected, probe, original: [], before: { deltas: circumstance.count } };
    },
    async *search({ test, settings, keep }) {
      const { circumstance } = first;
      const strategy = options.strategy === undefined ? {} : { strategy: listStrategy(options.strategy) };
      const searching = { ...settings, ...strategy, identify: plan.identify, many, describe, keep };
      const { ended, found, unstable, proofs } = yield* prevent(circumstance, test, searching);
      const sets = found.map(words);
      return {
        ended,
        unstable,
        minimal: ended === 'done' && sets.length > 0 && unstable === 0 ? [one] : [],
        best: found,
        proofs: proofs.map(proof => ({ ...proof, proves: one })),
        after: { deltas: sets.flat().length },
        sentence: sentenceOf({ ended, sets, tried: circumstance.count, noun: plan.noun, unstable }),
      };
    },
    keep: found => folder.keepBest(filesOf(found)),
    page: () => page,
    present({ best }) {
      plan.output?.write(filesOf(best), folder);
      const sets = best.map(words);
      const none = `None of the ${first.circumstance.count} ${many} prevents it, alone or together.`;
      const result = sets.length === 0 ? none : `${best.map(describe).join('; ')}.`;
      const names = words([0, first.circumstance.count]);
      return {
        output,
        result: wrapSentence(result),
        fields: { ...plan.fields?.(), preventions: sets, use: best.map((set, i) => plan.use(set, i)) },
        page: { ...page, table: tableOf(result, one, names, sets) },
      };
    },
    close: plan.close,
  };
}
