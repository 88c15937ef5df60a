/** Edits of a folder as deltas. */
import type { Artifact } from '../../core/artifact.js';
import { withText } from '../../core/decode.js';
import { type Circumstance, type Configuration, has } from '../../core/index.js';
import type { Trace } from '../../core/trace.js';
import { editing, gainOf, type Span } from '../edits.js';
import type { Source } from './sources.js';

/** One reduction of a folder: replacements in several files, and files to remove, which only make sense together. */
export interface FolderEdit {
  readonly spans: ReadonlyMap<string, readonly Span[]>;
  readonly gone?: readonly string[];
  /** In words, for people. */
  readonly label: string;
}

/** Reductions of a folder as deltas, with the rules of `editing` in each of its files. */
export function editingFolder(
  artifact: Artifact,
  name: string,
  sources: readonly Source[],
  edits: readonly FolderEdit[],
): Circumstance<Artifact> | undefined {
  if (edits.length === 0) return undefined;
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const parts = [...texts].flatMap(([path, text]) => {
    const deltas = edits.flatMap((edit, delta) => (edit.spans.has(path) ? [delta] : []));
    if (deltas.length === 0) return [];
    const inner = editing(
      name,
      text,
      edits.map(edit => ({ spans: edit.spans.get(path) ?? [] })),
    );
    return [{ path, deltas, inner }];
  });
  const changedBy = (configuration: Configuration) =>
    parts.filter(
      ({ path, deltas }) =>
        artifact.files.get(path)?.kind === 'file' && !deltas.every(delta => has(configuration, delta)),
    );
  const sizeOf = (path: string): number => texts.get(path)?.length ?? 0;
  return {
    name,
    count: edits.length,
    weights: edits.map(({ spans, gone = [] }) =>
      gone.reduce((sum, path) => sum + sizeOf(path), gainOf({ spans: [...spans.values()].flat() })),
    ),
    build(configuration) {
      const files = new Map(artifact.files);
      for (const { path, inner } of changedBy(configuration)) {
        const entry = files.get(path);
        const text = inner.build(configuration);
        if (text === undefined || entry?.kind !== 'file') return undefined;
        files.set(path, withText(entry, text));
      }
      for (const [delta, { gone = [] }] of edits.entries())
        if (!has(configuration, delta)) for (const path of gone) files.delete(path);
      return { ...artifact, files };
    },
    trace(configuration) {
      const traces = new Map<string, Trace | 'unknown'>();
      for (const { path, inner } of changedBy(configuration))
        traces.set(path, inner.trace?.(configuration) ?? 'unknown');
      return traces;
    },
    describe: delta => edits[delta]?.label ?? `${name} ${delta}`,
  };
}
