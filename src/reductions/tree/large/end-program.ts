/** A large program as the declarations before its end, and its end: what several passes look at. */
import type { Circumstance, Configuration } from '../../../core/index.js';
import { pauseIfDue } from '../../../core/pause.js';
import { add, type Fragment } from '../../../core/trace.js';
import type { Declaration, Declarations } from '../../../syntax/declarations.js';
import type { LanguageProfile } from '../../../syntax/languages/profile.js';
import { Reach, type Reached, type ReachOptions } from '../../../syntax/reach/reach.js';
import { cut } from '../../../syntax/text-cut.js';
import { type Edit, editing } from '../../edits.js';
import { endStart } from './end.js';

/** A candidate that is not smaller than another one by this part says nothing new. */
export const leastShare = 32;

/** What a question about a part of a text is: another one only after half of the text is gone, which may have been what needed the part. */
export const identified = (text: string, what: string, part: string): string =>
  `${what} ${Math.floor(Math.log2(text.length))} ${part}`;

/** What is left of a text: of the declarations before its end, and of its end. Without one of them, that is as it was. */
interface Left {
  readonly before?: Configuration | undefined;
  readonly end?: { readonly inner: Circumstance<string>; readonly configuration: Configuration };
}

/** A text as the declarations before its end, and its end. */
export interface Program {
  readonly end: string;
  readonly all: readonly Declaration[];
  readonly reach: Reach;
  /** For each declaration four deltas: all of it, its body if that is a semicolon otherwise, and if it is empty otherwise, and the members of a class. */
  readonly before: Circumstance<string>;
  withBodies(reached: Reached, otherwise: 'or declared' | 'or empty', hollow?: Uint8Array): Configuration;
  /** Most of it is used by the end: what is not was left out before, or is needed for another reason. */
  readonly isUsed: boolean;
  /** What another end uses, with what is needed although the end does not use it. */
  rounds(end: string, options?: ReachOptions): ReturnType<Reach['rounds']>;
  /** By declaration: how many others are between an end and it; −1 if the end does not use it. */
  distances(end: string): Int32Array | undefined;
  /** Whether it is outside classes. */
  isOuter(i: number): boolean;
  /** A declaration as it is written. */
  textOf(i: number): string;
  /** How many characters a declaration has, and the body of a function. */
  sizeOf(i: number): number;
  bodySize(i: number): number;
  /** How many characters of the declarations are kept, about. */
  sizeBefore(reached: Reached): number;
  /** A candidate for each configuration; none if nothing is left. */
  built(leftIn: (configuration: Configuration) => Left | undefined): Pick<Circumstance<string>, 'build' | 'trace'>;
}

/** Several passes look at the same text. */
let last:
  | { readonly text: string; readonly language: LanguageProfile; readonly program: Program | undefined }
  | undefined;

export async function programOf(language: LanguageProfile, text: string): Promise<Program | undefined> {
  if (last?.text !== text || last.language !== language)
    last = { text, language, program: await readProgram(language, text) };
  return last.program;
}

/** An end that is longer than this part of the text says little about what is not needed. */
const largestEnd = 4;

async function readProgram(language: LanguageProfile, text: string): Promise<Program | undefined> {
  const steps = language.declarations?.(text);
  if (!steps) return undefined;
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pauseIfDue();
  const whole = step.value;
  if (!whole) return undefined;
  const { tokens } = whole;
  const startOf = (i: number): number => tokens.start[whole.all[i]!.from]!;
  const endOf = (token: number): number => tokens.end[token - 1]!;
  const from = endStart(text, text.trimEnd().length);
  const outermost = [...whole.all.keys()].filter(i => whole.all[i]!.within < 0);
  const known = new Set<number>();
  // A namespace that is opened again is one of a library.
  const isReopened = outermost.map(i => {
    const { kind, names } = whole.all[i]!;
    const isKnown = kind === 'scope' && (names.length === 0 || known.has(names[0]!));
    for (const name of kind === 'scope' ? names : []) known.add(name);
    return isKnown;
  });
  let at = outermost.length - 1;
  while (at > 0 && startOf(outermost[at - 1]!) >= from && !isReopened[at - 1]) at--;
  const first = outermost[at];
  if (first === undefined || first === 0 || (text.length - startOf(first)) * largestEnd > text.length) return undefined;
  const all = whole.all.slice(0, first);
  const declarations: Declarations = { ...whole, all };
  const edits = all.flatMap(({ to, body, opens, shortestBody, contents }, i): readonly Edit[] => [
    { spans: [cut(text, startOf(i), endOf(to))] },
    { spans: body ? [{ start: endOf(body.from), end: endOf(body.to), text: ';' }] : [] },
    { spans: body ? [{ start: tokens.start[opens!]!, end: endOf(body.to), text: shortestBody! }] : [] },
    { spans: contents ? [{ start: tokens.start[contents.from]!, end: endOf(contents.to), text: '{}' }] : [] },
  ]);
  await pauseIfDue();
  const reach = new Reach(declarations);
  await pauseIfDue();
  const split = startOf(first);
  const beforeText = text.slice(0, split);
  const end = text.slice(split);
  const before = editing('declaration', beforeText, edits);
  const withBodies: Program['withBodies'] = ({ kept, bodies }, otherwise, hollow) => {
    const ranges: number[] = [];
    const apply = (delta: number): void => {
      if (ranges.at(-1) === delta) ranges[ranges.length - 1] = delta + 1;
      else ranges.push(delta, delta + 1);
    };
    for (const [i, { owner, body }] of all.entries()) {
      const hasBody = bodies[i] === 1 || body === undefined;
      // A definition outside its class is there with its body or not at all.
      if (kept[i] === 1 && (hasBody || owner === undefined || otherwise === 'or empty')) apply(4 * i);
      if (hasBody || otherwise === 'or empty') apply(4 * i + 1);
      if (hasBody || otherwise === 'or declared') apply(4 * i + 2);
      if (hollow?.[i] !== 1) apply(4 * i + 3);
    }
    return ranges;
  };
  // Without the declarations in it.
  const ownSizes = Int32Array.from(all, (_, i) => endOf(all[i]!.to) - startOf(i));
  for (const [i, { within }] of all.entries()) if (within >= 0) ownSizes[within]! -= endOf(all[i]!.to) - startOf(i);
  // What the end does not use by name was asked for before, and is needed: it stays, with what it uses.
  const used = reach.rounds(end)?.at(-1);
  const roots = used ? [...all.keys()].filter(i => used.kept[i] === 0) : [];
  const usedSize = used ? before.build(withBodies(used, 'or empty'))!.length : 0;
  return {
    isUsed: usedSize * 2 > beforeText.length,
    rounds: (other, options) => reach.rounds(other, { roots, ...options }),
    distances: other => reach.distances(other, { roots }),
    withBodies,
    all,
    end,
    reach,
    before,
    isOuter: i => all[i]!.within < 0 || all[all[i]!.within]!.kind === 'scope',
    textOf: i => text.slice(startOf(i), endOf(all[i]!.to)),
    sizeOf: i => endOf(all[i]!.to) - startOf(i),
    sizeBefore: ({ kept }) => ownSizes.reduce((sum, size, i) => (kept[i] === 1 ? sum + size : sum), 0),
    bodySize: i => endOf(all[i]!.body!.to) - endOf(all[i]!.body!.from),
    built: leftIn => ({
      build(configuration) {
        const left = leftIn(configuration);
        if (!left) return undefined;
        const kept = left.before ? before.build(left.before)! : beforeText;
        return kept + (left.end ? left.end.inner.build(left.end.configuration)! : end);
      },
      trace(configuration) {
        const left = leftIn(configuration) ?? {};
        const trace: Fragment[] = [];
        const kept = left.before ? before.trace!(left.before) : [{ start: 0, end: split }];
        for (const each of kept) add(trace, each);
        const rest = left.end ? left.end.inner.trace!(left.end.configuration) : [{ start: 0, end: end.length }];
        for (const each of rest)
          add(trace, 'text' in each ? each : { start: each.start + split, end: each.end + split });
        return trace;
      },
    }),
  };
}

export const isWhole = (configuration: Configuration, count: number): boolean =>
  configuration.length === 2 && configuration[1]! - configuration[0]! === count;
