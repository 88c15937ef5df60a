/** The words of the test itself. A short script mostly calls what is wrong by its name, and little else of the program. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { decode, isBinary } from '../../core/decode.js';
import { identifiersIn } from '../../syntax/identifiers.js';
import type { Pair } from './pair.js';

/** A longer file is a runner of tests, or many tests: what it says is about all of the program. */
const longest = 20_000;
/** A shorter name is a variable. */
const shortest = 3;

/** Of the files that the command names, on disk or in the new version. */
export function wordsOfTest(command: readonly string[], { new: now }: Pair): ReadonlySet<string> {
  const named = command.flatMap(word => word.split(/\s+/)).filter(word => word !== '');
  const texts = named.map(word => textOnDisk(resolve(word)) ?? textIn(now, word.replace(/^(?:\{\}\/|(?:\.\/)+)/, '')));
  const words = texts.flatMap(text => (text === undefined ? [] : identifiersIn(text)));
  return new Set(words.filter(word => word.length >= shortest));
}

/** Most words of a command name no file, and some can't: they are too long, or nobody may read what they name. */
function textOnDisk(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= longest ? textOf(readFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}

function textIn({ files }: Pair['new'], path: string): string | undefined {
  const entry = files.get(path);
  return entry?.kind === 'file' && entry.bytes.length <= longest ? textOf(entry.bytes) : undefined;
}

const textOf = (bytes: Uint8Array): string | undefined => (isBinary(bytes) ? undefined : decode(bytes).text);
