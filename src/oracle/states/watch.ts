/** Runs a command so that it can be watched: which statements run, in which order, what is in memory, and what if that were different. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { State } from '../../circumstances/states/graph.js';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import type { Attempt } from '../command/attempt.js';
import type { CommandOracle } from '../command/command.js';
import type { Debuggee } from './debuggee.js';
import type { Ran, Reply, Request } from './protocol.js';

export interface Watched {
  readonly attempt: Attempt;
  readonly reply: Reply;
}

export interface Watch {
  readonly debuggee: Debuggee;
  (artifact: Artifact, request: Request, timeout: number, signal: AbortSignal): Promise<Watched>;
}

/** The folder for the requests and replies of a run, next to what the command itself puts into its temporary folder. */
const folderName = '.culprit-states';

/** With an `epoch`, asynchronous events run in a fixed order and the clock starts then. */
export function watchWith(oracle: CommandOracle, debuggee: Debuggee, epoch?: number): Watch {
  const watch = async (
    artifact: Artifact,
    request: Request,
    timeout: number,
    signal: AbortSignal,
  ): Promise<Watched> => {
    const args = debuggee.command ? { args: debuggee.command(oracle.argv) } : {};
    const { attempt, seen } = await oracle.observe<Reply>({ ...artifact, ...args }, timeout, signal, {
      placed: () => {},
      built(root, tmp) {
        const folder = join(tmp, folderName);
        mkdirSync(folder);
        writeFileSync(join(folder, 'request.json'), JSON.stringify(inWorkspace(request, root)));
        return epoch !== undefined && debuggee.inOrder
          ? debuggee.inOrder(folder, { root, epoch })
          : debuggee.environment(folder);
      },
      ran: (root, tmp) => readReply(join(tmp, folderName), root),
    });
    if (!seen) throw new UserError('The command could not be built, so it could not be watched.', '', 1);
    return { attempt, reply: seen };
  };
  return Object.assign(watch, { debuggee });
}

/** A source file of the input is in a different folder in each run, so it is identified by its path in there. */
const inWorkspace = (request: Request, root: string): Request =>
  request.kind === 'look'
    ? request
    : {
        ...request,
        locations: request.locations.map(location => ({
          ...location,
          path: isAbsolute(location.path) ? location.path : join(root, location.path),
        })),
      };

function readReply(folder: string, root: string): Reply {
  const outside = (path: string) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  /** Ignores a file that a process was still writing when it was stopped. */
  const read = <T>(name: string): T | undefined => {
    try {
      return JSON.parse(readFileSync(join(folder, name), 'utf8'));
    } catch {
      return undefined;
    }
  };
  const numbered = <T>(what: string, take: (from: T) => T) =>
    new Map(
      names.flatMap(name => {
        const number = new RegExp(`^${what}-(\\d+)\\.json$`).exec(name)?.[1];
        const found = number === undefined ? undefined : read<T>(name);
        return found === undefined ? [] : [[Number(number), take(found)] as const];
      }),
    );
  const trace = names.includes('trace.bin') ? readFileSync(join(folder, 'trace.bin')) : Buffer.alloc(0);
  return {
    looks: numbered<readonly Ran[]>('look', all => all.map(ran => ({ ...ran, path: outside(ran.path) }))),
    trace: new Int32Array(trace.buffer.slice(trace.byteOffset, trace.byteOffset + (trace.length & ~7))),
    states: numbered<State>('state', state => ({
      ...state,
      frames: state.frames.map(frame => ({ ...frame, path: outside(frame.path) })),
    })),
    applied: names.includes('applied.json'),
    ...(names.includes('trouble.json') ? { trouble: read<string>('trouble.json') ?? 'the debugger was stopped' } : {}),
  };
}
