/** The world of `culprit states`: runs of the command that are watched, judged by the rule in force, and kept in the run's folder. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Artifact } from '../../circumstances/artifact.js';
import { UserError, type Verdict } from '../../core/index.js';
import { againAlone, repeated } from '../../oracle/alone.js';
import type { CommandOracle } from '../../oracle/command.js';
import type { FirstRun } from '../../oracle/first-run.js';
import type { Request } from '../../oracle/states/protocol.js';
import type { Watch } from '../../oracle/states/watch.js';
import type { Kept, Side, World } from '../../plans/states/index.js';
import type { JobContext } from '../job.js';
import { makeFolder, writable, writeFile } from '../writing.js';

export interface Watching {
  readonly oracle: CommandOracle;
  readonly watch: Watch;
  readonly first: FirstRun;
  readonly pair: { readonly passing: Artifact; readonly failing: Artifact };
  readonly repeat?: number;
  /** Counts the runs in which the program was only watched. */
  readonly watched: () => void;
}

/** A trace makes a program much slower. */
const muchSlower = 60;
/** A test may take so many times what it takes to start the program with a debugger; impossible states often never end. */
const slower = 5;
const shortest = 3;

export function worldOf(context: JobContext, { oracle, watch, first, pair, repeat, watched }: Watching): World {
  const { signal } = context;
  const kept = keptIn(join(context.folder.path, 'states'));
  const observe = async (side: Side, request: Request) => {
    watched();
    const limit = Math.max(60, first.timeout * muchSlower);
    const { attempt, reply } = await watch(pair[side], request, limit, signal);
    if (request.kind === 'look' && side === 'passing') kept.write('seconds', attempt.run.seconds);
    const verdict = oracle.verdict(first.rule, attempt);
    if (verdict.outcome !== (side === 'failing' ? 'fail' : 'pass'))
      throw await unlike(side, verdict, oracle, first, pair, signal);
    if (reply.trouble !== undefined)
      throw new UserError(`The program can't be watched: ${reply.trouble}.`, watch.debuggee.limits, 1);
    return reply;
  };
  const once = async ({ request }: { readonly request: Request }, stop: AbortSignal): Promise<Verdict> => {
    const limit = Math.max(shortest, (kept.read<number>('seconds') ?? first.timeout) * slower);
    const { attempt, reply } = await watch(pair.passing, request, limit, stop);
    if (!reply.applied && !attempt.run.timedOut)
      return { outcome: 'unresolved', reason: reply.trouble ?? 'the place was not reached' };
    return oracle.verdict(first.rule, attempt);
  };
  return {
    look: async side => (await observe(side, { kind: 'look' })).looks,
    trace: async (side, request) => (await observe(side, request)).trace,
    capture: async (side, request) => (await observe(side, request)).states,
    test: repeated(
      againAlone(once, ({ reason }) => reason === 'timeout'),
      repeat ?? 1,
    ),
    kept,
  };
}

/** An input that does not do, when watched, what it is there for; a plain run tells whether watching is to blame. */
async function unlike(
  side: Side,
  watched: Verdict,
  oracle: CommandOracle,
  first: FirstRun,
  pair: Watching['pair'],
  signal: AbortSignal,
): Promise<UserError> {
  const plain = await oracle.test(first.rule, first.timeout)(pair[side], signal);
  const wanted = side === 'failing' ? 'fail' : 'pass';
  if (plain.outcome === wanted)
    return new UserError(
      `The ${side} input does not ${wanted} when the program is watched: ${watched.reason ?? watched.outcome}.`,
      'The failure depends on timing or on the debugger, so its causes cannot be found this way.',
      1,
    );
  if (plain.outcome === 'fail')
    return new UserError(
      'Both inputs fail in the same way, so their runs do not differ in outcome.',
      'Give an input on which the command succeeds with --passing.',
      1,
    );
  return new UserError(
    `The ${side} input does not ${wanted}: ${plain.reason ?? plain.outcome}.`,
    'Check the two inputs and what counts as the failure.',
    1,
  );
}

/** Observations as compressed files: a resumed run reads them instead of watching the program again. */
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
