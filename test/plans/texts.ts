/** Artifacts of texts, by path. */
import type { Artifact } from '../../src/core/artifact.js';

export const artifactOf = (texts: Readonly<Record<string, string>>): Artifact => ({
  files: new Map(Object.entries(texts).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});

export const textsIn = (artifact: Artifact | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(artifact?.files ?? [])].map(([path, entry]) => [
      path,
      entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '',
    ]),
  );
