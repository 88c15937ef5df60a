/** Pieces of environment values as deltas: folders of a PATH, options, list items, characters. */
import { type Circumstance, type Configuration, has } from '../../core/index.js';
import { type Environment, isSecret } from '../../sources/environment/secrets.js';
import { between } from '../sequence.js';
import { differencesOf } from './environment.js';

/** A value in pieces: those that are kept are joined again with the separator. */
interface Pieces {
  readonly pieces: readonly string[];
  readonly separator: string;
  /** Entries that mean something one by one, unlike words of a text. */
  readonly isList: boolean;
}

export interface ValueSettings {
  /** `entry`: a PATH by folder, options by option, a list by element, other text by token. `char`: everything but PATHs by character. */
  readonly by?: 'entry' | 'char';
  /** Only these variables. */
  readonly names?: readonly string[];
  readonly protected?: readonly string[];
}

/**
 * The values of the remaining variables, in pieces: which folder of PATH matters, which of NODE_OPTIONS. A variable whose
 * pieces are all left out stays set, and empty. Secrets are not split: half a password is still a secret.
 */
export function valuesOf(env: Environment, settings: ValueSettings = {}): Circumstance<Environment> {
  const chosen = new Set(settings.names ?? Object.keys(env));
  const fixed = new Set(settings.protected);
  const cut = new Map<string, Pieces & { readonly from: number }>();
  const labels: string[] = [];
  const weights: number[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!chosen.has(name) || fixed.has(name) || isSecret(name, value)) continue;
    if (settings.by === 'char' && isPath(name, value)) continue;
    const parts = settings.by === 'char' ? { pieces: [...value], separator: '', isList: false } : piecesOf(name, value);
    if (settings.by !== 'char' && parts.pieces.length < 2) continue;
    cut.set(name, { ...parts, from: labels.length });
    for (const piece of parts.pieces) {
      labels.push(`${name}: ${piece.trim() || JSON.stringify(piece)}`);
      weights.push(piece.length + parts.separator.length);
    }
  }
  return {
    name: settings.by === 'char' ? 'character' : 'entry',
    count: labels.length,
    weights,
    build: configuration =>
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => {
          const parts = cut.get(name);
          if (!parts) return [name, value];
          const kept = parts.pieces.filter((_, i) => has(configuration, parts.from + i));
          return [name, kept.join(parts.separator)];
        }),
      ),
    describe: delta => labels[delta]!,
  };
}

/**
 * Inside the lists (PATH, NODE_OPTIONS) that both environments set to different values: each added or removed entry is a
 * delta. With no delta applied they have the passing values, with all of them the failing ones; everything else is as on
 * the failing side.
 */
export function betweenValues(passing: Environment, failing: Environment): Circumstance<Environment> {
  const parts = differencesOf(passing, failing).flatMap(({ name, passing: a, failing: b }) => {
    if (a === undefined || b === undefined || isSecret(name, a) || isSecret(name, b)) return [];
    const [before, after] = [piecesOf(name, a), piecesOf(name, b)];
    // A text halfway between two texts is not a value that anyone would set: `ende_US`.
    if (!before.isList || !after.isList || before.separator !== after.separator) return [];
    return [{ name, separator: after.separator, inner: between(before.pieces, after.pieces, 'entry') }];
  });
  const starts: number[] = [];
  const count = parts.reduce((sum, { inner }) => {
    starts.push(sum);
    return sum + inner.count;
  }, 0);
  return {
    name: 'entry',
    count,
    build: configuration =>
      Object.fromEntries([
        ...Object.entries(failing),
        ...parts.map(({ name, separator, inner }, i) => [
          name,
          inner.build(within(configuration, starts[i]!, inner.count))!.join(separator),
        ]),
      ]),
    describe(delta) {
      const i = starts.findLastIndex((start, part) => start <= delta && parts[part]!.inner.count > 0);
      return `${parts[i]!.name}: ${parts[i]!.inner.describe!(delta - starts[i]!)}`;
    },
  };
}

const within = (configuration: Configuration, from: number, count: number): Configuration =>
  configuration.map(boundary => Math.min(Math.max(boundary - from, 0), count)).filter(distinct);

/** A range that was cut away has two equal boundaries. */
const distinct = (boundary: number, i: number, all: readonly number[]): boolean =>
  i % 2 === 0 ? boundary !== all[i + 1] : boundary !== all[i - 1];

/** Consecutive folders: their names are never split. */
export const isPath = (name: string, value: string): boolean =>
  /(PATH|PATHS|DIRS?|FOLDERS)$/i.test(name) || /^\/[^:]*(:\/[^:]*)+$/.test(value);

/** Joining all pieces gives the value back exactly. */
export function piecesOf(name: string, value: string): Pieces {
  if (isPath(name, value)) {
    const separator = /^[A-Za-z]:\\|;/.test(value) ? ';' : ':';
    return { pieces: value.split(separator), separator, isList: true };
  }
  if (/(OPTIONS?|OPTS?|FLAGS|ARGS)$/i.test(name)) return { pieces: optionsIn(value), separator: '', isList: true };
  for (const separator of [',', ';', ':']) {
    const pieces = value.split(separator);
    if (pieces.length > 2 || (pieces.length === 2 && separator === ',')) return { pieces, separator, isList: true };
  }
  return { pieces: value.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [], separator: '', isList: false };
}

/** Options with the non-option words after them: `-r ./hook.js` stays together. Blanks belong to what follows them. */
function optionsIn(value: string): readonly string[] {
  const words = value.match(/\s*(?:"[^"]*"|'[^']*'|\S)+|\s+$/g) ?? [];
  const pieces: string[] = [];
  for (const word of words) {
    if (pieces.length === 0 || word.trimStart().startsWith('-')) pieces.push(word);
    else pieces[pieces.length - 1] += word;
  }
  return pieces;
}
