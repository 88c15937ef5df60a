/** origins.json: where each part of the best result comes from, kept in the run's folder for later pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import type { Fragment, Origin } from '../core/trace.js';
import { identify } from '../sources/files.js';
import type { RunFolder } from './run-folder.js';

const name = 'origins.json';
/** A kill during a run may lose this much of it. The page then marks nothing, and `resume` restores it. */
const interval = 1000;
/** A result in more pieces than this is not a result yet. */
const mostPieces = 20_000;

/** Written regularly during the search, and at its end. */
export function originsFile(folder: RunFolder) {
  let writtenAt = Number.NEGATIVE_INFINITY;
  const write = (best: Artifact, origins: ReadonlyMap<string, Origin>) => {
    const pieces = [...origins.values()].reduce(
      (sum, origin) => sum + (typeof origin === 'string' ? 1 : origin.length),
      0,
    );
    if (pieces > mostPieces) return;
    folder.write(
      name,
      `${JSON.stringify({ of: identify({ files: best.files }), files: Object.fromEntries(origins) })}\n`,
    );
  };
  return {
    write,
    sometimes(best: Artifact, origins: () => ReadonlyMap<string, Origin>): void {
      const now = performance.now();
      if (now - writtenAt < interval) return;
      writtenAt = now;
      write(best, origins());
    },
  };
}

/** The origins of exactly this artifact; `undefined` if they were not written, belong to another artifact, or are damaged. */
export function readOrigins(run: string, best: Artifact): ReadonlyMap<string, Origin> | undefined {
  try {
    const read = JSON.parse(readFileSync(join(run, name), 'utf8')) as { of?: unknown; files?: unknown };
    if (read.of !== identify({ files: best.files }) || typeof read.files !== 'object' || !read.files) return undefined;
    const entries = Object.entries(read.files);
    return entries.every(([, origin]) => isOrigin(origin)) ? new Map(entries as [string, Origin][]) : undefined;
  } catch {
    return undefined;
  }
}

const isOrigin = (value: unknown): value is Origin =>
  value === 'same' || value === 'unknown' || (Array.isArray(value) && value.every(isFragment));

function isFragment(value: Partial<Record<'start' | 'end' | 'text', unknown>> | null): value is Fragment {
  if (typeof value?.text === 'string') return true;
  const { start, end } = value ?? {};
  return (
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    (start as number) >= 0 &&
    (end as number) >= (start as number)
  );
}
