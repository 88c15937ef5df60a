/** The search of `--all`, for any job: every cause over the job's own circumstance, as a list, JSON fields and a page. */
import { join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { type Circumstance, type Configuration, deltasOf, UserError } from '../../core/index.js';
import { leastOf } from '../../core/lists.js';
import type { Output } from '../../run/output.js';
import { listStrategy } from '../../strategies/registry.js';
import { textFiles } from '../invocation.js';
import type { Context, Expected, Found, JobOptions, Look, Opened } from '../job.js';
import { proofOf } from '../proof.js';
import { linesOf, matrixOf, sentenceOf, wordsOf } from './describe-causes.js';
import { type AllOptions, defaultLimit } from './options.js';
import { type AllCauses, allCauses, nothingKnown } from './search.js';

/** What differs from job to job. */
export interface CausesPlan {
  readonly title: string;
  /** Where the result goes outside the run's folder, if anywhere: a file for the list, or a folder. */
  readonly output?: Output;
  readonly identify: (artifact: Artifact) => string;
  /** Runs the original, and lists what may be left out of it. */
  firstRun(): Promise<FirstCauses>;
  /** How to leave these out, ready to use: a command line, a patch, versions to pin. */
  use(leftOut: Configuration, way: number): string;
  /** What is written next to the list: a patch for each cause, an input for each way to avoid the failure. */
  files?(known: AllCauses): Artifact['files'];
  fields?(known: AllCauses): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface FirstCauses extends Pick<Expected<Artifact>, 'rule' | 'signature' | 'command' | 'test' | 'kept'> {
  readonly circumstance: Circumstance<Artifact>;
  readonly look: Look<Artifact>;
  /** What the user should know before the search. */
  readonly note?: string | undefined;
}

/** `best` is everything that is known so far: a run that is killed leaves it in its folder. */
export function openCauses(plan: CausesPlan, context: Context): Opened<Artifact, AllCauses> {
  const { folder } = context;
  const { strategy, limit = defaultLimit } = context.options as JobOptions & AllOptions;
  const output = plan.output?.path ?? join(folder.path, 'best/causes.txt');
  let first: FirstCauses;
  const words = (delta: number) => wordsOf(first.circumstance)(delta);
  const named = (set: Configuration) => [...deltasOf(set)].map(delta => words(delta).trim());
  const textOf = (known: AllCauses) => {
    const uses = known.avoid.map((set, way) => `  ${plan.use(set, way)}`);
    const lead = uses.length === 1 ? 'This avoids it:' : 'Each of these avoids it:';
    return [...linesOf(known, words), ...(uses.length > 0 ? ['', lead, ...uses] : [])].join('\n');
  };
  const filesOf = (known: AllCauses): Artifact => ({
    files: new Map([...textFiles({ 'causes.txt': `${textOf(known)}\n` }).files, ...(plan.files?.(known) ?? [])]),
  });
  const pageOf = (known: AllCauses, caption: string) => ({
    title: plan.title,
    output,
    table: { caption, ...matrixOf(known, words) },
  });
  return {
    async firstRun() {
      const { circumstance, look, note: _, ...expected } = (first = await plan.firstRun());
      if (circumstance.count === 0)
        throw new UserError('There is nothing that could be left out.', 'Check the command.', 1);
      const probe = { ...look, identify: plan.identify };
      return { ...expected, probe, original: nothingKnown, before: { deltas: circumstance.count } };
    },
    async *search({ test, settings, keep }) {
      const { circumstance, note } = first;
      if (note !== undefined) yield { type: 'noticed', what: 'note', text: note };
      const best = yield* allCauses(circumstance, test, {
        ...settings,
        identify: plan.identify,
        identifyAgain: artifact => `again: ${plan.identify(artifact)}`,
        limit,
        keep,
        ...(strategy === undefined ? {} : { list: listStrategy(strategy) }),
      });
      const { identify } = plan;
      const proofs = best.failing.flatMap((set, i) => proofOf({ circumstance, set, of: `cause ${i + 1}`, identify }));
      return { ended: best.ended, best, ...provenBy(best, circumstance), proofs, sentence: sentenceOf(best, words) };
    },
    keep: known => folder.keepBest(filesOf(known)),
    page: known => pageOf(known, 'Known so far'),
    present({ best }) {
      plan.output?.write(filesOf(best), folder);
      return {
        output,
        result: textOf(best),
        fields: { ...fieldsOf(best), ...plan.fields?.(best) },
        page: pageOf(best, sentenceOf(best, words)),
      };
    },
    close: plan.close,
  };

  function fieldsOf({ causes, avoid, unknown, needed, complete, stopped, contradiction, unstable }: AllCauses) {
    return {
      causes: causes.map(named),
      avoid: avoid.map((set, way) => ({ leave: named(set), use: plan.use(set, way) })),
      unknown: unknown.map(named),
      needed: named(needed),
      complete,
      ...(unstable > 0 ? { unstable } : {}),
      ...(stopped ? { stopped } : {}),
      ...(contradiction
        ? { notMonotone: { fails: named(contradiction.failing), passes: named(contradiction.passing) } }
        : {}),
    };
  }
}

/** Each cause is minimal by itself. The smallest one is what the failure can be reduced to. */
function provenBy(
  { causes }: AllCauses,
  { name, count }: Circumstance<Artifact>,
): Pick<Found<AllCauses>, 'minimal' | 'after'> {
  if (causes.length === 0) return { minimal: [], after: { deltas: count } };
  return { minimal: [name], after: { deltas: leastOf(causes.map(cause => [...deltasOf(cause)].length)) } };
}
