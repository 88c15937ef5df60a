/** Files as deltas: whole files, or what a circumstance over a text offers in each of them. */
import type { Artifact, Entry } from '../core/artifact.js';
import type { Text } from '../core/decode.js';
import { type Circumstance, type Configuration, type Edited, has } from '../core/index.js';
import { compose, type FileTraces, type Trace } from '../core/trace.js';

/** Removes what belongs to a removed file, and returns the traces of the files that it changed. */
export type RemoveAlso = (files: Map<string, Entry>, path: string) => FileTraces;

/** Whole files, links and empty folders as deltas; with `also`, what is removed together with a file. */
export function wholeFiles(artifact: Artifact, paths: readonly string[], also?: RemoveAlso): Circumstance<Artifact> {
  const remove = (configuration: Configuration) => {
    const files = new Map(artifact.files);
    const traces = new Map<string, Trace | 'unknown'>();
    for (const [delta, path] of paths.entries()) {
      if (has(configuration, delta)) continue;
      files.delete(path);
      for (const [changed, trace] of also?.(files, path) ?? [])
        traces.set(changed, compose(traces.get(changed) ?? 'same', trace) as Trace | 'unknown');
    }
    return { files, traces };
  };
  return {
    name: 'file',
    count: paths.length,
    weights: paths.map(path => {
      const entry = artifact.files.get(path);
      return entry?.kind === 'file' ? entry.bytes.length + 1 : 1;
    }),
    build: configuration => ({ ...artifact, files: remove(configuration).files }),
    trace: configuration => remove(configuration).traces,
    describe: delta => paths[delta]!,
  };
}

/** One file's text and a circumstance over it. */
export interface FilePart {
  readonly path: string;
  readonly encoding: Text['encoding'];
  readonly inner: Circumstance<string>;
}

/** Circumstances over the texts of files as one over the artifact: the deltas of the first file come first. */
export function inFiles(artifact: Artifact, name: string, parts: readonly FilePart[]): Circumstance<Artifact> {
  const starts: number[] = [];
  let count = 0;
  for (const { inner } of parts) {
    starts.push(count);
    count += inner.count;
  }
  const partOf = (delta: number) => starts.findLastIndex(start => start <= delta);
  /** `undefined` for a file of which no delta is left out: it keeps its entry, which is neither built nor hashed again. */
  const ownOf = (configuration: Configuration, i: number): Configuration | undefined => {
    const { inner } = parts[i]!;
    const own = parts.length === 1 ? configuration : window(configuration, starts[i]!, inner.count);
    return own.length === 2 && own[0] === 0 && own[1] === inner.count ? undefined : own;
  };
  const weights = parts.map(({ inner }) => inner.weights);
  const isWeighed = weights.every(each => each !== undefined);
  return {
    name,
    count,
    ...(isWeighed ? { weights: weights.length === 1 ? weights[0]! : weights.flatMap(each => Array.from(each!)) } : {}),
    build(configuration) {
      const files = new Map(artifact.files);
      for (const [i, { path, encoding, inner }] of parts.entries()) {
        const own = ownOf(configuration, i);
        if (own === undefined) continue;
        const text = inner.build(own);
        if (text === undefined) return undefined;
        const entry = artifact.files.get(path);
        const executable = entry?.kind === 'file' && entry.executable ? { executable: true } : {};
        files.set(path, { kind: 'file', bytes: Buffer.from(text, encoding), ...executable });
      }
      return { ...artifact, files };
    },
    trace(configuration) {
      const traces = new Map<string, Trace | 'unknown'>();
      for (const [i, { path, inner }] of parts.entries()) {
        const own = ownOf(configuration, i);
        if (own !== undefined) traces.set(path, inner.trace?.(own) ?? 'unknown');
      }
      return traces;
    },
    describe(delta) {
      const i = partOf(delta);
      const words = parts[i]!.inner.describe?.(delta - starts[i]!) ?? `${name} ${delta}`;
      return parts.length === 1 ? words : `${parts[i]!.path}: ${words}`;
    },
    ...(parts.every(({ inner }) => inner.edited !== undefined) ? { edited: editedIn(parts, starts) } : {}),
    ...(parts.every(({ inner }) => inner.identify !== undefined) ? { identify: identifyIn(parts, starts) } : {}),
  };
}

const identifyIn = (parts: readonly FilePart[], starts: readonly number[]) => (delta: number) => {
  const i = starts.findLastIndex(start => start <= delta);
  return `${parts[i]!.path}: ${parts[i]!.inner.identify!(delta - starts[i]!)}`;
};

function editedIn(parts: readonly FilePart[], starts: readonly number[]): Edited {
  return {
    texts: new Map(parts.map(({ path, inner }) => [path, inner.edited!.texts.get('')!])),
    changes(delta) {
      const i = starts.findLastIndex(start => start <= delta);
      const { path, inner } = parts[i]!;
      return inner.edited!.changes(delta - starts[i]!).map(change => ({ ...change, file: path }));
    },
  };
}

/** The deltas of a circumstance over some files, and then whole files of the same artifact that it does not edit. */
export function alsoFiles(
  artifact: Artifact,
  inner: Circumstance<Artifact>,
  paths: readonly string[],
): Circumstance<Artifact> {
  const whole = wholeFiles(artifact, paths);
  const own = (configuration: Configuration) => window(configuration, 0, inner.count);
  const rest = (configuration: Configuration) => window(configuration, inner.count, whole.count);
  return {
    name: inner.name,
    count: inner.count + whole.count,
    ...(inner.weights ? { weights: [...Array.from(inner.weights), ...Array.from(whole.weights!)] } : {}),
    build(configuration) {
      const built = inner.build(own(configuration));
      const left = whole.build(rest(configuration))!.files;
      return built && { ...built, files: new Map([...built.files].filter(([path]) => left.has(path))) };
    },
    trace: configuration => inner.trace?.(own(configuration)) ?? new Map(),
    describe: delta =>
      (delta < inner.count ? inner.describe?.(delta) : whole.describe!(delta - inner.count)) ??
      `${inner.name} ${delta}`,
  };
}

/** A circumstance over one file's text as a circumstance over the artifact. */
export const inFile = (
  artifact: Artifact,
  path: string,
  encoding: Text['encoding'],
  inner: Circumstance<string>,
): Circumstance<Artifact> => inFiles(artifact, inner.name, [{ path, encoding, inner }]);

/** The part of a configuration between `from` and `from + count`, counted from 0. */
export function window(configuration: Configuration, from: number, count: number): Configuration {
  const ranges: number[] = [];
  for (let i = 0; i < configuration.length; i += 2) {
    const low = Math.max(configuration[i]!, from) - from;
    const high = Math.min(configuration[i + 1]!, from + count) - from;
    if (low < high) ranges.push(low, high);
  }
  return ranges;
}
