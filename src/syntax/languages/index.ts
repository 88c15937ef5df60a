/** All languages, found by name, by alias, or by the name of a file. */
import { UserError } from '../../core/index.js';
import { bash } from './bash.js';
import { c, cpp } from './c.js';
import { csharp } from './csharp.js';
import { css, scss } from './css.js';
import { dot, dtd, hcl, properties, toml, yaml } from './data.js';
import { agda, clojure, elixir, elm, gleam, haskell, nix, scala } from './functional.js';
import { go } from './go.js';
import { html, svelte, vue } from './html.js';
import { java } from './java.js';
import { javascript, tsx, typescript } from './javascript.js';
import { json } from './json.js';
import { kotlin } from './kotlin.js';
import { latex } from './latex.js';
import { lua } from './lua.js';
import { markdown, markdownInline } from './markdown.js';
import { php } from './php.js';
import type { LanguageProfile } from './profile.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { dart, gdscript, perl, query, r, sparql, zig } from './scripting.js';
import { swift } from './swift.js';
import { glsl, graphql, ini, lisp, llvm, make, protobuf, sql, text, unknown } from './without-grammar.js';
import { xml } from './xml.js';

export type { LanguageProfile } from './profile.js';

/** In the order in which they are listed for users. If two languages share an extension, the later one counts. */
export const languages: readonly LanguageProfile[] = [
  c,
  cpp,
  javascript,
  typescript,
  tsx,
  python,
  java,
  go,
  rust,
  ruby,
  php,
  csharp,
  kotlin,
  swift,
  lua,
  bash,
  scala,
  dart,
  elixir,
  elm,
  haskell,
  agda,
  clojure,
  gdscript,
  gleam,
  nix,
  perl,
  r,
  zig,
  sparql,
  hcl,
  json,
  yaml,
  properties,
  xml,
  dtd,
  html,
  vue,
  svelte,
  css,
  scss,
  markdown,
  markdownInline,
  latex,
  query,
  sql,
  toml,
  dot,
  graphql,
  protobuf,
  ini,
  make,
  glsl,
  lisp,
  llvm,
  text,
];

const byName = new Map(languages.flatMap(one => [one.name, ...(one.aliases ?? [])].map(name => [name, one] as const)));
const byExtension = new Map(languages.flatMap(one => one.extensions.map(extension => [extension, one] as const)));
const byFile = new Map(languages.flatMap(one => (one.files ?? []).map(file => [file, one] as const)));

/** The language of a file by its name; undefined if the name says nothing. */
export function languageOf(path: string): LanguageProfile | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const dot = file.lastIndexOf('.');
  if (dot < 0) return undefined;
  const extension = file.slice(dot + 1);
  return byExtension.get(extension) ?? byExtension.get(extension.toLowerCase());
}

export const languageNamed = (name: string): LanguageProfile | undefined => byName.get(name.toLowerCase());

/** The language that a user asked for by name. */
export function requireLanguage(name: string): LanguageProfile {
  const language = languageNamed(name);
  if (language !== undefined) return language;
  throw new UserError(
    `There is no language called "${name}".`,
    `Known are ${languages.map(one => one.name).join(', ')}. For another one, give its grammar: --grammar <file.wasm>.`,
  );
}

/** The language that was requested by name, or else by the file's name. */
export const languageFor = (path: string, name: string | undefined): LanguageProfile =>
  name === undefined ? (languageOf(path) ?? unknown) : requireLanguage(name);

/** The usual extension of a language's files, with its dot. */
export function extensionOf(name: string): string {
  const [extension] = requireLanguage(name).extensions;
  return extension === undefined ? '' : `.${extension}`;
}
