import { dirname, join, normalize } from 'node:path/posix';

/** Whether a file is there. */
export type Has = (path: string) => boolean;

/** The file that a script or Python file at `path` means by a name; undefined where it is none of this folder. */
export const resolve = (language: string, path: string, name: string, has: Has): string | undefined =>
  language === 'python' ? pythonFile(path, name, has) : scriptFile(path, name, has);

/** Whether the name can only mean a file beside this one: what it does not find is missing. */
export const isBeside = (name: string): boolean => name.startsWith('.');

const endings = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.d.ts', '.json'];
/** What a compiler makes of a TypeScript file is what its importers name. */
const compiled: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

function scriptFile(path: string, name: string, has: Has): string | undefined {
  if (!isBeside(name)) return undefined;
  const plain = normalize(join(dirname(path), name)).replace(/\/$/, '');
  const ending = /\.\w+$/.exec(plain)?.[0] ?? '';
  const stem = plain.slice(0, plain.length - ending.length);
  return [
    plain,
    ...(compiled[ending] ?? []).map(other => stem + other),
    ...endings.map(other => plain + other),
    ...endings.map(other => join(plain, `index${other}`)),
  ].find(has);
}

function pythonFile(path: string, name: string, has: Has): string | undefined {
  const dots = /^\.*/.exec(name)![0].length;
  const rest = name.slice(dots).replaceAll('.', '/');
  const file = (folder: string): string | undefined => {
    const plain = normalize(join(folder, rest));
    return [`${plain}.py`, `${plain}/__init__.py`].find(has);
  };
  let folder = dirname(path);
  for (let up = 1; up < dots; up++) folder = dirname(folder);
  if (dots > 0) return file(folder);
  // The root of the packages is not known: it is the nearest folder above in which the name leads to a file.
  for (; ; folder = dirname(folder)) {
    const found = file(folder);
    if (found !== undefined || folder === '.' || folder === '/') return found;
  }
}
