/**
 * Reduces one file of each variant, with the plan of `culprit reduce`, and then checks whether variants turn into each other.
 */
import { type Artifact, bytesOf } from '../../core/artifact.js';
import type { Test } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import {
  type Counter,
  type Ended,
  type Event,
  type ExploreOptions,
  type LaneOptions,
  type Lanes,
  localRoom,
  type Memory,
  openLanes,
  recallOrTest,
} from '../../engine/index.js';
import { closeArchives, openArchives } from '../../sources/archives/index.js';
import { identify } from '../../sources/files.js';
import { artifactOf, readAgain } from '../../sources/input-files.js';
import { type ReduceOptions, reducePasses } from '../reduce/passes.js';
import { passesBy, searchSmaller } from '../reduce/search.js';
import type { Simplified } from '../simplify.js';
import type { Budgets } from './budgets.js';
import { filesBySignature, keyOf, type Reduction, smallest, type TestedFile, type Triage } from './model.js';
import { type IsSought, memoryFor, testFor } from './observe.js';

export interface Reducing {
  readonly test: Test<Artifact>;
  readonly settings: ExploreOptions<Artifact> & { readonly counter: Counter; readonly memory: Memory };
  readonly budgets: Budgets;
  readonly how: ReduceOptions & { readonly strategy?: string };
  /** Also reduce every other file of a variant in which its form does not occur. */
  readonly isAll: boolean;
  /** The file that a variant is reduced from, as it was when the run began. */
  originalOf(signature: string): Artifact | undefined;
  keep(triage: Triage): void;
}

export async function* reduceVariants(
  scanned: Triage,
  reducing: Reducing,
): AsyncGenerator<Event, { readonly ended: Ended; readonly triage: Triage }> {
  const { counter } = reducing.settings;
  const bySignature = filesBySignature(scanned.files);
  const signatures = [...bySignature.keys()];
  const reductions = new Map(scanned.reductions);
  const triage = (): Triage => ({ ...scanned, reductions: new Map(reductions) });
  const left = () =>
    signatures.reduce((sum, each) => sum + (reductions.has(each) ? 1 : bySignature.get(each)!.length), 0);
  let isShort = false;
  const end = (ended: Ended) => ({ ended, triage: triage() });
  const labelOf = (signature: string) => `variant ${signatures.indexOf(signature) + 1} of ${signatures.length}`;

  const strict = signatures.flatMap((signature): readonly Planned[] => {
    const original = reductions.get(signature)?.isDone ? undefined : reducing.originalOf(signature);
    const isSought: IsSought = each => each === signature;
    return original ? [{ signature, original, label: labelOf(signature), isSought }] : [];
  });
  const first = searchAll(strict, reducing);
  try {
    for (const [i, { signature, label }] of strict.entries()) {
      const found = yield* first.follow(i);
      reductions.set(signature, reductionOf(signature, found, smallest(bySignature.get(signature)!).path));
      reducing.keep(triage());
      if (found.ended === 'interrupted' || (found.ended === 'budget' && reducing.budgets.isSpent()))
        return end(found.ended);
      const { length } = textOf(found.artifact);
      const pass = `${label}: ${counted(length, 'byte')}, ${bySignature.get(signature)![0]!.text}`;
      yield { type: 'pass', pass, round: 1, deltas: scanned.files.length, strategy: 'triage' };
      yield { type: 'reduced', step: counter.counts.tests, size: { deltas: left() } };
      isShort ||= found.ended === 'budget';
    }
  } finally {
    await first.close();
  }

  const done = signatures.filter(signature => reductions.get(signature)?.isDone);
  const isAmbiguous = (signature: string): boolean =>
    signatures.some(other => other !== signature && keyOf(other) === keyOf(signature));
  const loose = done.flatMap((signature): readonly Planned[] => {
    const { name, form, loose: known } = reductions.get(signature)!;
    if (known || !isAmbiguous(signature)) return [];
    const key = keyOf(signature);
    const label = `${labelOf(signature)}, any stack`;
    return [{ signature, original: artifactOf(name, form), label, isSought: each => keyOf(each) === key }];
  });
  const second = searchAll(loose, reducing);
  try {
    for (const [i, { signature }] of loose.entries()) {
      const found = yield* second.follow(i);
      if (found.ended === 'interrupted') return end(found.ended);
      const slipped = reducing.settings.memory.recall(identify(found.artifact))?.signature;
      if (found.ended === 'done' && slipped !== undefined)
        reductions.set(signature, {
          ...reductions.get(signature)!,
          loose: { signature: slipped, form: textOf(found.artifact) },
        });
      else if (reducing.budgets.isSpent()) return end('budget');
    }
  } finally {
    await second.close();
  }

  for (const signature of reducing.isAll ? done : []) {
    const ended = yield* reduceOthers(signature, bySignature.get(signature)!, reductions, reducing);
    reducing.keep(triage());
    if (ended === 'interrupted' || (ended === 'budget' && reducing.budgets.isSpent())) return end(ended);
    isShort ||= ended === 'budget';
  }
  return end(isShort ? 'budget' : 'done');
}

/** The search for one variant. */
interface Planned {
  readonly signature: string;
  readonly original: Artifact;
  readonly label: string;
  readonly isSought: IsSought;
}

/**
 * The searches share all slots and run at the same time. A budget depends on what the searches before it have spent, so with
 * a budget of tests, or of seconds per group, they run one after the other.
 */
function searchAll(
  planned: readonly Planned[],
  reducing: Reducing,
): Pick<Lanes<Simplified<Artifact>>, 'follow' | 'close'> {
  const { settings, budgets } = reducing;
  if (budgets.areCounted) return { follow: i => search(planned[i]!, reducing), close: async () => {} };
  const { room = localRoom(settings.workers), counter, signal } = settings;
  const starts = planned.map(
    each => (own: LaneOptions) => search(each, { ...reducing, settings: { ...settings, ...own } }),
  );
  return openLanes(starts, { room, counter, ...(signal ? { signal } : {}) });
}

/** Other files of a variant: one that contains a known form is a duplicate, without a test. */
async function* reduceOthers(
  signature: string,
  files: readonly TestedFile[],
  reductions: Map<string, Reduction>,
  reducing: Reducing,
): AsyncGenerator<Event, Ended> {
  const formsOf = () => {
    const reduction = reductions.get(signature)!;
    return [reduction, ...(reduction.others ?? [])];
  };
  const isDuplicate = (artifact: Artifact) => formsOf().some(({ form }) => contains(textOf(artifact), form));
  const isSought: IsSought = each => each === signature;
  const planOf = (file: TestedFile): readonly Planned[] => {
    const original = formsOf().some(({ from }) => from === file.path) ? undefined : readAgain(file);
    return original && !isDuplicate(original) ? [{ signature, original, label: file.path, isSought }] : [];
  };
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const planned = files.slice(at, at + filesAtOnce).flatMap(planOf);
    const lanes = searchAll(planned, reducing);
    try {
      for (const [i, { original, label }] of planned.entries()) {
        // A form that was found in the meantime may be in it.
        if (isDuplicate(original)) continue;
        const found = yield* lanes.follow(i);
        if (found.ended !== 'done') return found.ended;
        const form = textOf(found.artifact);
        if (formsOf().some(other => Buffer.compare(other.form, form) === 0)) continue;
        const reduction = reductions.get(signature)!;
        reductions.set(signature, { ...reduction, others: [...(reduction.others ?? []), { from: label, form }] });
      }
    } finally {
      await lanes.close();
    }
  }
  return 'done';
}

/** Files that are in memory at a time. */
const filesAtOnce = 64;

/** The plan of `reduce` for one failure. Its sizes are not those of the triage, so they are not reported. */
async function* search(
  { original, label, signature, isSought }: Planned,
  { test, settings, budgets, how }: Reducing,
): AsyncGenerator<Event, Simplified<Artifact>> {
  const key = keyOf(signature);
  const [sought, memory] = [testFor(test, isSought), memoryFor(settings.memory, isSought)];
  const whole = await openIfSame(original, sought, { ...settings, memory });
  const passes = passesBy(how.strategy, await reducePasses(whole, how));
  const run = searchSmaller(whole, passes, sought, {
    ...settings,
    ...budgets.limits(key, label),
    memory,
    identify,
    measure: bytesOf,
  });
  for (;;) {
    const step = await run.next();
    if (step.done) {
      budgets.settle(key, label);
      return step.value;
    }
    const event = step.value;
    if (event.type === 'pass') yield { ...event, pass: `${label}: ${event.pass}` };
    else if (event.type === 'noticed') yield { ...event, text: `${label}: ${event.text}` };
    else if (event.type !== 'reduced') yield event;
  }
}

/** An archive as a folder, if it still fails when it is written anew. */
async function openIfSame(
  original: Artifact,
  test: Test<Artifact>,
  { memory, counter, signal = new AbortController().signal }: Reducing['settings'],
): Promise<Artifact> {
  const opened = openArchives(original);
  if (!opened) return original;
  const name = identify(opened);
  const { outcome } = await recallOrTest(memory, name, () => {
    counter.started++;
    return test(opened, signal);
  });
  counter.answered(name, outcome, false);
  return outcome === 'fail' ? opened : original;
}

function reductionOf(signature: string, { artifact, minimal, ended }: Simplified<Artifact>, from: string): Reduction {
  const [name] = closeArchives(artifact).files.keys();
  return { signature, from, name: name!, form: textOf(artifact), minimal, isDone: ended === 'done' };
}

/** The file itself. */
export function textOf(artifact: Artifact): Uint8Array {
  const [entry] = closeArchives(artifact).files.values();
  return entry?.kind === 'file' ? entry.bytes : new Uint8Array();
}

export const contains = (text: Uint8Array, form: Uint8Array): boolean => asBuffer(text).includes(asBuffer(form));

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
