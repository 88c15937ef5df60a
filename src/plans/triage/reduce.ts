/**
 * Reduces one file of each variant, with the plan of `culprit reduce`, and then checks whether variants turn into each other.
 */
import { type Artifact, bytesOf } from '../../core/artifact.js';
import type { Test } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import type { Counter, Ended, Event, ExploreOptions, Memory } from '../../engine/index.js';
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
  for (const [i, signature] of signatures.entries()) {
    if (reductions.get(signature)?.isDone) continue;
    const label = `variant ${i + 1} of ${signatures.length}`;
    const original = reducing.originalOf(signature);
    if (!original) continue;
    const found = yield* search(
      original,
      { label, key: keyOf(signature), isSought: each => each === signature },
      reducing,
    );
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
  for (const [i, signature] of signatures.entries()) {
    const reduction = reductions.get(signature);
    const key = keyOf(signature);
    if (!reduction?.isDone) continue;
    const label = `variant ${i + 1} of ${signatures.length}, any stack`;
    if (!reduction.loose && signatures.some(other => other !== signature && keyOf(other) === key)) {
      const form = artifactOf(reduction.name, reduction.form);
      const found = yield* search(form, { label, key, isSought: each => keyOf(each) === key }, reducing);
      if (found.ended === 'interrupted') return end(found.ended);
      const slipped = reducing.settings.memory.recall(identify(found.artifact))?.signature;
      if (found.ended === 'done' && slipped !== undefined)
        reductions.set(signature, { ...reduction, loose: { signature: slipped, form: textOf(found.artifact) } });
      else if (reducing.budgets.isSpent()) return end('budget');
    }
    if (!reducing.isAll) continue;
    const ended = yield* reduceOthers(signature, bySignature.get(signature)!, reductions, reducing);
    reducing.keep(triage());
    if (ended === 'interrupted' || (ended === 'budget' && reducing.budgets.isSpent())) return end(ended);
    isShort ||= ended === 'budget';
  }
  return end(isShort ? 'budget' : 'done');
}

/** Other files of a variant: one that contains a known form is a duplicate, without a test. */
async function* reduceOthers(
  signature: string,
  files: readonly TestedFile[],
  reductions: Map<string, Reduction>,
  reducing: Reducing,
): AsyncGenerator<Event, Ended> {
  for (const file of files) {
    const reduction = reductions.get(signature)!;
    const forms = [reduction, ...(reduction.others ?? [])];
    const artifact = forms.some(({ from }) => from === file.path) ? undefined : readAgain(file);
    if (!artifact || forms.some(({ form }) => contains(textOf(artifact), form))) continue;
    const label = file.path;
    const wanted = { label, key: keyOf(signature), isSought: (each: string) => each === signature };
    const found = yield* search(artifact, wanted, reducing);
    if (found.ended !== 'done') return found.ended;
    const form = textOf(found.artifact);
    if (forms.some(other => Buffer.compare(other.form, form) === 0)) continue;
    reductions.set(signature, { ...reduction, others: [...(reduction.others ?? []), { from: file.path, form }] });
  }
  return 'done';
}

interface Wanted {
  readonly label: string;
  readonly key: string;
  readonly isSought: IsSought;
}

/** The plan of `reduce` for one failure. Its sizes are not those of the triage, so they are not reported. */
async function* search(
  original: Artifact,
  { label, key, isSought }: Wanted,
  { test, settings, budgets, how }: Reducing,
): AsyncGenerator<Event, Simplified<Artifact>> {
  const passes = passesBy(how.strategy, await reducePasses(original, how));
  const run = searchSmaller(original, passes, testFor(test, isSought), {
    ...settings,
    ...budgets.limits(key, label),
    memory: memoryFor(settings.memory, isSought),
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

function reductionOf(signature: string, { artifact, minimal, ended }: Simplified<Artifact>, from: string): Reduction {
  const [name] = artifact.files.keys();
  return { signature, from, name: name!, form: textOf(artifact), minimal, isDone: ended === 'done' };
}

export function textOf({ files }: Artifact): Uint8Array {
  const [entry] = files.values();
  return entry?.kind === 'file' ? entry.bytes : new Uint8Array();
}

export const contains = (text: Uint8Array, form: Uint8Array): boolean => asBuffer(text).includes(asBuffer(form));

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
