/** `changes --all`: every set of changes that breaks the old version, and a tested revert patch for each way to repair the new one. */
import { join } from 'node:path';
import type { Artifact } from '../../circumstances/artifact.js';
import type { Packages, Step } from '../../circumstances/packages/index.js';
import { all, type Configuration, deltasOf, minus, type Test } from '../../core/index.js';
import type { FirstRun } from '../../oracle/first-run.js';
import type { Hierarchy } from '../../plans/blame/hierarchy.js';
import { type AllOptions, listCauses } from '../causes.js';
import { jsonOf } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import { writable, writeFolder } from '../run-folder.js';
import { patchFrom } from './culprits.js';
import type { Pair } from './pair.js';
import type { Wanted } from './search.js';

export interface AllChanges {
  readonly pair: Pair;
  readonly hierarchy: Hierarchy;
  readonly test: Test<Artifact>;
  readonly first: FirstRun;
  readonly options: AllOptions;
}

export async function allChanges(
  { pair, hierarchy, test, first, options }: AllChanges,
  { settings, counter, output, finest }: Wanted,
  context: JobContext,
): Promise<JobResult> {
  const changes = finest === 'line' ? hierarchy.list() : hierarchy.changes;
  const whole = all(changes.count);
  const patchName = (kind: 'culprit' | 'revert', i: number) => `${kind}${i === 0 ? '' : `-${i + 1}`}.patch`;
  const use = (leftOut: Configuration, i: number) => {
    const patch = `git apply ${join(output, patchName('revert', i))}`;
    return 'upgrades' in changes ? (pinned(changes, leftOut) ?? patch) : patch;
  };
  const listed = await listCauses({ circumstance: changes, test, settings, options, counter, use }, context);
  const { found } = listed;
  const built = (set: Configuration) => changes.build(set)!;
  const files = new Map(
    [
      ...found.causes.map((set, i) => [patchName('culprit', i), patchFrom(pair, 'old', built(set))] as const),
      ...found.avoid.map(
        (set, i) => [patchName('revert', i), patchFrom(pair, 'new', built(minus(whole, set)))] as const,
      ),
    ].map(([name, bytes]) => [name, { kind: 'file' as const, bytes }]),
  );
  writable(output, () => writeFolder(output, { files }));
  context.folder.keepBest({ files });
  const patches = [...files.keys()].map(name => join(output, name));
  const end = { ended: found.ended, minimal: found.causes.length > 0 ? [changes.name] : [] };
  return {
    ended: found.ended,
    ending: { output, result: listed.text },
    json: jsonOf(context, 'changes', end, counter, {
      before: { deltas: changes.count },
      output,
      signature: first.signature?.text ?? first.described,
      changed: changes.count,
      patches,
      versions: pair.titles,
      ...listed.json,
    }),
    page: { title: `${pair.titles[0]} → ${pair.titles[1]}: all causes`, output, table: listed.table },
  };
}

/** `npm install --save-exact a@1.2.3 …`: the old versions of what is left out, if all of it are direct upgrades. */
function pinned({ upgrades }: Packages, leftOut: Configuration): string | undefined {
  const steps = [...deltasOf(leftOut)].flatMap(delta => upgrades[delta]!.steps);
  const versions = steps.flatMap(step => pinOf(step) ?? []);
  return versions.length === steps.length ? `npm install --save-exact ${versions.join(' ')}` : undefined;
}

/** A package that lies below another one is not the project's own to pin. */
function pinOf({ location, from }: Step): string | undefined {
  const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(location)?.[1];
  return name !== undefined && from?.version !== undefined ? `${name}@${from.version}` : undefined;
}
