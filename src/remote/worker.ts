/** `culprit worker`: takes part in every run of a client that it trusts, until it is stopped. */

import type { KeyObject } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { UserError } from '../core/index.js';
import { counted } from '../core/phrases.js';
import { sweepAbandoned } from '../oracle/command/workspace.js';
import { demandSandbox } from '../oracle/process/sandbox.js';
import { type Assignment, startAssignment, type Tally, type WorkerContext } from './assignment.js';
import { newSigner, type Signer } from './keys.js';
import { hashOf, read } from './messages.js';
import { serveMetrics } from './metrics.js';
import { isMissing } from './programs.js';
import { connect, names } from './redis.js';
import { openSlots } from './slots.js';

export interface WorkerOptions {
  readonly url: string;
  readonly jobs: number;
  /** The keys of clients whose commands are run. */
  readonly trusted: ReadonlyMap<string, KeyObject>;
  /** Programs that may be started; `any` allows all. */
  readonly allowed: readonly string[];
  readonly sandbox: boolean;
  readonly version: string;
  /** The worker's own key; without it, a new one for this process. */
  readonly signer?: Signer;
  readonly name?: string;
  /** The port for Prometheus. */
  readonly metrics?: number;
  log(line: string): void;
}

/** Bytes of blobs that are kept in memory. */
const mostBytes = 64 * 1024 * 1024;
const interval = 1_000;

/** Works until the signal aborts. Then no process and no folder is left. */
export async function work(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { trusted, allowed, sandbox, jobs, version, log } = options;
  if (allowed.length === 0)
    throw new UserError(
      'This worker may not run any program.',
      'Name the programs that runs may start: --allow gcc --allow node. Shell lines start sh.',
    );
  if (trusted.size === 0)
    throw new UserError(
      'This worker trusts nobody.',
      'Give the public key of a client: --trust client.pub. To make keys: culprit worker --keygen client',
    );
  if (sandbox) demandWorkerSandbox();
  sweepAbandoned();
  const connection = await connect(options.url);
  const { redis } = connection;
  const tally: Tally = { tests: 0, seconds: 0, cancelled: 0, refused: 0, forged: 0 };
  const slots = openSlots(jobs);
  const assignments = new Map<string, Assignment>();
  const id = randomBytes(8).toString('hex');
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const employment: WorkerContext = {
    connection,
    signer: options.signer ?? newSigner(),
    id,
    name,
    version,
    allowed,
    sandbox,
    slots,
    tally,
    blobs: blobsFrom(hash => redis.getBuffer(names.blob(hash))),
    log,
  };
  const strangers = new Set<string>();
  const announced = (text: string): void => {
    const run = read.announcement(text);
    if (!run || signal.aborted) return;
    const key = trusted.get(run.key);
    if (!key) {
      if (strangers.has(run.key)) return;
      strangers.add(run.key);
      tally.refused++;
      log(`a run is ignored: its key ${run.key} is not trusted (--trust)`);
      return;
    }
    const assignment = assignments.get(run.run);
    if (assignment) assignment.announced();
    else assignments.set(run.run, startAssignment(employment, run.run, key));
  };
  const subscriber = connection.another();
  subscriber.on('message', (_channel: string, text: string) => announced(text));
  await subscriber.subscribe(names.runs);
  const metrics =
    options.metrics === undefined ? undefined : await serveMetrics(options.metrics, { tally, slots, assignments });
  const look = () => {
    for (const [run, assignment] of assignments)
      if (assignment.isOver) {
        assignments.delete(run);
        void assignment.close();
      }
    const status = { name, slots: slots.count, busy: slots.busy, runs: assignments.size, version, ...tally };
    if (redis.status === 'ready') void redis.set(names.worker(id), JSON.stringify(status), 'EX', 5).catch(() => {});
  };
  const timer = setInterval(look, interval);
  for (const word of allowed)
    if (isMissing(word)) log(`--allow ${word}: there is no such program on this machine, so no run can start it`);
  log(
    `${name} waits for work: ${counted(jobs, 'slot')}, may run ${allowed.join(', ')}${sandbox ? '' : ', without a sandbox'}`,
  );
  if (!signal.aborted)
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
  clearInterval(timer);
  await Promise.all([...assignments.values()].map(assignment => assignment.close()));
  if (redis.status === 'ready') await redis.del(names.worker(id)).catch(() => {});
  await metrics?.close();
  await connection.close();
}

function demandWorkerSandbox(): void {
  try {
    demandSandbox();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      error.message.replace('--sandbox needs', "A worker's sandbox needs"),
      error.advice.replace(
        'run without --sandbox',
        'start the worker with --no-sandbox if it is a container of its own',
      ),
    );
  }
}

/** Blobs by hash, the newest of them in memory. Bytes that do not match the hash are damaged, and count as missing. */
function blobsFrom(fetch: (hash: string) => Promise<Buffer | null>): WorkerContext['blobs'] {
  const held = new Map<string, Uint8Array>();
  let bytes = 0;
  return async hash => {
    const known = held.get(hash);
    if (known) return known;
    const found = await fetch(hash);
    if (!found || hashOf(found) !== hash) return undefined;
    held.set(hash, found);
    bytes += found.length;
    for (const [old, { length }] of held) {
      if (bytes <= mostBytes || held.size <= 1) break;
      held.delete(old);
      bytes -= length;
    }
    return found;
  };
}
