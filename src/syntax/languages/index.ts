import { UserError } from '../../core/index.js';

/** What is known about a language beside its grammar. Small and declarative: everything else comes from the tree. */
export interface Language {
  readonly name: string;
  /** The grammar's file in the package of grammars; none: the bracket tree stands in. */
  readonly wasm?: string;
  /** Another package that has the file. It may be missing where it can't be installed; then the bracket tree stands in. */
  readonly from?: string;
  readonly extensions: readonly string[];
  readonly files?: readonly string[];
  readonly aliases?: readonly string[];
  /** Line breaks and indentation carry meaning: blank space is never taken away there without a test of its own. */
  readonly layout?: boolean;
  /** How comments begin, for texts without a grammar: to the end of the line, or slash-star to star-slash. */
  readonly comments?: readonly string[];
  /** Names are whole words that stand for something declared elsewhere: renaming and merging make sense. */
  readonly names?: boolean;
  /** Words of a dialect that its grammar stumbles over, and that mean nothing for the structure. */
  readonly dialect?: RegExp;
  /** Written in tags. */
  readonly markup?: boolean;
}

const code = { names: true, comments: ['//', '/*'] } as const;
const hash = { names: true, comments: ['#'] } as const;

/** What may stand in the brackets of an attribute. */
const within = String.raw`(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)){0,2000}`;
/** What compilers add to C and C++, as every system header has it: `namespace std __attribute__((…)) {` is one large error else. */
const compilersWords = new RegExp(
  String.raw`\b(?:__attribute__|__attribute|__declspec|__asm__|__asm)\s*\(${within}\)|\b(?:__extension__|__restrict__|__restrict|__inline__|__inline|__cdecl|__stdcall|__signed__|__volatile__)\b`,
  'g',
);

/** What the TypeScript compiler reads. */
export const isScript = ({ name }: Language): boolean => /^(javascript|typescript|tsx)$/.test(name);

/** Where nothing is known: lines and brackets. */
const text: Language = { name: 'text', extensions: [], layout: true };

export const languages: readonly Language[] = [
  { name: 'c', wasm: 'c', extensions: ['c', 'h', 'i'], dialect: compilersWords, ...code },
  {
    name: 'cpp',
    wasm: 'cpp',
    extensions: ['cpp', 'cc', 'cxx', 'c++', 'hpp', 'hh', 'hxx', 'ii', 'ipp', 'tpp', 'cu'],
    aliases: ['c++'],
    dialect: compilersWords,
    ...code,
  },
  {
    name: 'javascript',
    wasm: 'javascript',
    extensions: ['js', 'mjs', 'cjs', 'jsx', 'es6'],
    aliases: ['js', 'jsx', 'node'],
    ...code,
  },
  { name: 'typescript', wasm: 'typescript', extensions: ['ts', 'mts', 'cts'], aliases: ['ts'], ...code },
  { name: 'tsx', wasm: 'tsx', extensions: ['tsx'], ...code },
  {
    name: 'python',
    wasm: 'python',
    extensions: ['py', 'pyi', 'pyw'],
    aliases: ['py', 'python3'],
    layout: true,
    ...hash,
  },
  { name: 'java', wasm: 'java', extensions: ['java'], ...code },
  { name: 'go', wasm: 'go', extensions: ['go'], aliases: ['golang'], layout: true, ...code },
  { name: 'rust', wasm: 'rust', extensions: ['rs'], aliases: ['rs'], ...code },
  {
    name: 'ruby',
    wasm: 'ruby',
    extensions: ['rb', 'rake', 'gemspec'],
    files: ['Gemfile', 'Rakefile'],
    aliases: ['rb'],
    layout: true,
    ...hash,
  },
  { name: 'php', wasm: 'php', extensions: ['php', 'phtml'], ...code },
  { name: 'csharp', wasm: 'c_sharp', extensions: ['cs'], aliases: ['c#', 'c_sharp', 'cs'], ...code },
  { name: 'kotlin', wasm: 'kotlin', extensions: ['kt', 'kts'], aliases: ['kt'], layout: true, ...code },
  { name: 'swift', wasm: 'swift', extensions: ['swift'], layout: true, ...code },
  { name: 'lua', wasm: 'lua', extensions: ['lua'], ...code, comments: ['--'] },
  {
    name: 'bash',
    wasm: 'bash',
    extensions: ['sh', 'bash', 'zsh', 'ksh'],
    aliases: ['sh', 'shell', 'zsh'],
    layout: true,
    ...hash,
  },
  { name: 'scala', wasm: 'scala', extensions: ['scala', 'sc'], layout: true, ...code },
  { name: 'dart', wasm: 'dart', extensions: ['dart'], ...code },
  { name: 'elixir', wasm: 'elixir', extensions: ['ex', 'exs'], layout: true, ...hash },
  { name: 'elm', wasm: 'elm', extensions: ['elm'], layout: true, ...code, comments: ['--'] },
  { name: 'haskell', wasm: 'haskell', extensions: ['hs'], layout: true, ...code, comments: ['--'] },
  { name: 'agda', wasm: 'agda', extensions: ['agda'], layout: true, ...code, comments: ['--'] },
  { name: 'clojure', wasm: 'clojure', extensions: ['clj', 'cljs', 'cljc', 'edn'], ...code, comments: [';'] },
  { name: 'gdscript', wasm: 'gdscript', extensions: ['gd'], layout: true, ...hash },
  { name: 'gleam', wasm: 'gleam', extensions: ['gleam'], ...code },
  { name: 'nix', wasm: 'nix', extensions: ['nix'], ...hash },
  { name: 'perl', wasm: 'perl', extensions: ['pl', 'pm', 't'], ...hash },
  { name: 'r', wasm: 'r', extensions: ['r', 'R'], layout: true, ...hash },
  { name: 'zig', wasm: 'zig', extensions: ['zig'], ...code },
  { name: 'sparql', wasm: 'sparql', extensions: ['rq', 'sparql'], ...hash },
  { name: 'hcl', wasm: 'hcl', extensions: ['hcl', 'tf', 'tfvars'], aliases: ['terraform'], layout: true, ...hash },
  {
    name: 'json',
    wasm: 'json',
    extensions: ['json', 'jsonc', 'json5', 'geojson', 'har', 'webmanifest', 'map'],
    aliases: ['jsonc'],
  },
  { name: 'yaml', wasm: 'yaml', extensions: ['yaml', 'yml'], aliases: ['yml'], layout: true, comments: ['#'] },
  { name: 'properties', wasm: 'properties', extensions: ['properties'], layout: true },
  {
    name: 'xml',
    wasm: 'xml',
    extensions: [
      'xml',
      'svg',
      'xsd',
      'xsl',
      'xslt',
      'xhtml',
      'rss',
      'atom',
      'plist',
      'csproj',
      'pom',
      'wsdl',
      'drawio',
      'gpx',
      'kml',
    ],
    aliases: ['svg'],
    markup: true,
  },
  { name: 'dtd', wasm: 'dtd', extensions: ['dtd'] },
  { name: 'html', wasm: 'html', extensions: ['html', 'htm'], markup: true },
  { name: 'vue', wasm: 'html', extensions: ['vue'], markup: true },
  { name: 'svelte', wasm: 'html', extensions: ['svelte', 'astro'], aliases: ['astro'], markup: true },
  { name: 'css', wasm: 'css', extensions: ['css'], comments: ['/*'] },
  { name: 'scss', wasm: 'scss', extensions: ['scss', 'less'], aliases: ['less', 'postcss'], comments: ['//', '/*'] },
  { name: 'markdown', wasm: 'markdown', extensions: ['md', 'markdown', 'mdx', 'mkd'], aliases: ['md'], layout: true },
  { name: 'markdown_inline', wasm: 'markdown_inline', extensions: [], layout: true },
  { name: 'latex', wasm: 'latex', extensions: ['tex', 'sty', 'cls'], aliases: ['tex'], layout: true },
  { name: 'query', wasm: 'query', extensions: ['scm'] },
  { name: 'sql', extensions: ['sql', 'ddl'], comments: ['--', '/*'] },
  {
    name: 'toml',
    wasm: 'toml',
    from: '@tree-sitter-grammars/tree-sitter-toml',
    extensions: ['toml'],
    files: ['Cargo.lock', 'poetry.lock', 'uv.lock'],
    layout: true,
    comments: ['#'],
  },
  {
    name: 'dot',
    wasm: 'dot',
    from: '@lumis-sh/wasm-dot',
    extensions: ['gv', 'dot'],
    aliases: ['graphviz', 'gv'],
    ...code,
  },
  { name: 'graphql', extensions: ['graphql', 'gql'], comments: ['#'] },
  { name: 'protobuf', extensions: ['proto'], comments: ['//', '/*'] },
  { name: 'ini', extensions: ['ini', 'cfg', 'conf', 'editorconfig'], layout: true, comments: ['#', ';'] },
  { name: 'make', extensions: ['mk', 'mak'], files: ['Makefile', 'GNUmakefile'], layout: true, comments: ['#'] },
  { name: 'glsl', extensions: ['glsl', 'vert', 'frag', 'wgsl', 'hlsl'], comments: ['//', '/*'] },
  { name: 'lisp', extensions: ['lisp', 'el', 'rkt', 'ss', 'smt2'], aliases: ['scheme', 'smtlib'], comments: [';'] },
  { name: 'llvm', extensions: ['ll', 'mir'], layout: true, comments: [';'] },
  { name: 'text', extensions: ['txt', 'log', 'csv', 'tsv'], layout: true },
];

const byName = new Map(languages.flatMap(one => [one.name, ...(one.aliases ?? [])].map(name => [name, one] as const)));
const byExtension = new Map(languages.flatMap(one => one.extensions.map(extension => [extension, one] as const)));
const byFile = new Map(languages.flatMap(one => (one.files ?? []).map(file => [file, one] as const)));

/** The language of a file by its name; undefined where the name says nothing. */
export function languageOf(path: string): Language | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const dot = file.lastIndexOf('.');
  if (dot < 0) return undefined;
  const extension = file.slice(dot + 1);
  return byExtension.get(extension) ?? byExtension.get(extension.toLowerCase());
}

export const languageNamed = (name: string): Language | undefined => byName.get(name.toLowerCase());

/** The language that a user asked for by name. */
export function requireLanguage(name: string): Language {
  const language = languageNamed(name);
  if (language !== undefined) return language;
  throw new UserError(
    `There is no language called "${name}".`,
    `Known are ${languages.map(one => one.name).join(', ')}. For another one, give its grammar: --grammar <file.wasm>.`,
  );
}

/** The language that was asked for by name, else the one that the file's name tells. */
export const languageFor = (path: string, name: string | undefined): Language =>
  name === undefined ? (languageOf(path) ?? text) : requireLanguage(name);
