/** Keeps the end of a large program, with what it uses: the first questions about a program after the preprocessor. */
import { type Circumstance, type Configuration, empty, has, minus } from '../../core/index.js';
import { pauseIfDue } from '../../core/pause.js';
import { add, type Fragment } from '../../core/trace.js';
import type { Declaration, Declarations } from '../../syntax/declarations.js';
import type { LanguageProfile } from '../../syntax/languages/profile.js';
import { Reach, type Reached } from '../../syntax/reach.js';
import { cut } from '../../syntax/text-cut.js';
import { type Edit, editing } from '../edits.js';
import { endStart } from './end.js';
import type { TextPass } from './pass.js';

/** How deep functions that call each other are followed, in the questions that leave out the bodies of the others. */
const depths = [0, 1, 2, 4];

/** A candidate that is not smaller than the next one by this part says nothing that the next one does not. */
const leastShare = 32;

/**
 * What the end of a text uses, in layers: first without the bodies of functions, then with the bodies of those that it calls,
 * of those that these call, and so on; then with all members of its classes. The last delta is everything else. A layer is left out
 * together with everything after it.
 */
export async function layersOfUse(language: LanguageProfile, text: string): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  const rounds = program?.reach.rounds(program.end);
  if (!program || !rounds) return undefined;
  await pauseIfDue();
  const wide = program.reach.rounds(program.end, { isWide: true })!.at(-1)!;
  await pauseIfDue();
  const { before, end } = program;
  const all = [...depths.filter(depth => depth < rounds.length - 1).map(depth => rounds[depth]!), rounds.at(-1)!, wide];
  // From the largest: one that is hardly smaller than a later one is not worth a question.
  const layers: Configuration[] = [];
  let least = text.length;
  for (const layer of all.toReversed().map(reached => program.withBodies(reached, 'or declared'))) {
    const size = before.build(layer)!.length + end.length;
    if (size > least - text.length / leastShare) continue;
    least = size;
    layers.unshift(layer);
  }
  if (layers.length === 0) return undefined;
  const keptIn = (configuration: Configuration): Configuration | undefined =>
    layers[configuration.length === 0 ? 0 : configuration.at(-1)!];
  return {
    name: 'layer',
    count: layers.length,
    ...program.built(configuration => ({ before: keptIn(configuration) })),
    describe: delta => (delta === layers.length - 1 ? 'what the end does not use' : 'what functions call'),
  };
}

/**
 * The edits of the end of a text as deltas. What the end then no longer uses is left out too. The first delta is all that it still
 * uses: names find too much.
 */
export async function endWithUses(
  language: LanguageProfile,
  text: string,
  pass: TextPass,
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  if (!program?.isUsed) return undefined;
  const inner = editing('end', program.end, await pass.edits(program.end));
  if (inner.count < 2) return undefined;
  return {
    name: inner.name,
    count: inner.count + 1,
    ...program.built(configuration => {
      if (isWhole(configuration, inner.count + 1)) return {};
      const end = { inner, configuration: withoutFirst(configuration) };
      if (!has(configuration, 0)) return { before: empty, end };
      const reached = program.reach.rounds(inner.build(end.configuration)!)?.at(-1);
      return reached && { before: program.withBodies(reached, 'or declared'), end };
    }),
    describe: delta =>
      delta === 0 ? 'what the end still uses' : `${inner.describe!(delta - 1)}, with what only it uses`,
  };
}

/** The same deltas, counted from the second one. */
const withoutFirst = (configuration: Configuration): Configuration =>
  minus(configuration, [0, 1]).map(bound => bound - 1);

/** How many groups the bodies of functions form at most. */
const mostGroups = 64;

/**
 * The bodies of functions as deltas, those that are called first before those that these call. A body that is left out is empty,
 * so that a program still links, and what only it used is left out with it.
 */
export async function bodiesWithUses(
  language: LanguageProfile,
  text: string,
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  const rounds = program?.isUsed ? program.reach.rounds(program.end) : undefined;
  if (!program || !rounds) return undefined;
  await pauseIfDue();
  const { all, end, reach } = program;
  const functions: number[] = [];
  for (const [depth, { bodies }] of rounds.entries())
    for (const [i, { body }] of all.entries())
      if (depth > 0 && body && bodies[i] === 1 && rounds[depth - 1]!.bodies[i] === 0) functions.push(i);
  const groups = groupBySize(functions, program.bodySize);
  if (groups.length < 2) return undefined;
  return {
    name: 'bodies',
    count: groups.length,
    weights: groups.map(group => group.reduce((sum, i) => sum + program.bodySize(i), 0)),
    ...program.built(configuration => {
      if (isWhole(configuration, groups.length)) return {};
      const emptied = new Uint8Array(all.length);
      for (const i of functions) emptied[i] = 1;
      for (let i = 0; i < configuration.length; i += 2)
        for (let group = configuration[i]!; group < configuration[i + 1]!; group++)
          for (const one of groups[group]!) emptied[one] = 0;
      return { before: program.withBodies(reach.rounds(end, { emptied })!.at(-1)!, 'or empty') };
    }),
    describe: delta => `${groups[delta]!.length} bodies, with what only they use`,
  };
}

/** Declarations as deltas: without some of them, everything that mentions them is left out too, and the bodies of functions that do are empty. */
export async function declarationsWithUsers(
  language: LanguageProfile,
  text: string,
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(language, text);
  const reached = program?.isUsed ? program.reach.rounds(program.end)?.at(-1) : undefined;
  if (!program || !reached) return undefined;
  await pauseIfDue();
  const { all, end, reach } = program;
  const required = reach.required(end);
  const isOuter = ({ kind, within }: Declaration): boolean =>
    kind !== 'scope' && (within < 0 || all[within]!.kind === 'scope');
  const outer = [...all.keys()].filter(
    i => reached.kept[i] === 1 && required[i] === 0 && isOuter(all[i]!) && !reach.belongsToClass(i),
  );
  const groups = groupBySize(outer, program.sizeOf);
  if (groups.length < 2) return undefined;
  return {
    name: 'declarations',
    count: groups.length,
    weights: groups.map(group => group.reduce((sum, i) => sum + program.sizeOf(i), 0)),
    ...program.built(configuration => {
      if (isWhole(configuration, groups.length)) return {};
      const kept = new Set<number>();
      for (let i = 0; i < configuration.length; i += 2)
        for (let group = configuration[i]!; group < configuration[i + 1]!; group++)
          for (const one of groups[group]!) kept.add(one);
      const without = reach.without(
        outer.filter(i => !kept.has(i)),
        end,
      );
      return without && { before: program.withBodies(reach.rounds(end, without)!.at(-1)!, 'or empty') };
    }),
    describe: delta => `${groups[delta]!.length} declarations, with what mentions them`,
  };
}

const isWhole = (configuration: Configuration, count: number): boolean =>
  configuration.length === 2 && configuration[1]! - configuration[0]! === count;

/** Neighbours, in groups of about the same size. */
function groupBySize(all: readonly number[], sizeOf: (one: number) => number): readonly (readonly number[])[] {
  const least = all.reduce((sum, one) => sum + sizeOf(one), 0) / mostGroups;
  const groups: number[][] = [];
  let size = least;
  for (const one of all) {
    if (size >= least) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(one);
    size += sizeOf(one);
  }
  return groups;
}

/** What is left of a text: of the declarations before its end, and of its end. Without one of them, that is as it was. */
interface Left {
  readonly before?: Configuration | undefined;
  readonly end?: { readonly inner: Circumstance<string>; readonly configuration: Configuration };
}

/** A text as the declarations before its end, and its end. */
interface Program {
  readonly end: string;
  readonly all: readonly Declaration[];
  readonly reach: Reach;
  /** For each declaration three deltas: all of it, its body if that is a semicolon otherwise, and if it is empty otherwise. */
  readonly before: Circumstance<string>;
  withBodies(reached: Reached, otherwise: 'or declared' | 'or empty'): Configuration;
  /** Nearly all of it is used by the end: what is not was left out before, and the failure stayed. */
  readonly isUsed: boolean;
  /** How many characters a declaration has, and the body of a function. */
  sizeOf(i: number): number;
  bodySize(i: number): number;
  /** A candidate for each configuration; none if nothing is left. */
  built(leftIn: (configuration: Configuration) => Left | undefined): Pick<Circumstance<string>, 'build' | 'trace'>;
}

/** Several passes look at the same text. */
let last:
  | { readonly text: string; readonly language: LanguageProfile; readonly program: Program | undefined }
  | undefined;

async function programOf(language: LanguageProfile, text: string): Promise<Program | undefined> {
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
  const edits = all.flatMap(({ to, body, opens, shortestBody }, i): readonly Edit[] => [
    { spans: [cut(text, startOf(i), endOf(to))] },
    { spans: body ? [{ start: endOf(body.from), end: endOf(body.to), text: ';' }] : [] },
    { spans: body ? [{ start: tokens.start[opens!]!, end: endOf(body.to), text: shortestBody! }] : [] },
  ]);
  await pauseIfDue();
  const reach = new Reach(declarations);
  await pauseIfDue();
  const split = startOf(first);
  const beforeText = text.slice(0, split);
  const end = text.slice(split);
  const before = editing('declaration', beforeText, edits);
  const withBodies: Program['withBodies'] = ({ kept, bodies }, otherwise) => {
    const ranges: number[] = [];
    const apply = (delta: number): void => {
      if (ranges.at(-1) === delta) ranges[ranges.length - 1] = delta + 1;
      else ranges.push(delta, delta + 1);
    };
    for (const [i, { owner, body }] of all.entries()) {
      const hasBody = bodies[i] === 1 || body === undefined;
      // A definition outside its class is there with its body or not at all.
      if (kept[i] === 1 && (hasBody || owner === undefined || otherwise === 'or empty')) apply(3 * i);
      if (hasBody || otherwise === 'or empty') apply(3 * i + 1);
      if (hasBody || otherwise === 'or declared') apply(3 * i + 2);
    }
    return ranges;
  };
  const wide = reach.rounds(end, { isWide: true })?.at(-1);
  const used = wide ? before.build(withBodies(wide, 'or declared'))!.length : 0;
  return {
    isUsed: (beforeText.length - used) * leastShare < text.length,
    withBodies,
    all,
    end,
    reach,
    before,
    sizeOf: i => endOf(all[i]!.to) - startOf(i),
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
