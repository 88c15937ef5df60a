/** The files of a folder that a failure names, with and without what they import. */
import { wholeFiles } from '../../circumstances/files.js';
import { inTwoSteps } from '../../circumstances/in-two-steps.js';
import type { Artifact } from '../../core/artifact.js';
import { type Circumstance, type Configuration, of } from '../../core/index.js';
import { languageOf } from '../../syntax/languages/index.js';
import { importsIn } from './imports.js';

/**
 * What the named files import is the first delta, and all other sources are the second. A tool that reads each file by itself
 * fails on the named one alone. Settings and data stay: other questions are about them.
 */
export function namedFiles(artifact: Artifact, named: readonly string[]): Circumstance<Artifact> | undefined {
  const paths = [...artifact.files.keys()];
  const roots = paths.filter(isNamedIn(named));
  if (roots.length === 0) return undefined;
  const imports = importsIn(artifact);
  const isSource = (path: string) => (imports.get(path)?.length ?? 0) > 0 || languageOf(path)?.names === true;
  const alone = new Set([...roots, ...paths.filter(path => !isSource(path))]);
  const complete = new Set(alone);
  for (const path of complete) for (const other of imports.get(path) ?? []) complete.add(other);
  if (alone.size === paths.length) return undefined;
  const indices = (kept: ReadonlySet<string>): Configuration =>
    of([...paths.keys()].filter(delta => kept.has(paths[delta]!)));
  return inTwoSteps(wholeFiles(artifact, paths), {
    alone: indices(alone),
    complete: indices(complete),
    described: ['what the named files import', 'all other sources'],
  });
}

/** Whether these are names of a file. A tool may print the path from where it started, or the whole path. */
export function isNamedIn(named: readonly string[]): (path: string) => boolean {
  const isEnd = (path: string, whole: string) => whole === path || whole.endsWith(`/${path}`);
  return path => named.some(name => isEnd(path, name) || isEnd(name.replace(/^\.\//, ''), path));
}
