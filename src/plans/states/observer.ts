/** How `culprit states` observes the program: runs of the command, judged by the failure rule, and kept in the run's folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Artifact } from '../../core/artifact.js';
import { DeadEnd, type Verdict } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import { retryAlone } from '../../oracle/retry-alone.js';
import type { Request } from '../../oracle/states/protocol.js';
import type { Watch, Watched } from '../../oracle/states/watch.js';
import { makeFolder, writable, writeFile } from '../../run/atomic-write.js';
import type { Context } from '../job.js';
import type { Kept, Looks, Observer, Side } from './search.js';

export interface ObserverOptions {
  readonly oracle: CommandOracle;
  /** Runs the command in its own order of events, or in a fixed one with the clock starting at `epoch`. */
  readonly watchAt: (epoch?: number) => Watch;
  readonly first: FirstRun;
  readonly pair: { readonly passing: Artifact; readonly failing: Artifact };
  /** Runs the passing input without a debugger, and throws if it does not pass. */
  readonly demandPass: () => Promise<void>;
  /** Counts the runs that only observe the program. */
  readonly watched: () => void;
}

/** A trace makes a program much slower. */
const muchSlower = 60;
/** A test may take this many times as long as starting the program with a debugger; impossible states often never end. */
const slower = 5;
const shortest = 3;

export function openObserver(context: Context, options: ObserverOptions): Observer {
  const { oracle, watchAt, first, pair, demandPass, watched } = options;
  const { signal } = context;
  const kept = keptIn(join(context.folder.path, 'states'));
  const { debuggee } = watchAt();
  const chosen = (): Watch => watchAt(kept.read<number>('epoch'));
  const run = (watch: Watch, side: Side, request: Request): Promise<Watched> => {
    watched();
    return watch(pair[side], request, Math.max(60, first.timeout * muchSlower), signal);
  };
  const checked = (side: Side, { attempt, reply }: Watched) => {
    const verdict = oracle.verdict(first.rule, attempt);
    if (!isExpected(side, verdict)) throw unlike(side, verdict);
    if (reply.trouble !== undefined)
      throw new DeadEnd(`The program can't be watched: ${reply.trouble}.`, debuggee.limits);
    return reply;
  };
  const observe = async (side: Side, request: Request) => checked(side, await run(chosen(), side, request));
  const look = async (watch: Watch) => {
    const passing = await run(watch, 'passing', { kind: 'look' });
    // A watched run that passes shows that the input passes. If it does not pass, a plain run says whether that is the
    // input's doing or the debugger's.
    if (!isUsable('passing', passing)) await demandPass();
    return { passing, failing: await run(watch, 'failing', { kind: 'look' }) };
  };
  const once = async ({ request }: { readonly request: Request }, stop: AbortSignal): Promise<Verdict> => {
    const limit = Math.max(shortest, (kept.read<number>('seconds') ?? first.timeout) * slower);
    const { attempt, reply } = await chosen()(pair.passing, request, limit, stop);
    if (!reply.applied && !attempt.run.timedOut)
      return { outcome: 'unresolved', reason: reply.trouble ?? 'the place was not reached' };
    // Any other failure here is caused by culprit itself and not worth keeping, so its signature is left out.
    const { signature, ...verdict } = oracle.verdict(first.rule, attempt);
    return verdict.outcome === 'fail' && signature !== undefined ? { ...verdict, signature } : verdict;
  };
  return {
    async look(): Promise<Looks> {
      const known = kept.read<Looks>('looks');
      if (known) return known;
      const epoch = debuggee.inOrder ? Date.now() : undefined;
      let looks = await look(watchAt(epoch));
      const isOrdered = epoch !== undefined && sides.every(side => isUsable(side, looks[side]));
      if (epoch !== undefined && !isOrdered) looks = await look(watchAt());
      const { passing, failing } = looks;
      const seen = { passing: [...checked('passing', passing).looks], failing: [...checked('failing', failing).looks] };
      kept.write('seconds', passing.attempt.run.seconds);
      if (isOrdered) kept.write('epoch', epoch);
      const found = { ...seen, order: isOrdered ? 'fixed' : debuggee.inOrder ? 'own' : 'none to fix' } as const;
      kept.write('looks', found);
      return found;
    },
    trace: async (side, request) => (await observe(side, request)).trace,
    capture: async (side, request) => (await observe(side, request)).states,
    test: retryAlone(once, ({ reason }) => reason === 'timeout'),
    kept,
  };
  function isUsable(side: Side, { attempt, reply }: Watched): boolean {
    return reply.trouble === undefined && isExpected(side, oracle.verdict(first.rule, attempt));
  }
}

const sides = ['passing', 'failing'] as const;

const isExpected = (side: Side, { outcome }: Verdict): boolean => outcome === (side === 'failing' ? 'fail' : 'pass');

/** The plain runs had the expected outcomes, so observing the program must have changed them. */
const unlike = (side: Side, { reason, outcome }: Verdict): DeadEnd =>
  new DeadEnd(
    `The ${side} input does not ${side === 'failing' ? 'fail' : 'pass'} when the program is watched: ${reason ?? outcome}.`,
    'The failure depends on timing or on the debugger, so its causes cannot be found this way.',
  );

/** Stores observations as compressed files: a resumed run reads them instead of observing the program again. */
function keptIn(folder: string): Kept {
  const pathOf = (name: string) => join(folder, `${name}.json.gz`);
  return {
    read<T>(name: string): T | undefined {
      try {
        return JSON.parse(gunzipSync(readFileSync(pathOf(name))).toString()) as T;
      } catch {
        // Not there yet, or damaged: these files are not synced. The program is watched again.
        return undefined;
      }
    },
    write(name, value) {
      writable(folder, () => {
        makeFolder(folder);
        writeFile(pathOf(name), gzipSync(JSON.stringify(value)));
      });
    },
  };
}
