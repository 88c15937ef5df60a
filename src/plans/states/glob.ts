/** Which source files the globs of `--in` select. */
import { relative } from 'node:path';

/** `*` matches anything but a slash, `**` matches anything. Without a glob, every file matches. */
export function matcherOf(globs: readonly string[] | undefined, cwd = process.cwd()): (path: string) => boolean {
  if (globs === undefined || globs.length === 0) return () => true;
  const patterns = globs.map(patternOf);
  return path => {
    const near = path.startsWith('/') ? relative(cwd, path) : path;
    return patterns.some(pattern => pattern.test(near) || pattern.test(path));
  };
}

function patternOf(glob: string): RegExp {
  const text = glob
    .replace(/^\.\//, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, part => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[part]!);
  // A folder means everything in it.
  return new RegExp(`^${text}(?:/.*)?$`);
}
