import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UserError } from '../../core/index.js';
import type { Given } from '../../sources/files.js';

/** Names of files beside the user become paths: the command runs elsewhere. An input stays a name, and its path is `{}`. */
export function resolved(
  command: readonly string[],
  given: readonly Given[],
  cwd: string,
  inside: (word: string) => boolean = () => false,
): readonly string[] {
  if (command.length === 1 && /\s/.test(command[0]!)) return command;
  const originals = new Map(given.map(each => [resolve(cwd, each.path), each.name]));
  return command.map((word, i) => {
    // Left as it is, every test would be one of the original, which always fails.
    const original = word === '' ? undefined : originals.get(resolve(cwd, word));
    if (i > 0 && original !== undefined && word !== original) return given.length === 1 ? '{}' : original;
    const folder = given.find(each => each.folder && resolve(cwd, word).startsWith(`${resolve(cwd, each.path)}/`));
    if (folder && word !== '') return join(folder.name, relative(resolve(cwd, folder.path), resolve(cwd, word)));
    if (word.startsWith('-') || word.startsWith('/') || word.includes('{}') || given.some(each => each.name === word))
      return word;
    if ((i === 0 && !word.includes('/') && onPath(word)) || inside(word)) return word;
    const path = resolve(cwd, word);
    return existsSync(path) && statSync(path).isFile() ? path : word;
  });
}

/** A sandbox has a /tmp and a /run of its own: what the command names in the user's would not be found there. */
export function demandVisible(argv: readonly string[]): void {
  const hidden = argv.find(word => /^\/(tmp|run)\//.test(word) && existsSync(word));
  if (hidden !== undefined)
    throw new UserError(
      `--sandbox gives the tests a /tmp and a /run of their own, in which there is no ${hidden}.`,
      'Copy what the command needs to another folder, or run without --sandbox.',
    );
}

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some(folder => folder !== '' && existsSync(join(folder, program)));

export function environment(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  return env;
}
