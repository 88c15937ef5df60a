/** `isolate --all`: every set of differences that fails by itself, and the failing input without it for every way to avoid the failure. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact, Entry } from '../../circumstances/artifact.js';
import { all, minus, type Test, UserError } from '../../core/index.js';
import type { Counter, ExploreOptions, Size } from '../../engine/index.js';
import type { FirstRun } from '../../oracle/first-run.js';
import { differencesOf, type Pair } from '../../plans/isolate.js';
import { type AllOptions, listCauses } from '../causes.js';
import { jsonOf } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import { writable, writeFolder } from '../run-folder.js';

export interface AllDifferences {
  readonly pair: Pair;
  readonly test: Test<Artifact>;
  readonly settings: ExploreOptions<Artifact>;
  readonly options: AllOptions & { readonly strategy?: string };
  readonly counter: Counter;
  readonly before: Size;
  readonly output: string;
  readonly first: FirstRun;
  /** The command line on an input at this path. */
  readonly reproduce: (path: string) => string;
  /** The name of the input: a file or a folder. */
  readonly input: string;
}

/** The result is a folder; one that holds anything else is not replaced. */
export function demandOwnFolder(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const foreign = stats?.isDirectory()
    ? readdirSync(path).find(name => !/^(passing|failing|difference\.txt|causes\.txt|avoids-\d+)$/.test(name))
    : undefined;
  if ((stats && !stats.isDirectory()) || foreign !== undefined)
    throw new UserError(
      `${path} exists and is not a result of culprit${foreign === undefined ? '' : `: it contains ${foreign}`}.`,
      'Name another folder with --output.',
    );
}

export async function allDifferences(given: AllDifferences, context: JobContext): Promise<JobResult> {
  const { pair, test, settings, options, counter, before, output, first, reproduce, input } = given;
  const circumstance = differencesOf(pair);
  const whole = all(circumstance.count);
  const folderOf = (way: number) => `avoids-${way + 1}`;
  const use = (_: unknown, way: number) => reproduce(join(output, folderOf(way), input));
  const listed = await listCauses({ circumstance, test, settings, options, counter, use }, context);
  const { found, text } = listed;
  const files = new Map<string, Entry>([['causes.txt', { kind: 'file', bytes: Buffer.from(`${text}\n`) }]]);
  for (const [way, set] of found.avoid.entries())
    for (const [path, entry] of circumstance.build(minus(whole, set))!.files)
      files.set(`${folderOf(way)}/${path}`, entry);
  writeFolder(join(context.folder.path, 'best'), { files });
  writable(output, () => writeFolder(output, { files }));
  const end = { ended: found.ended, minimal: found.causes.length > 0 ? [circumstance.name] : [] };
  const signature = first.signature?.text ?? first.described;
  return {
    ended: found.ended,
    ending: { output, result: text },
    json: jsonOf(context, 'isolate', end, counter, { before, output, signature, ...listed.json }),
    page: { title: `${input}: all causes in the difference`, output, table: listed.table },
  };
}
