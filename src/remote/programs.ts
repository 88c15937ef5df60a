/** Which programs a command starts: what a worker may run, and whether it has the same ones as the client. */
import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isShellLine } from '../core/shell.js';

export interface Program {
  readonly path: string;
  readonly sha256: string;
}

interface Called {
  readonly argv: readonly string[];
  readonly differs?: string | undefined;
  readonly build?: string | undefined;
}

/** The program that a word refers to, as a shell finds it. */
export function locate(word: string, path = process.env.PATH ?? ''): string | undefined {
  const candidates = word.includes('/') ? [word] : path.split(delimiter).map(folder => join(folder || '.', word));
  return candidates.find(each => {
    try {
      accessSync(each, constants.X_OK);
      return statSync(each).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * The programs and scripts that a command names, with the hashes of their content: the first word, other words that are files, the
 * words of a shell line that are programs, and the interpreters of scripts.
 */
export function programsOf({ argv, differs, build }: Called): readonly Program[] {
  const found = new Map<string, Program>();
  const add = (word: string, isProgram: boolean): void => {
    // A relative path leads into the artifact, which is sent.
    const path = isAbsolute(word) ? word : isProgram && !word.includes('/') ? locate(word) : undefined;
    // A shell differs between systems but means the same; the parity test notices if it does not.
    if (path === undefined || found.has(word) || isShell(path)) return;
    const content = contentOf(path);
    if (!content) return;
    found.set(word, { path: word, sha256: content.sha256 });
    const [, interpreter] = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?)?(\S+)/.exec(content.head) ?? [];
    if (interpreter !== undefined) add(interpreter, true);
  };
  const line = (text: string) => {
    for (const word of text.split(/[\s;|&()<>'"`$]+/)) if (/^[\w./+-]+$/.test(word)) add(word, true);
  };
  if (isShellLine(argv)) line(argv[0]!);
  else argv.forEach((word, i) => void add(word, i === 0));
  if (differs !== undefined) line(differs);
  if (build !== undefined) line(build);
  return [...found.values()];
}

const isShell = (path: string): boolean => /^(ba|da|z|k|a)?sh$/.test(basename(path));

interface Content {
  readonly sha256: string;
  /** The first bytes, where a script names its interpreter. */
  readonly head: string;
}

/** An interpreter may have a hundred megabytes, so it is read only once. */
const contents = new Map<string, Content & { readonly stamp: string }>();

function contentOf(path: string): Content | undefined {
  try {
    const { mtimeMs, size, ino, ...stats } = statSync(path);
    const stamp = `${mtimeMs} ${size} ${ino}`;
    const known = contents.get(path);
    if (known?.stamp === stamp) return known;
    if ((stats.mode & constants.S_IFMT) !== constants.S_IFREG) return undefined;
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const content = { sha256, head: bytes.toString('latin1', 0, 200), stamp };
    contents.set(path, content);
    return content;
  } catch {
    return undefined;
  }
}

/** Describes a program on this machine that differs from the client's; `undefined` if all are the same. */
export function describeDifferences(programs: readonly Program[]): string | undefined {
  for (const { path, sha256 } of programs) {
    const here = isAbsolute(path) ? path : locate(path);
    const content = here === undefined ? undefined : contentOf(here);
    if (!content) return `${path} is not on this machine`;
    if (content.sha256 !== sha256) return `${path} is another version here`;
  }
  return undefined;
}

/** Whether a worker allows a program that it does not have. A relative path leads into what clients send. */
export const isMissing = (word: string): boolean =>
  word !== anyProgram && (isAbsolute(word) || !word.includes('/')) && locate(word) === undefined;

/** Allows everything. */
export const anyProgram = 'any';

/** The first program that a command starts and a worker may not, if there is one. Shell lines start `sh`. */
export function forbiddenProgram({ argv, differs, build }: Called, allowed: readonly string[]): string | undefined {
  if (allowed.includes(anyProgram)) return undefined;
  // The folder's real path, but the name as it is: with busybox, all programs are links to one.
  const real = (word: string): string | undefined => {
    const path = locate(word);
    return path === undefined ? undefined : join(realpathSync(dirname(path)), basename(path));
  };
  const paths = new Set(allowed.map(real));
  const wanted = [isShellLine(argv) ? 'sh' : argv[0]!];
  if (build !== undefined || differs !== undefined) wanted.push('sh');
  return wanted.find(word => !allowed.includes(word) && !(real(word) !== undefined && paths.has(real(word))));
}
