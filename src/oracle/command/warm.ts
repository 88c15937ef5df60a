/** Warm starts: what a runtime may keep between two tests of a run, so that it starts faster. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Variables with which users control what Node keeps. */
const decided = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

/**
 * Node 22.1 and later keep compiled code in the folder that NODE_COMPILE_CACHE names, and compile a file again if its
 * content has changed. Earlier versions ignore the variable. The folder belongs to the run and is removed with its
 * workspaces.
 */
export function warmStarts(
  env: Readonly<Record<string, string>>,
  folder: string,
): { readonly NODE_COMPILE_CACHE?: string } {
  if (decided.some(name => env[name] !== undefined)) return {};
  const cache = join(folder, 'compiled');
  mkdirSync(cache, { recursive: true });
  return { NODE_COMPILE_CACHE: cache };
}
