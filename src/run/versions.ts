/** The versions that a run depends on, so that it is resumed only with the same ones. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { UserError } from '../core/index.js';
import type { Header } from './journal.js';

/** What a run's steps depend on besides its input: the versions of culprit and of the grammars that it parses with. */
export function versions(): Readonly<Record<string, string>> {
  const require = createRequire(import.meta.url);
  const packages = ['@cursorless/tree-sitter-wasms', '@lumis-sh/wasm-dot', 'web-tree-sitter', 'typescript'];
  const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  return {
    culprit: own.version,
    ...Object.fromEntries(packages.flatMap(name => versionOf(require, name))),
    ...vendored(),
  };
}

/** What the build copied from other packages has the versions that it recorded. */
function vendored(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(new URL('../vendor/versions.json', import.meta.url), 'utf8'));
  } catch {
    return {};
  }
}

function versionOf(require: NodeJS.Require, name: string): readonly (readonly [string, string])[] {
  for (const folder of require.resolve.paths(name) ?? [])
    try {
      const { version } = JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as { version: string };
      return [[name, version]];
    } catch {
      // Not there: the next folder may have it.
    }
  return [];
}

/** Describes which versions have changed since then. */
export function differingVersions(then: Readonly<Record<string, string>>): readonly string[] {
  const now = versions();
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter(name => then[name] !== now[name])
    .map(name => `${name} ${then[name] ?? '(none)'}, now ${now[name] ?? '(none)'}`);
}

/** A resumed run repeats its first steps over the recorded verdicts; another version would take other steps. */
export function demandSameVersions({ versions: then }: Header, run: string): void {
  const differing = differingVersions(then);
  if (differing.length === 0) return;
  throw new UserError(
    `${run} was made with other versions: ${differing.join('; ')}. They may take different steps, so the run can't be resumed.`,
    `Resume it with the versions that it was made with, or start a new run. The smallest result so far is in ${run}/best.`,
    1,
  );
}
