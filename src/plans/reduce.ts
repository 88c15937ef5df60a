import type { Artifact } from '../circumstances/artifact.js';
import { type Edit, editing } from '../circumstances/edits.js';
import { decode, inFile, wholeFiles } from '../circumstances/files.js';
import { characters, lines, tokens } from '../circumstances/text.js';
import { languageOf, type Structure, structureOf, type TextPass } from '../circumstances/tree/index.js';
import type { Circumstance, Configuration, Strategy } from '../core/index.js';
import { sweep } from '../strategies/index.js';
import type { Pass } from './pass.js';

export type Level = 'lexical' | 'syntactic' | 'semantic';

export interface ReduceOptions {
  readonly level?: Level;
  readonly by?: 'line' | 'token' | 'char' | 'byte' | 'node';
  readonly language?: string;
  readonly grammar?: string;
  readonly keep?: RegExp;
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
  const structure =
    options.level === 'lexical' || binary ? undefined : await structureOf(path, structureOptions(options));
  if (options.by === 'node') return structure ? treePasses(structure).map(wrap) : [wrap(lexical.line)];
  if (structure?.language.wasm === undefined && !options.grammar) {
    // Without a grammar, letters say as much as brackets do, for fewer tests: brackets only help where letters have ended.
    const brackets = structure && languageOf(path) ? treePasses(structure) : structure ? bandPasses(structure) : [];
    return [lexical.line, ...brackets, ...(binary ? [] : [lexical.token]), letters].map(wrap);
  }
  return [...treePasses(structure!), lexical.line, ...(binary ? [] : [lexical.token]), letters].map(wrap);
}

const structureOptions = ({ level, language, grammar, keep, rename }: ReduceOptions) => ({
  ...(level === 'semantic' || level === 'syntactic' ? { level } : {}),
  ...(language === undefined ? {} : { language }),
  ...(grammar === undefined ? {} : { grammar }),
  ...(keep === undefined ? {} : { keep }),
  ...(rename === undefined ? {} : { rename }),
});

type ListStrategy = Strategy<unknown, Configuration>;

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
      (thorough ? sweep({ strands: 8 }) : sweep({ strands: 8, prove: false, patience: 64 })) as unknown as ListStrategy,
  },
};

/** How many levels of nodes are walked together, and by how much the next band goes deeper. */
const bandHeight = 3;
const bandStep = 2;
const bands = 12;

function bandPasses(structure: Structure): readonly Pass<string>[] {
  const band = (i: number): Pass<string> => {
    const from = bandStep * i;
    const to = from + bandHeight;
    const pass = byEdits(`levels ${from}–${to}`, structure.band(from, to));
    return { ...pass, over: async text => ((await structure.levels(text)) > from ? pass.over(text) : undefined) };
  };
  return Array.from({ length: bands }, (_, i) => band(i));
}

function treePasses(structure: Structure): readonly Pass<string>[] {
  return [
    ...structure.first.map(pass => byEdits(pass.name, pass)),
    ...bandPasses(structure),
    ...[...structure.coarse, ...structure.fine, ...structure.tokens].map(pass => byEdits(pass.name, pass)),
  ];
}

function byEdits(name: string, pass: TextPass): Pass<string> {
  return {
    name,
    ...(pass.name === 'node' ? { proves: 'node' } : {}),
    async over(text) {
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
