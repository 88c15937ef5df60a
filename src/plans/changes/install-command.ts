/** The command that installs packages in the versions that an upgrade has on one of its sides. */
import type { Packages } from '../../circumstances/packages.js';
import { type Configuration, deltasOf } from '../../core/index.js';
import type { Step } from '../../sources/packages/upgrades.js';

/** `npm install --save-exact a@1.2.3 …`, if all of these are direct upgrades. */
export function installCommand({ upgrades }: Packages, chosen: Configuration, side: 'from' | 'to'): string | undefined {
  const steps = [...deltasOf(chosen)].flatMap(delta => upgrades[delta]!.steps);
  const versions = steps.flatMap(step => pinOf(step, side) ?? []);
  return versions.length === steps.length ? `npm install --save-exact ${versions.join(' ')}` : undefined;
}

/** A package nested below another one is not the project's to pin. */
function pinOf(step: Step, side: 'from' | 'to'): string | undefined {
  const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(step.location)?.[1];
  const version = step[side]?.version;
  return name !== undefined && version !== undefined ? `${name}@${version}` : undefined;
}
