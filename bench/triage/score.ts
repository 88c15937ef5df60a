/** Compares the groups of a triage with the ground truth. */
import { basename } from 'node:path';
import type { Crash } from './generate.js';

interface Triaged {
  readonly groups: readonly {
    readonly variants: readonly { readonly files: readonly { readonly path: string }[] }[];
  }[];
}

export interface Score {
  readonly groups: number;
  readonly variants: number;
  /** Variants with more than one defect in them. */
  readonly mixed: number;
  /** Files that are in no variant. */
  readonly missing: number;
  /** Defects that are the only one in some variant. */
  readonly found: number;
}

export function scoreOf({ groups }: Triaged, truth: readonly Crash[]): Score {
  const defectOf = new Map(truth.map(({ name, defect }) => [name, defect]));
  const variants = groups.flatMap(group => group.variants.map(({ files }) => files.map(({ path }) => basename(path))));
  const sets = variants.map(names => new Set(names.map(name => defectOf.get(name))));
  return {
    groups: groups.length,
    variants: variants.length,
    mixed: sets.filter(set => set.size > 1).length,
    missing: truth.length - variants.flat().length,
    found: new Set(sets.filter(set => set.size === 1).flatMap(set => [...set])).size,
  };
}
