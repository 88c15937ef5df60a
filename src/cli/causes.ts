/** `--all`: what every command shares that lists all causes of a failure and all ways to avoid it. */
import type { Command } from 'commander';
import type { Artifact } from '../circumstances/artifact.js';
import { type Circumstance, type Configuration, deltasOf, type Test, UserError } from '../core/index.js';
import type { Counter, ExploreOptions } from '../engine/index.js';
import { type AllCauses, allCauses, linesOf, matrixOf, toldOf, wordsOf } from '../plans/causes.js';
import type { JobContext } from './job.js';
import { number } from './parse.js';
import { listStrategy } from './strategies.js';

export interface AllOptions {
  readonly all?: boolean;
  readonly limit?: number;
}

/** More causes than anybody reads, and few enough to end in reasonable time. */
const defaultLimit = 100;

export const withAllOptions = (command: Command): Command =>
  command
    .option('--all', 'find all causes of the failure, and all ways to avoid it')
    .option(
      '--limit <n>',
      `with --all: at most so many causes, and so many ways to avoid them (default ${defaultLimit})`,
      number('--limit'),
    );

/** `others`: options that ask another question than --all does. */
export function checkAll(options: AllOptions, others: Readonly<Record<string, unknown>> = {}): void {
  if (options.limit !== undefined && !options.all)
    throw new UserError('--limit says how many causes are enough, and needs --all.', 'Add --all, or drop --limit.');
  const clash = Object.keys(others).find(name => others[name] !== undefined && others[name] !== false);
  if (options.all && clash !== undefined)
    throw new UserError(`--all and ${clash} can't be combined.`, 'Run culprit once with each of them.');
}

/** A way to avoid the failure, as a person would use it. */
export interface WayOut {
  readonly leave: readonly string[];
  /** What to do, ready to use: a command line, a patch, versions to pin. */
  readonly use?: string;
}

export interface Listed {
  readonly found: AllCauses;
  readonly words: (delta: number) => string;
  readonly ways: readonly WayOut[];
  readonly told: string;
  /** For a terminal and a file. */
  readonly text: string;
  /** Fields of `--json`. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly table: {
    readonly caption: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly remaining: readonly number[];
  };
}

export interface Listing {
  readonly circumstance: Circumstance<Artifact>;
  readonly test: Test<Artifact>;
  readonly settings: ExploreOptions<Artifact>;
  readonly options: AllOptions & { readonly strategy?: string };
  readonly counter: Counter;
  /** How to leave out these, ready to use. */
  readonly use?: (leftOut: Configuration, way: number) => string;
}

/** Searches, and says what came of it in every form that a command needs. */
export async function listCauses(listing: Listing, context: JobContext): Promise<Listed> {
  const { circumstance, test, settings, options, counter, use } = listing;
  if (circumstance.count === 0)
    throw new UserError('There is nothing that could be left out.', 'Check the command.', 1);
  const found = await context.follow(
    allCauses(circumstance, test, {
      ...settings,
      limit: options.limit ?? defaultLimit,
      ...(options.strategy === undefined ? {} : { list: listStrategy(options.strategy) }),
    }),
  );
  const words = wordsOf(circumstance);
  const named = (set: Configuration) => [...deltasOf(set)].map(delta => words(delta).trim());
  const ways = found.avoid.map((set, i): WayOut => ({ leave: named(set), ...(use ? { use: use(set, i) } : {}) }));
  const told = toldOf(found, words);
  context.see({
    type: 'ended',
    ended: found.ended,
    minimal: found.causes.length > 0 ? [circumstance.name] : [],
    size: {
      deltas: found.causes.length > 0 ? Math.min(...found.causes.map(each => named(each).length)) : circumstance.count,
    },
    counts: counter.counts,
    seconds: context.seconds(),
    told,
  });
  const uses = ways.flatMap(way => (way.use === undefined ? [] : [`  ${way.use}`]));
  const shown =
    uses.length > 0 ? ['', `${ways.length === 1 ? 'This avoids it' : 'Each of these avoids it'}:`, ...uses] : [];
  return {
    found,
    words,
    ways,
    told,
    text: [...linesOf(found, words), ...shown].join('\n'),
    json: {
      causes: found.causes.map(named),
      avoid: ways,
      unknown: found.unknown.map(named),
      needed: named(found.needed),
      complete: found.complete,
      ...(found.stopped ? { stopped: found.stopped } : {}),
      ...(found.contradiction
        ? {
            notMonotone: {
              fails: named(found.contradiction.failing),
              passes: named(found.contradiction.passing),
            },
          }
        : {}),
    },
    table: { caption: told, ...matrixOf(found, words) },
  };
}
