// Joins the compiled modules into a few files: one for each public entry, and the chunks that they share. Node needs longer to find and
// open 300 small modules than to run them.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** `dist`: the folder of the build. `entries`: what a user can start or import, as paths in that folder. */
export async function bundle(dist, entries) {
  const compiled = filesIn(dist).filter(path => path.endsWith('.js') && existsSync(path.replace(/\.js$/, '.d.ts')));
  const metafile = await joinModules({ from: dist, entries, to: dist });
  const written = new Set(Object.keys(metafile.outputs).map(path => resolve(dist, path)));
  for (const path of written)
    if (dirname(dirname(path)) !== dist && readFileSync(path, 'utf8').includes('import.meta.url'))
      throw new Error(`${relative(dist, path)} looks for assets, and only code that is one folder down finds them.`);
  const declared = declarationsOf(entries.map(entry => join(dist, entry.replace(/\.js$/, '.d.ts'))));
  for (const path of compiled) if (!written.has(path)) rmSync(path);
  for (const path of filesIn(dist)) if (path.endsWith('.d.ts') && !declared.has(path)) rmSync(path);
  removeEmptyFolders(dist);
}

/** Every process under a schedule loads the preload before the program: one file loads in half the time of fourteen. */
export async function joinPreload(dist) {
  const folder = join(dist, 'oracle/schedules/preload');
  const parts = readdirSync(folder).map(name => join(folder, name));
  const entry = join(folder, 'index.cjs');
  await build({
    entryPoints: [entry],
    outfile: entry,
    allowOverwrite: true,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'error',
  });
  for (const path of parts) if (path !== entry) rmSync(path);
}

/** `from` has the modules, compiled or not; `entries` are paths in it. Returns esbuild's description of what was written. */
export async function joinModules({ from, entries, to }) {
  const { metafile } = await build({
    absWorkingDir: from,
    entryPoints: entries,
    outdir: to,
    outbase: from,
    chunkNames: 'chunks/[name]-[hash]',
    allowOverwrite: from === to,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    metafile: true,
    logLevel: 'error',
    plugins: [assetsStay(from)],
  });
  return metafile;
}

/** A module finds its assets by its own address. In a bundle that address is another one, so the old one is written into the code. */
function assetsStay(from) {
  const asBefore = path =>
    `new URL(${JSON.stringify(`../${relative(from, path).replaceAll('\\', '/')}`)}, import.meta.url).href`;
  return {
    name: 'assets-stay',
    setup(at) {
      at.onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        return text.includes('import.meta.url')
          ? {
              contents: text.replaceAll('import.meta.url', () => asBefore(path)),
              loader: path.endsWith('.ts') ? 'ts' : 'js',
            }
          : undefined;
      });
      at.onResolve({ filter: /vendor\/typescript\.cjs$/ }, () => ({
        path: '../vendor/typescript.cjs',
        external: true,
      }));
    },
  };
}

/** The declarations that the types of the entries lead to. */
function declarationsOf(entries) {
  const found = new Set();
  const todo = [...entries];
  for (let path = todo.pop(); path; path = todo.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]*)\.js['"]/g))
      todo.push(resolve(dirname(path), `${name}.d.ts`));
  }
  return found;
}

const filesIn = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
