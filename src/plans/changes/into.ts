/** `--into`: from an upgrade that is to blame on into the package: the first bad version that was published, then its lines. */
import type { Packages } from '../../circumstances/packages.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import { all, type Circumstance, deltasOf, type Test } from '../../core/index.js';
import { type Ended, type Event, explore } from '../../engine/index.js';
import { identify } from '../../sources/files.js';
import { publishedBetween } from '../../sources/packages/published.js';
import { type Published, publishedFiles } from '../../sources/versions/npm.js';
import { inOrder, type Snapshot } from '../../sources/versions/snapshot.js';
import { firstBad } from '../../strategies/first-bad.js';
import { type Blamed, type BlameOptions, blame } from './levels/blame.js';
import { type Hierarchy, hierarchyOf } from './levels/hierarchy.js';
import { type Pair, pairOf } from './pair.js';

/** What was found inside a package. */
export interface Into {
  readonly name: string;
  /** The last good version and the first bad one. */
  readonly versions: readonly [string, string];
  /** How many published versions there were to choose from. */
  readonly searched: number;
  readonly pair: Pair;
  readonly hierarchy: Hierarchy;
  readonly blamed: Blamed;
}

interface Stepped {
  readonly location: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface IntoOptions {
  readonly settings: BlameOptions;
  /** Where fetched packages are kept. */
  readonly cache: string;
  readonly signal: AbortSignal;
}

/** The one package whose upgrade is a cause by itself, if there is one. */
export function upgradeIn({ upgrades }: Packages, { causes }: Blamed): Stepped | undefined {
  for (const { changes } of causes) {
    const steps = [...deltasOf(changes)].flatMap(delta => upgrades[delta]!.steps).filter(step => step.location !== '');
    const [step] = steps;
    const [from, to] = [step?.from?.version, step?.to?.version];
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(step?.location ?? '')?.[1];
    if (steps.length === 1 && name !== undefined && from !== undefined && to !== undefined && from !== to)
      return { location: step!.location, name, from, to };
  }
  return undefined;
}

/** `base`: the project that fails with this upgrade. */
export async function* searchInto(
  { location, name, from, to }: Stepped,
  base: Artifact,
  test: Test<Artifact>,
  { settings, cache, signal }: IntoOptions,
): AsyncGenerator<Event, Into | Ended> {
  const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
  const filesOf = (version: string) => publishedFiles({ name, version }, cache, signal);
  const placed = (files: Snapshot): Artifact => ({ ...base, files: replaced(base.files, location, files) });
  const { accepted: _, measure: _size, beyond: _beyond, flaky: _flaky, identify: _id, ...rest } = settings;
  const versions = await publishedBetween(name, [from, to], signal);
  yield note(`${versions.length} published versions of ${name} after ${from}, up to ${to}`);
  const commits = versions.map((id, i) => ({ id, parents: i === 0 ? [] : [versions[i - 1]!] }));
  const circumstance: Circumstance<Published> = {
    name: 'version',
    count: versions.length,
    build: configuration => ({ name, version: versions[configuration.at(-1)! - 1]! }),
    describe: delta => versions[delta]!,
  };
  yield { type: 'pass', pass: `versions of ${name}`, round: 1, deltas: versions.length, strategy: 'first-bad' };
  const inProject: Test<Published> = async ({ version }, aborted) => test(placed(await filesOf(version)), aborted);
  const project = identify(base);
  const found = yield* explore(firstBad(commits, { startsPassing: true }), circumstance, inProject, {
    ...rest,
    eager: true,
    identify: published => `${project} with ${published.name}@${published.version}`,
  });
  if (found.ended !== 'done') return found.ended;
  // Several, if those between them could not be tested.
  const candidates = [...deltasOf(found.result!.candidates)];
  const [first, last] = [candidates[0]!, candidates.at(-1)!];
  const ends = [first === 0 ? from : versions[first - 1]!, versions[last]!] as const;
  yield note(`${name}@${ends[0]} is good, ${name}@${ends[1]} is bad`);
  const [old, now] = [{ files: await filesOf(ends[0]) }, { files: await filesOf(ends[1]) }];
  const pair = pairOf(old, now, [`${name}@${ends[0]}`, `${name}@${ends[1]}`]);
  const hierarchy = await hierarchyOf(old, now, 'line');
  const blamed = yield* blame(
    hierarchy.levels,
    { suspects: all(hierarchy.changes.count) },
    ({ files }, aborted) => test(placed(files), aborted),
    { ...rest, identify: artifact => `${project} with ${location} ${identify(artifact)}` },
  );
  return { name, versions: ends, searched: versions.length, pair, hierarchy, blamed };
}

/** The project with other files of one package; what is installed inside it stays. */
function replaced(files: Artifact['files'], location: string, by: Snapshot): Snapshot {
  const isOwn = (path: string) => path.startsWith(`${location}/`) && !path.startsWith(`${location}/node_modules/`);
  const entries: (readonly [string, Entry])[] = [...files].filter(([path]) => !isOwn(path));
  for (const [path, entry] of by) entries.push([`${location}/${path}`, entry]);
  return inOrder(entries);
}
