/** What the parts of a client share while it uses workers. */
import type { KeyObject } from 'node:crypto';
import type { Signer } from './keys.js';
import type { Connection } from './redis.js';

export interface FarmOptions {
  readonly url: string;
  readonly signer: Signer;
  /** The keys of workers whose answers count; without it, of all workers that pass the parity test. */
  readonly trusted?: ReadonlyMap<string, KeyObject>;
  /** Names of variables whose values are sent; `all` sends every one. */
  readonly sendEnv: readonly string[];
  /** Tests that run on this machine at a time. */
  readonly jobs: number;
  readonly version: string;
  /** Seconds without a worker before the user is informed. */
  readonly patience?: number;
  /** At least one in this many answers is tested again. */
  readonly auditEvery?: number;
}

/** What a run passes to the farm. */
export interface Host {
  say(line: string): void;
  readonly signal: AbortSignal;
  /** The length of the journal: what is already in it does not depend on what comes now. */
  position(): number;
}

/** A worker gave wrong answers: what was recorded after `position` may depend on them. */
export class WrongAnswers extends Error {
  override readonly name = 'WrongAnswers';
  constructor(
    readonly worker: string,
    readonly position: number,
  ) {
    super(`${worker} gave wrong answers`);
  }
}

/** The farm as the parts of one client share it. */
export interface Shared {
  readonly options: FarmOptions;
  readonly connection: Connection;
  readonly host: Host;
  /** Keys of workers that gave wrong answers. */
  readonly banned: Set<string>;
  /** The slots of each worker that takes part now, by its key. */
  readonly slots: Map<string, number>;
  /** How many tests run here now. */
  busy: number;
  changed(): void;
  /** Runs something on this machine, counted. */
  here<T>(work: () => Promise<T>): Promise<T>;
  /** Prints a line once. */
  sayOnce(line: string): void;
  /** Remembers the earliest position that depends on a worker with wrong answers. */
  wrong(error: WrongAnswers): void;
}
