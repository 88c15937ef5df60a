/** `changes --all`: every set of changes that breaks the old version, and a tested revert patch for each way to repair the new one. */
import { join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { all, type Configuration, minus } from '../../core/index.js';
import type { Output } from '../../run/output.js';
import { identify } from '../../sources/files.js';
import { type FirstCauses, openCauses } from '../causes/open.js';
import type { AllCauses } from '../causes/search.js';
import type { Context, Opened } from '../job.js';
import { patchFrom } from './answer/culprits.js';
import { installCommand } from './install-command.js';
import type { Hierarchy } from './levels/hierarchy.js';
import type { Pair } from './pair.js';

interface AllChanges {
  readonly pair: Pair;
  readonly output: Output;
  /** Checks both versions. */
  readonly firstRun: () => Promise<FirstCauses & { readonly circumstance: Hierarchy['changes'] }>;
  readonly close: () => Promise<void>;
}

export function openAllChanges(
  { pair, output, firstRun, close }: AllChanges,
  context: Context,
): Opened<Artifact, AllCauses> {
  let changes: Hierarchy['changes'];
  const patchesOf = ({ causes, avoid }: AllCauses): Artifact['files'] => {
    const whole = all(changes.count);
    const patch = (side: 'old' | 'new', set: Configuration) => ({
      kind: 'file' as const,
      bytes: patchFrom(pair, side, changes.build(set)!),
    });
    return new Map([
      ...causes.map((set, i) => [patchName('culprit', i), patch('old', set)] as const),
      ...avoid.map((set, i) => [patchName('revert', i), patch('new', minus(whole, set))] as const),
    ]);
  };
  return openCauses(
    {
      title: `${pair.titles[0]} → ${pair.titles[1]}: all causes`,
      output,
      identify,
      async firstRun() {
        const first = await firstRun();
        changes = first.circumstance;
        return first;
      },
      use: (leftOut, way) =>
        ('upgrades' in changes ? installCommand(changes, leftOut, 'from') : undefined) ??
        `git apply ${join(output.path, patchName('revert', way))}`,
      files: patchesOf,
      fields: known => ({
        changed: changes.count,
        patches: [...patchesOf(known).keys()].map(name => join(output.path, name)),
        versions: pair.titles,
      }),
      close,
    },
    context,
  );
}

const patchName = (kind: 'culprit' | 'revert', i: number) => `${kind}${i === 0 ? '' : `-${i + 1}`}.patch`;
