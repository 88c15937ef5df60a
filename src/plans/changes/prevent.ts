/** `changes --prevent`: the changes of a version that works which, added to one that fails, prevent the failure: what fixed it. */
import { join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { type Configuration, UserError, type Verdict } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import { askedRule } from '../../oracle/command/rules.js';
import type { Output } from '../../run/output.js';
import { identify } from '../../sources/files.js';
import { demandPass, expectedOf, firstLook, firstRun } from '../first-run.js';
import type { Context } from '../job.js';
import { openPrevent } from '../prevent/open.js';
import { patchFrom } from './answer/culprits.js';
import { installCommand } from './install-command.js';
import type { ChangesOptions } from './job.js';
import type { Hierarchy } from './levels/hierarchy.js';
import type { Finest, Pair } from './pair.js';

interface PreventChanges {
  readonly pair: Pair;
  readonly oracle: CommandOracle;
  readonly command: readonly string[];
  readonly finest: Exclude<Finest, 'commit'>;
  readonly output: Output;
  readonly kept: (artifact: Artifact) => Artifact;
}

export function openPreventChanges({ pair, oracle, command, finest, output, kept }: PreventChanges, context: Context) {
  const options = context.options as ChangesOptions;
  const [old, now] = pair.titles;
  const [place] = pair.places;
  let changes: Hierarchy['changes'];
  const patchesOf = (found: readonly Configuration[]): Artifact['files'] =>
    new Map(
      found.map(
        (set, i) => [patchName(i), { kind: 'file', bytes: patchFrom(pair, 'old', changes.build(set)!) }] as const,
      ),
    );
  return openPrevent(
    {
      title: `${old} → ${now}: which change prevents the failure`,
      noun: ['change', 'changes'],
      output,
      identify,
      async firstRun() {
        const first = await firstRun(
          oracle,
          {
            artifact: pair.old,
            asked: askedRule(options),
            command,
            names: [],
            where: place ?? `a copy of ${old}`,
            shown: oracle.shown(place ?? '.'),
            called: `the first version (${old})`,
          },
          context,
        );
        const test = oracle.test(first.rule, first.timeout, options.build !== undefined);
        await demandPass(pair.new, { test, identify, refuse: verdict => notPassing(now, verdict) }, context);
        const hierarchy = await pair.hierarchy(finest);
        changes = finest === 'line' ? hierarchy.list() : hierarchy.changes;
        const called = { original: 'the old version', empty: 'the new version' };
        const look = { original: pair.old, empty: pair.new, called, ...firstLook(first, context) };
        return { ...expectedOf(first, command.join(' ')), test, look, circumstance: changes, kept };
      },
      use: (set, i) =>
        ('upgrades' in changes ? installCommand(changes, set, 'to') : undefined) ??
        `git apply ${join(output.path, patchName(i))}`,
      files: patchesOf,
      fields: () => ({ changed: changes.count, versions: pair.titles }),
      close: () => oracle.close(),
    },
    context,
  );
}

const patchName = (i: number) => `prevention${i === 0 ? '' : `-${i + 1}`}.patch`;

function notPassing(title: string, { outcome, reason }: Verdict): UserError {
  return new UserError(
    outcome === 'fail'
      ? `Nothing to find: the second version (${title}) fails in the same way.`
      : `The second version (${title}) does not pass: ${reason ?? 'it cannot be judged'}.`,
    'With --prevent, the first version fails and the second one works. Without it, it is the other way round.',
    1,
  );
}
