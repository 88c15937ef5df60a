/** The passes of `reduce` over all files. */
import { type FilePart, inFiles, wholeFiles } from '../../circumstances/files.js';
import { type Artifact, bytesOf, type Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import type { Circumstance } from '../../core/index.js';
import {
  type CrossFilePasses,
  crossFilePasses,
  type FolderGuard,
  type FolderPass,
  folderGuard,
} from '../../reductions/cross-file/index.js';
import { dropImportsOf, importOrder, importsIn } from '../../reductions/text/imports.js';
import { isNamedIn, namedFiles } from '../../reductions/text/named-files.js';
import { type Guard, guardOf } from '../../reductions/tree/index.js';
import type { Pass } from '../pass.js';
import { allOrStretches, bothAtOnce, halvesOnly, smallText } from './large-text.js';
import { sizeAround } from './parts.js';
import { type ReduceOptions, structureOptions, textPasses } from './text-passes.js';
import { bodiesName } from './tree-passes.js';

export type { Level, ReduceOptions } from './text-passes.js';

/** The passes for an artifact: whole files first, then all files by their structure, then by their letters. */
export async function reducePasses(artifact: Artifact, options: ReduceOptions): Promise<readonly Pass<Artifact>[]> {
  const paths = importOrder(artifact);
  const ofFiles = await Promise.all(
    paths.map(async path => {
      const entry = artifact.files.get(path);
      return { path, passes: entry?.kind === 'file' ? await textPasses(path, entry.bytes, options) : [] };
    }),
  );
  const isFolder = paths.length > 1;
  const isCoupled =
    isFolder && options.by === undefined && options.level !== 'lexical' && options.level !== 'syntactic';
  const across = isCoupled ? crossFilePasses(structureOptions(options)) : undefined;
  // A file that another one imports can rarely be removed alone.
  const isGraph = (await across?.files.at(-1)?.over(artifact)) !== undefined;
  // The same, if all that is known of the language is how its files name each other.
  const isLinked = !isGraph && isFolder && options.by === undefined && hasManyImports(artifact);
  // Most of many files that do not know each other go in a few questions, before anything is read in them.
  const isMany = paths.length > manyFiles && !isLinked;
  const inTexts = together(ofFiles);
  const isComment = ({ name }: Pass<Artifact>) => name === 'comment';
  const isEarly = (pass: Pass<Artifact>) => pass.early === true;
  const isBody = ({ name }: Pass<Artifact>) => name === bodiesName;
  const isOther = (pass: Pass<Artifact>) => !isComment(pass) && !isEarly(pass);
  const passes = isFolder
    ? [
        ...(isCoupled && options.named
          ? filesNamed(artifact.files.size, options.named, isGraph ? across : undefined)
          : []),
        ...inTexts.filter(isComment),
        ...(isGraph ? filesOfGraph(across!, inTexts.filter(isBody)) : []),
        ...(across && !isGraph ? [slicesAcross(across.slices)] : []),
        ...(isGraph ? [] : [{ ...(isLinked ? fileWithImports : wholeFile), opens: true, leads: isMany }]),
        // The bodies of functions first: what they import may then be removed.
        ...inTexts.filter(pass => isEarly(pass) && !(isGraph && isBody(pass))),
        ...(isGraph || isLinked ? [wholeFile] : []),
        ...(isLinked ? [] : [fileWithImports]),
        ...(across?.coarse ?? []).map(crossing),
        // In a folder, whole files and declarations go before the parts of one file.
        ...inTexts.filter(isOther).map(pass => ({ ...pass, opens: false })),
        ...(across?.names ?? []).map(crossing),
      ]
    : inTexts;
  return guardAll(passes, artifact, options);
}

/** The passes without candidates that break a promise of the level. */
export async function guardAll(
  passes: readonly Pass<Artifact>[],
  artifact: Artifact,
  options: ReduceOptions,
): Promise<readonly Pass<Artifact>[]> {
  const guards = await guardsOf(artifact, options);
  const whole = options.level === 'semantic' ? await folderGuard(artifact, structureOptions(options)) : undefined;
  return guards.size === 0 && whole === undefined ? passes : passes.map(pass => guarded(pass, guards, whole));
}

/**
 * The files that the failure names, alone, and imported by those that the command may name. Nothing is known about a smaller
 * folder: it may fail in another place.
 */
function filesNamed(
  count: number,
  named: NonNullable<ReduceOptions['named']>,
  across: CrossFilePasses | undefined,
): readonly Pass<Artifact>[] {
  const names = () => named().map(({ file }) => file);
  const first = (name: string, over: Pass<Artifact>['over']): Pass<Artifact> => ({
    name,
    early: true,
    afterFirstRun: true,
    over: artifact => (artifact.files.size === count && count > fewFiles ? over(artifact) : undefined),
    strategy: () => bothAtOnce,
  });
  return [
    first('named files', artifact => namedFiles(artifact, names())),
    ...(across
      ? [first('named files, imports past others', artifact => across.named(artifact, isNamedIn(names())))]
      : []),
  ];
}

/**
 * Halves are for tools that fail on one file. A tool that follows the imports, such as a type checker, needs all that its first
 * file uses and nothing else, which one question may leave, and of functions only what they are; it refuses nearly every file
 * by itself.
 */
function filesOfGraph(
  { files, unused }: CrossFilePasses,
  bodies: readonly Pass<Artifact>[],
): readonly Pass<Artifact>[] {
  const [inHalves, oneByOne] = [true, false].map(halves =>
    files.filter(({ byHalves = false }) => byHalves === halves).map(pass => early(crossing(pass))),
  );
  const needless = unusedAcross(unused);
  return [halvesOfFiles, ...inHalves!, needless, ...bodies, needless, ...oneByOne!];
}

/** Only of what is large: later, single declarations go as quickly. */
const slicesAcross = (pass: FolderPass): Pass<Artifact> => ({
  ...early(crossing(pass)),
  opens: true,
  over: artifact => (bytesOf(artifact) > smallText ? pass.over(artifact) : undefined),
});

/** All of it together, or as little of it as takes few questions. */
const unusedAcross = (pass: FolderPass): Pass<Artifact> => ({ ...early(crossing(pass)), strategy: allOrStretches });

const early = (pass: Pass<Artifact>): Pass<Artifact> => ({ ...pass, early: true, isPriced: true });

const crossing = ({ name, over, byHalves, isForReaders = false }: FolderPass): Pass<Artifact> => ({
  name,
  over,
  isForReaders,
  ...(byHalves ? { strategy: () => halvesOnly } : {}),
});

async function guardsOf(artifact: Artifact, options: ReduceOptions): Promise<ReadonlyMap<string, Guard>> {
  const guards = new Map<string, Guard>();
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || entry.bytes.includes(0)) continue;
    const guard = await guardOf(path, decode(entry.bytes).text, structureOptions(options));
    if (guard) guards.set(path, guard);
  }
  return guards;
}

/** The pass without candidates that break a promise: they count as unresolved, and no test is spent on them. */
function guarded(
  pass: Pass<Artifact>,
  guards: ReadonlyMap<string, Guard>,
  whole: FolderGuard | undefined,
): Pass<Artifact> {
  const textAt = (artifact: Artifact, path: string): string => {
    const entry = artifact.files.get(path);
    return entry?.kind === 'file' ? decode(entry.bytes).text : '';
  };
  return {
    ...pass,
    async over(artifact, rough) {
      const inner = await pass.over(artifact, rough);
      if (!inner) return undefined;
      const isSound = (candidate: Artifact): boolean => {
        const isElsewhere = (name: string): boolean => whole?.provides(candidate, name) === true;
        return (
          (whole?.isSound(candidate) ?? true) &&
          [...guards].every(
            ([path, guard]) =>
              candidate.files.get(path) === artifact.files.get(path) || guard(textAt(candidate, path), isElsewhere),
          )
        );
      };
      return {
        ...inner,
        build(configuration) {
          const candidate = inner.build(configuration);
          return candidate === undefined || isSound(candidate) ? candidate : undefined;
        },
      };
    },
  };
}

const wholeFile: Pass<Artifact> = {
  name: 'files',
  proves: 'file',
  stable: true,
  isPriced: true,
  givesWay: true,
  over: artifact => (artifact.files.size > 1 ? wholeFiles(artifact, importOrder(artifact)) : undefined),
};

/** For tools that read each file by itself. */
const halvesOfFiles: Pass<Artifact> = {
  name: 'halves of files',
  early: true,
  isForReaders: true,
  over: artifact => (artifact.files.size > fewFiles ? wholeFiles(artifact, importOrder(artifact)) : undefined),
  strategy: () => halvesOnly,
};
const fewFiles = 8;
const manyFiles = 64;

/** Whether most files of a folder are imported by others. */
function hasManyImports(artifact: Artifact): boolean {
  const imported = new Set([...importsIn(artifact).values()].flat());
  return 2 * imported.size > artifact.files.size;
}

const fileWithImports: Pass<Artifact> = {
  name: 'files with their imports',
  isPriced: true,
  givesWay: true,
  over: artifact => (artifact.files.size > 1 ? wholeFiles(artifact, importOrder(artifact), dropImportsOf) : undefined),
};

/**
 * Passes of the same name over many files as one: its deltas are those of all the files, so that they can be removed together.
 */
function together(
  ofFiles: readonly { readonly path: string; readonly passes: readonly Pass<string>[] }[],
): readonly Pass<Artifact>[] {
  const longest = [...ofFiles].sort((a, b) => b.passes.length - a.passes.length);
  const names = [...new Set(longest.flatMap(({ passes }) => passes.map(pass => pass.name)))];
  return names.map(name => {
    const parts = ofFiles.flatMap(({ path, passes }) =>
      passes.filter(pass => pass.name === name).map(pass => ({ path, pass })),
    );
    const seen = [new WeakMap<Entry, Circumstance<string> | null>(), new WeakMap<Entry, Circumstance<string> | null>()];
    const { strategy, over: _, needsRun: __, ...first } = parts[0]!.pass;
    return {
      ...first,
      async over(artifact, rough) {
        const found: FilePart[] = [];
        const known = seen[rough ? 0 : 1]!;
        const bytes = bytesOf(artifact);
        let behind = bytes;
        for (const { path, pass } of parts) {
          const entry = artifact.files.get(path);
          if (entry?.kind !== 'file') continue;
          const { text, encoding } = decode(entry.bytes);
          behind -= entry.bytes.length;
          const whole = sizeAround(bytes, entry, text);
          // What an early pass, or a rough search, finds in a file depends on the size of the others.
          let inner = pass.early || rough ? undefined : known.get(entry);
          if (inner === undefined)
            known.set(entry, (inner = (await pass.over(text, rough, { whole, behind })) ?? null));
          if (inner) found.push({ path, encoding, inner });
        }
        return found.length === 0 ? undefined : inFiles(artifact, found[0]!.inner.name, found);
      },
      ...(strategy
        ? {
            strategy: (inner: Circumstance<Artifact>, thorough: boolean, price?: number) =>
              strategy(inner as never, thorough, price),
          }
        : {}),
    };
  });
}
