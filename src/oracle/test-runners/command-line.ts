/** Reads the command line of a test runner: where its program is, and which of its words name tests. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the plugins that runners themselves load. */
export const pluginFolder = fileURLToPath(new URL('plugins/', import.meta.url));
export const pluginPath = (name: string): string => `${pluginFolder}${name}`;

/** The position of a program of this name, if the words call it directly or through a package manager. */
export function programAt(words: readonly string[], name: string): number | undefined {
  const at = words.findIndex((word, i) => programName(word) === name && (i === 0 || isLauncher(words.slice(0, i))));
  return at < 0 ? undefined : at;
}

const programName = (word: string): string => basename(word).replace(/\.(m?js|cjs|cmd)$/, '');

const launchers =
  /^(npx|bunx|pnpx|npm|pnpm|yarn|exec|dlx|run|x|bun|bundle|node|env|uv|poetry|pipenv|hatch|python[\d.]*|-m|--|-y|--yes|\w+=.*)$/;
const isLauncher = (words: readonly string[]): boolean => words.every(word => launchers.test(basename(word)));

/** Leaves out options, with the value that follows if they take one. */
export function without(args: readonly string[], flags: readonly string[], withValue: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [flag = ''] = args[i]!.split('=');
    if (withValue.includes(flag)) {
      if (!args[i]!.includes('=')) i++;
    } else if (!flags.includes(flag)) kept.push(args[i]!);
  }
  return kept;
}

/** Keeps only options, and drops the names of files. `withValue`: options whose value is the next word. */
export function optionsOnly(args: readonly string[], withValue: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    if (!word.startsWith('-')) continue;
    kept.push(word);
    if (withValue.includes(word) && i + 1 < args.length) kept.push(args[++i]!);
  }
  return kept;
}

/** A regular expression that matches only this text. It never contains `{}`, which means a path here. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Matches exactly these texts. */
export const anyOf = (texts: Iterable<string>): string => `^(${[...new Set(texts)].map(escaped).join('|')})$`;

/** `works (2)` is the second test called `works`: a runner that selects by name can't distinguish it from the first. */
export const titlesOf = (name: string): readonly string[] => name.replace(/ \(\d+\)$/, '').split(' › ');
