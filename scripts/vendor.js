// Copies what culprit needs at run time from packages that are larger than what is needed: grammars, and TypeScript's parser and checker.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const grammarPackages = {
  '@cursorless/tree-sitter-wasms': 'out',
  '@tree-sitter-grammars/tree-sitter-toml': '.',
  '@lumis-sh/wasm-dot': '.',
};

/** `dist`: the folder of the build, with the compiled code in it. */
export async function vendor(dist) {
  const folders = { grammars: join(dist, 'grammars'), vendor: join(dist, 'vendor') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  for (const [name, inner] of Object.entries(grammarPackages))
    copyGrammars(join(rootOf(name), inner), folders.grammars);
  await bundleTypeScript(dist, folders.vendor);
  const names = [...Object.keys(grammarPackages), 'typescript'];
  const versions = Object.fromEntries(names.map(name => [name, packageOf(name).version]));
  writeFileSync(join(folders.vendor, 'versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
  writeFileSync(join(folders.vendor, 'LICENSES.txt'), names.map(licenceOf).join('\n'));
}

/** A grammar is a twelfth of its size when compressed, and is unpacked in a few milliseconds when it is loaded. */
function copyGrammars(from, to) {
  for (const name of readdirSync(from).filter(each => each.endsWith('.wasm'))) {
    const bytes = readFileSync(join(from, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(to, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
}

/** One file of the package is used: no compiler command, no language server, no library files. */
async function bundleTypeScript(dist, to) {
  const outfile = join(to, 'typescript.cjs');
  await build({
    entryPoints: [require.resolve('typescript')],
    outfile,
    minify: true,
    keepNames: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'error',
  });
  const importers = ['syntax/names/typescript.js', 'sources/recording/playwright-source.js'];
  for (const name of importers) {
    const path = join(dist, name);
    const text = readFileSync(path, 'utf8');
    const own = `import('${relative(dirname(path), outfile).replaceAll('\\', '/')}')`;
    if (!text.includes("import('typescript')")) throw new Error(`${name} does not import TypeScript any more.`);
    writeFileSync(path, text.replaceAll("import('typescript')", own));
  }
}

/** The root of a package, whatever its exports hide. */
function rootOf(name) {
  for (const folder of require.resolve.paths(name)) {
    const root = join(folder, name);
    if (readdirOrNone(root).includes('package.json')) return root;
  }
  throw new Error(`${name} is not installed.`);
}

function readdirOrNone(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const packageOf = name => JSON.parse(readFileSync(join(rootOf(name), 'package.json'), 'utf8'));

function licenceOf(name) {
  const root = rootOf(name);
  const files = readdirSync(root).filter(each => /^(licen[cs]e|thirdpartynotice)/i.test(each));
  const texts = files.map(each => readFileSync(join(root, each), 'utf8').trim());
  return `${name} ${packageOf(name).version}\n${'='.repeat(72)}\n${texts.join('\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await vendor(fileURLToPath(new URL('../dist', import.meta.url)));
