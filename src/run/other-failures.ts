/** Keeps one input for each different failure. */
import type { Artifact } from '../core/artifact.js';
import { bytesOf } from '../core/artifact.js';
import { type Test, UserError } from '../core/index.js';
import { type Event, InfrastructureError } from '../engine/index.js';
import type { RunFolder } from './run-folder.js';

/** After this many kinds of failure, more are counted but not kept. */
const most = 40;
/** Bytes that all of them together may take. */
const mostBytes = 8 * 1024 * 1024;

/** The candidate is broken, not the program: every reduction of source code finds this, and nobody wants to see it. */
const isBrokenCandidate = (words: string): boolean =>
  /\b(?:Syntax|Parse|Indentation|Tab|Reference|Name)Error\b|\b(?:syntax|parse|parsing) error\b|\berror TS\d+|\bundeclared\b|\b(?:not|been) declared\b|\bundefined reference\b|\bunknown type name\b|\bcannot find symbol\b|\berror: expected\b|\bis not defined\b/i.test(
    words,
  );

/** Keeps inputs that failed in another way, one for each signature, for the user to see. `shown`: what is kept of each. */
export function otherFailures<Tested = Artifact>(
  test: Test<Tested>,
  folder: RunFolder,
  see: (event: Event) => void,
  shown: (artifact: Tested) => Artifact = artifact => artifact as unknown as Artifact,
): Test<Tested> {
  const kept = new Set(folder.journal.others);
  let bytes = 0;
  return guarded(folder, async (artifact, signal) => {
    const verdict = await test(artifact, signal);
    const { signature, reason } = verdict;
    if (verdict.outcome !== 'unresolved' || signature === undefined || kept.has(signature) || signal.aborted)
      return verdict;
    const words = wordsOf(reason ?? signature);
    if (isBrokenCandidate(words)) return verdict;
    kept.add(signature);
    const other = shown(artifact);
    // A large one that does not fit leaves room for smaller ones.
    if (kept.size <= most && bytes + bytesOf(other) <= mostBytes) {
      bytes += bytesOf(other);
      const name = `${String(kept.size).padStart(2, '0')}-${words
        .replace(/[^\w]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 50)}`;
      see({
        type: 'noticed',
        what: 'other failure',
        text: words,
        path: folder.keepOther(name, other, words),
      });
    }
    return verdict;
  });
}

const wordsOf = (reason: string): string => reason.replace(/^another failure: /, '');

/**
 * Shows another failure only after a question was answered with it. Idle workers test what is never asked; how much of that they
 * get done depends on the machine, and what a run says must not.
 */
export function showOthersWhenAsked(show: (event: Event) => void): (event: Event) => void {
  const waiting = new Map<string, Event>();
  const asked = new Set<string>();
  return event => {
    if (event.type === 'noticed' && event.what === 'other failure' && !asked.has(event.text)) {
      waiting.set(event.text, event);
      return;
    }
    show(event);
    if (event.type !== 'answered' || event.outcome !== 'unresolved' || event.reason === undefined) return;
    const words = wordsOf(event.reason);
    asked.add(words);
    const other = waiting.get(words);
    waiting.delete(words);
    if (other) show(other);
  };
}

/** A test that the machine could not run (a full disk) is not a verdict on the artifact: it ends the run with a message. */
const guarded =
  <Tested>(folder: RunFolder, test: Test<Tested>): Test<Tested> =>
  async (artifact, signal) => {
    try {
      return await test(artifact, signal);
    } catch (error) {
      if (signal.aborted || !isOfTheMachine(error)) throw error;
      folder.journal.failed(error);
      throw new InfrastructureError((error as Error).message, { cause: error });
    }
  };

const codes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO']);

/** Errors that are about the machine and not the artifact: a later test may succeed. */
const isOfTheMachine = (error: unknown): boolean =>
  error instanceof UserError || codes.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
