/** The words of a command: which of them name files, and how these change in a workspace. */
import { existsSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { UserError } from '../../core/index.js';
import { isShellLine } from '../../core/shell.js';
import { mapPlainWords, plainWords } from '../../core/shell-words.js';
import type { Given } from '../../sources/files.js';
import { standardInput } from '../../sources/input.js';

export interface Resolving {
  /** Words that name something in the artifact: they stay as they are. */
  readonly inside?: (word: string) => boolean;
  /** Words that name what the command writes, and the name that each gets in the workspace. */
  readonly outputs?: ReadonlyMap<string, string>;
}

/**
 * Names of files in the user's folder become paths, because the command runs elsewhere. An input stays a name, and its path
 * is `{}`. What the command writes stays in the workspace, so that no test writes to a file of the user.
 */
export function resolveWords(
  command: readonly string[],
  given: readonly Given[],
  cwd: string,
  { inside = () => false, outputs }: Resolving = {},
): readonly string[] {
  const files = given.filter(each => each.path !== standardInput);
  const originals = new Map(files.map(each => [resolve(cwd, each.path), each.name]));
  const resolveWord = (word: string, isProgram: boolean): string => {
    const output = isProgram ? undefined : outputs?.get(word);
    if (output !== undefined) return output;
    // If the path were unchanged, every test would run on the original, which always fails.
    const original = word === '' ? undefined : originals.get(resolve(cwd, word));
    if (!isProgram && original !== undefined && word !== original) return given.length === 1 ? '{}' : original;
    const folder = given.find(each => each.folder && namesPathIn(each.path, word, cwd));
    if (folder) return join(folder.name, relative(resolve(cwd, folder.path), resolve(cwd, word)));
    if (word.startsWith('-') || word.startsWith('/') || word.includes('{}') || given.some(each => each.name === word))
      return word;
    if (inside(word)) return word;
    const path = resolve(cwd, word);
    return isFile(path) ? path : word;
  };
  if (isShellLine(command))
    return [
      mapPlainWords(command[0]!, ({ text, isProgram, isTarget }) =>
        isTarget || (isProgram && !text.includes('/')) ? text : resolveWord(text, isProgram),
      ),
    ];
  return command.map((word, i) =>
    // A program is looked for on the PATH, as a shell would: with `reduce .` every word could be a file of the folder.
    i === 0 && !word.includes('/') && onPath(word) ? word : resolveWord(word, i === 0),
  );
}

/** Words that name an output get its name in the workspace; all others stay as they were typed. */
export function placeOutputs(
  command: readonly string[],
  outputs: ReadonlyMap<string, string> | undefined,
): readonly string[] {
  if (outputs === undefined || outputs.size === 0) return command;
  const placeWord = (word: string) => outputs.get(word) ?? word;
  if (isShellLine(command))
    return [mapPlainWords(command[0]!, ({ text, isProgram }) => (isProgram ? text : placeWord(text)))];
  return command.map((word, i) => (i === 0 ? word : placeWord(word)));
}

/** The words that are files or programs of the user, in a shell line too. */
export const fullPaths = (argv: readonly string[]): readonly string[] =>
  (isShellLine(argv) ? plainWords(argv[0]!).map(({ text }) => text) : argv).filter(word => word.startsWith('/'));

/** Whether a word is a path in the folder: it exists there, or is spelled as a path through it. */
function namesPathIn(folder: string, word: string, cwd: string): boolean {
  if (word === '' || word.startsWith('-') || word.includes('{}')) return false;
  const [path, root] = [resolve(cwd, word), resolve(cwd, folder)];
  if (!path.startsWith(root.endsWith('/') ? root : `${root}/`)) return false;
  const typed = folder.replace(/\/+$/, '');
  return /^\.{0,2}\//.test(word) || word.startsWith(`${typed}/`) || existsSync(path);
}

/** Programs whose first argument is a script: they read it. */
const interpreter =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua[\d.]*|luajit|Rscript|sh|bash|dash|zsh|ksh)$/;

/** The part of a word before a path that is given in full: `--output=/home/me/out.txt`, `-o/home/me/out.txt`. */
const optionBefore = /^(?:--?[\w-]+=|-o)(?=\/)/;

/** A word that may name a file: the option in front, and the path. */
export const pathIn = (word: string): { readonly option: string; readonly path: string } => {
  const option = optionBefore.exec(word)?.[0] ?? '';
  return { option, path: word.slice(option.length) };
};

/**
 * Words that may name what the command writes: an existing file that is neither the input nor a script, or a new file in an
 * existing folder. A new file without a folder is in the workspace anyway.
 */
export function mayBeWritten(
  command: readonly string[],
  given: readonly Given[],
  cwd: string,
  { inside = () => false, mirrors }: Pick<Resolving, 'inside'> & { readonly mirrors?: string } = {},
): readonly string[] {
  const inputs = given.map(each => resolve(cwd, each.path));
  const isInput = (path: string) => inputs.some(input => path === input || path.startsWith(`${input}/`));
  const words = argumentsOf(command).filter(word => {
    const { path: typed } = pathIn(word);
    if (typed === '' || typed.startsWith('-') || typed.includes('{}')) return false;
    // In a copy of the user's folder, only a path that is given in full leads out of the copy.
    if (inside(typed) || (mirrors !== undefined && !typed.startsWith('/'))) return false;
    const path = resolve(cwd, typed);
    return !isInput(path) && (isFile(path) || (typed.includes('/') && !typed.endsWith('/') && isNewIn(path)));
  });
  return [...new Set(words)];
}

/** The words that may name data: neither a program nor the script of an interpreter, nor a file that a shell itself writes. */
function argumentsOf(command: readonly string[]): readonly string[] {
  const words = isShellLine(command)
    ? plainWords(command[0]!)
    : command.map((text, i) => ({ text, isProgram: i === 0, isTarget: false }));
  let expectsScript = false;
  return words
    .filter(({ text, isProgram, isTarget }) => {
      if (isProgram) expectsScript = interpreter.test(basename(text));
      const isScript = expectsScript && !isProgram && !text.startsWith('-');
      if (isScript) expectsScript = false;
      return !isProgram && !isScript && !isTarget;
    })
    .map(({ text }) => text);
}

const isNewIn = (path: string): boolean => !existsSync(path) && isFolder(dirname(path));

// A word may be a whole program, and too long to be a name: existsSync says no where statSync throws.
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** A sandbox has its own /tmp and /run: paths to the user's would not be found there. */
export function demandVisible(argv: readonly string[]): void {
  const hidden = argv.find(word => /^\/(tmp|run)\//.test(word) && existsSync(word));
  if (hidden !== undefined)
    throw new UserError(
      `--sandbox gives the tests a /tmp and a /run of their own, in which there is no ${hidden}.`,
      'Copy what the command needs to another folder, or run without --sandbox.',
    );
}

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => folder !== '' && existsSync(join(folder, program)));
