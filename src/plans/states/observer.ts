/** How `culprit states` observes the program: runs of the command, judged by the failure rule, and kept in the run's folder. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Artifact } from '../../core/artifact.js';
import { UserError, type Verdict } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import { retryAlone } from '../../oracle/retry-alone.js';
import type { Request } from '../../oracle/states/protocol.js';
import type { Watch } from '../../oracle/states/watch.js';
import { makeFolder, writable, writeFile } from '../../run/atomic-write.js';
import type { Context } from '../job.js';
import type { Kept, Observer, Side } from './search.js';

export interface ObserverOptions {
  readonly oracle: CommandOracle;
  readonly watch: Watch;
  readonly first: FirstRun;
  readonly pair: { readonly passing: Artifact; readonly failing: Artifact };
  /** Counts the runs that only observe the program. */
  readonly watched: () => void;
}

/** A trace makes a program much slower. */
const muchSlower = 60;
/** A test may take this many times as long as starting the program with a debugger; impossible states often never end. */
const slower = 5;
const shortest = 3;

export function openObserver(context: Context, { oracle, watch, first, pair, watched }: ObserverOptions): Observer {
  const { signal } = context;
  const kept = keptIn(join(context.folder.path, 'states'));
  const observe = async (side: Side, request: Request) => {
    watched();
    const limit = Math.max(60, first.timeout * muchSlower);
    const { attempt, reply } = await watch(pair[side], request, limit, signal);
    if (request.kind === 'look' && side === 'passing') kept.write('seconds', attempt.run.seconds);
    const verdict = oracle.verdict(first.rule, attempt);
    if (verdict.outcome !== (side === 'failing' ? 'fail' : 'pass')) throw unlike(side, verdict);
    if (reply.trouble !== undefined)
      throw new UserError(`The program can't be watched: ${reply.trouble}.`, watch.debuggee.limits, 1);
    return reply;
  };
  const once = async ({ request }: { readonly request: Request }, stop: AbortSignal): Promise<Verdict> => {
    const limit = Math.max(shortest, (kept.read<number>('seconds') ?? first.timeout) * slower);
    const { attempt, reply } = await watch(pair.passing, request, limit, stop);
    if (!reply.applied && !attempt.run.timedOut)
      return { outcome: 'unresolved', reason: reply.trouble ?? 'the place was not reached' };
    // Any other failure here is caused by culprit itself and not worth keeping, so its signature is left out.
    const { signature, ...verdict } = oracle.verdict(first.rule, attempt);
    return verdict.outcome === 'fail' && signature !== undefined ? { ...verdict, signature } : verdict;
  };
  return {
    look: async side => (await observe(side, { kind: 'look' })).looks,
    trace: async (side, request) => (await observe(side, request)).trace,
    capture: async (side, request) => (await observe(side, request)).states,
    test: retryAlone(once, ({ reason }) => reason === 'timeout'),
    kept,
  };
}

/** The plain runs had the expected outcomes, so observing the program must have changed them. */
const unlike = (side: Side, { reason, outcome }: Verdict): UserError =>
  new UserError(
    `The ${side} input does not ${side === 'failing' ? 'fail' : 'pass'} when the program is watched: ${reason ?? outcome}.`,
    'The failure depends on timing or on the debugger, so its causes cannot be found this way.',
    1,
  );

/** Stores observations as compressed files: a resumed run reads them instead of observing the program again. */
function keptIn(folder: string): Kept {
  const pathOf = (name: string) => join(folder, `${name}.json.gz`);
  return {
    read<T>(name: string): T | undefined {
      const path = pathOf(name);
      return existsSync(path) ? (JSON.parse(gunzipSync(readFileSync(path)).toString()) as T) : undefined;
    },
    write(name, value) {
      writable(folder, () => {
        makeFolder(folder);
        writeFile(pathOf(name), gzipSync(JSON.stringify(value)));
      });
    },
  };
}
