import type { Artifact } from '../circumstances/artifact.js';
import { type Edit, editing } from '../circumstances/edits.js';
import { decode, inFile, wholeFiles } from '../circumstances/files.js';
import { characters, lines, tokens } from '../circumstances/text.js';
import { deletion, level, levelCount } from '../circumstances/tree/delete.js';
import { hoist, hollow } from '../circumstances/tree/hoist.js';
import { type Language, languageOf, requireLanguage } from '../circumstances/tree/languages.js';
import { literals } from '../circumstances/tree/literals.js';
import type { TextPass } from '../circumstances/tree/pass.js';
import { mergeNames, rename } from '../circumstances/tree/rename.js';
import { comments, spaces } from '../circumstances/tree/spaces.js';
import { substitute } from '../circumstances/tree/substitute.js';
import { type Syntax, syntaxOf } from '../circumstances/tree/syntax.js';
import type { Circumstance, Configuration, Strategy } from '../core/index.js';
import { sweep } from '../strategies/index.js';
import type { Pass } from './pass.js';

export type Level = 'lexical' | 'syntactic' | 'semantic';

export interface ReduceOptions {
  readonly level?: Level;
  readonly by?: 'line' | 'token' | 'char' | 'byte' | 'node';
  readonly language?: string;
  readonly grammar?: string;
  readonly rename?: boolean;
}

/** The passes for an artifact: whole files first, then each file by its structure, then by its letters. */
export async function reducePasses(artifact: Artifact, options: ReduceOptions): Promise<readonly Pass<Artifact>[]> {
  const paths = [...artifact.files.keys()];
  const files = paths.length > 1 ? [filePass] : [];
  const texts: Pass<Artifact>[] = [];
  for (const path of paths) {
    const entry = artifact.files.get(path);
    if (entry?.kind !== 'file') continue;
    texts.push(...(await textPasses(path, entry.bytes, options)));
  }
  return [...files, ...texts];
}

const filePass: Pass<Artifact> = {
  name: 'files',
  proves: 'file',
  stable: true,
  over: artifact => (artifact.files.size > 1 ? wholeFiles(artifact, [...artifact.files.keys()]) : undefined),
};

async function textPasses(path: string, bytes: Uint8Array, options: ReduceOptions): Promise<readonly Pass<Artifact>[]> {
  const { encoding } = decode(bytes);
  const binary = encoding === 'latin1' || bytes.includes(0);
  const letters = binary ? { ...lexical.character, name: 'bytes', proves: 'byte' } : lexical.character;
  const wrap = (pass: Pass<string>) => ofFile(path, pass);
  switch (options.by) {
    case 'line':
      return [wrap(lexical.line)];
    case 'token':
      return [wrap(lexical.token)];
    case 'char':
    case 'byte':
      return [wrap(letters)];
    default:
  }
  const language = options.language ? requireLanguage(options.language) : languageOf(path);
  const structured =
    options.level !== 'lexical' && (language !== undefined || options.grammar !== undefined || !binary);
  const syntax = structured ? await syntaxOf(language ?? plain, options.grammar) : undefined;
  const tree = syntax ? treePasses(syntax, options) : [];
  if (options.by === 'node') return tree.map(wrap);
  return [...tree, lexical.line, ...(binary ? [] : [lexical.token]), letters].map(wrap);
}

/** A text in no language that we know still has brackets, quotes and indentation. */
const plain: Language = requireLanguage('text');

const many = sweep({ strands: 8 }) as unknown as Strategy<unknown, Configuration>;

const lexical: Readonly<Record<'line' | 'token' | 'character', Pass<string>>> = {
  line: { name: 'lines', proves: 'line', stable: true, over: lines },
  token: { name: 'tokens', proves: 'token', over: tokens },
  character: {
    name: 'characters',
    proves: 'character',
    stable: true,
    over: characters,
    // Letters seldom need earlier letters: many stretches at once keep all workers busy at little cost.
    strategy: (_, thorough) =>
      thorough
        ? many
        : (sweep({ strands: 8, prove: false, patience: 64 }) as unknown as Strategy<unknown, Configuration>),
  },
};

function treePasses(syntax: Syntax, options: ReduceOptions): readonly Pass<string>[] {
  const levels = Array.from({ length: 24 }, (_, depth) =>
    byEdits(level(syntax, depth), { name: `level ${depth}`, until: text => levelCount(syntax, text), depth }),
  );
  return [
    ...levels,
    byEdits(comments(syntax), { name: 'comments' }),
    byEdits(deletion(syntax), { name: 'nodes', proves: 'node' }),
    byEdits(hollow(syntax), { name: 'hollow' }),
    byEdits(hoist(syntax), { name: 'hoist' }),
    byEdits(substitute(syntax), { name: 'substitute' }),
    byEdits(literals(syntax), { name: 'literals' }),
    ...(options.rename === false
      ? []
      : [byEdits(mergeNames(syntax), { name: 'merge names' }), byEdits(rename(syntax), { name: 'rename' })]),
    byEdits(spaces(syntax), { name: 'spaces' }),
  ];
}

interface EditsOptions {
  readonly name: string;
  readonly proves?: string;
  readonly depth?: number;
  readonly until?: (text: string) => Promise<number>;
}

function byEdits(pass: TextPass, { name, proves, depth = 0, until }: EditsOptions): Pass<string> {
  return {
    name,
    ...(proves ? { proves } : {}),
    async over(text) {
      if (until && depth >= (await until(text))) return undefined;
      const edits: readonly Edit[] = await pass.edits(text);
      return edits.length === 0 ? undefined : editing(pass.name, text, edits);
    },
  };
}

/** A pass over a text as a pass over the file that holds it. */
function ofFile(path: string, { strategy, over, ...pass }: Pass<string>): Pass<Artifact> {
  return {
    ...pass,
    async over(artifact) {
      const entry = artifact.files.get(path);
      if (entry?.kind !== 'file') return undefined;
      const { text, encoding } = decode(entry.bytes);
      const inner = await over(text);
      return inner && inFile(artifact, path, encoding, inner);
    },
    ...(strategy
      ? { strategy: (inner: Circumstance<Artifact>, thorough: boolean) => strategy(inner as never, thorough) }
      : {}),
  };
}
