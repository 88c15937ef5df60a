/** The client's side of a queue: which workers take part, how many tests can run, and what the user sees. */
import { InfrastructureError, type Room } from '../engine/index.js';
import type { Farm, RemoteRunner, Setup } from '../oracle/command/remote-runner.js';
import { openOffer } from './offer.js';
import { type Connection, connect } from './redis.js';
import type { FarmOptions, Host, Shared, WrongAnswers } from './shared.js';

/** Runs tests on this machine and on the workers, as long as it is open. */
export class RedisFarm implements Farm, Room {
  readonly #options: FarmOptions;
  readonly #connection: Connection;
  readonly #listeners = new Set<() => void>();
  readonly #open = new Set<{ audited(): Promise<void>; close(): Promise<void> }>();
  readonly #said = new Set<string>();
  readonly #shared: Shared;
  #host: Host = { say: () => {}, signal: new AbortController().signal, position: () => 0 };
  #wrong: WrongAnswers | undefined;
  #caught: (error: WrongAnswers) => void = () => {};
  #lonely: NodeJS.Timeout | undefined;

  static async connect(options: FarmOptions): Promise<RedisFarm> {
    return new RedisFarm(options, await connect(options.url));
  }

  private constructor(options: FarmOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
    const farm = this;
    this.#shared = {
      options,
      connection,
      get host() {
        return farm.#host;
      },
      banned: new Set(),
      slots: new Map(),
      busy: 0,
      changed: () => {
        for (const changed of this.#listeners) changed();
        this.#watchLoneliness();
      },
      here: async work => {
        this.#shared.busy++;
        try {
          return await work();
        } finally {
          this.#shared.busy--;
        }
      },
      sayOnce: line => {
        if (this.#said.has(line)) return;
        this.#said.add(line);
        this.#host.say(line);
      },
      wrong: error => {
        if (!this.#wrong || error.position < this.#wrong.position) this.#wrong = error;
        this.#caught(this.#wrong);
      },
    };
  }

  /** Each process of a run has its own journal and terminal; workers that gave wrong answers stay excluded. */
  host(host: Host, caught: (error: WrongAnswers) => void): void {
    this.#host = host;
    this.#caught = caught;
    this.#wrong = undefined;
  }

  capacity(): number {
    return Math.max(1, this.#options.jobs + this.#remote());
  }

  onCapacityChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  open(setup: Setup): RemoteRunner {
    const opened = openOffer(this.#shared, setup);
    this.#open.add(opened);
    this.#watchLoneliness();
    return {
      attempt: (trial, own, signal) => {
        if (this.#wrong) throw new InfrastructureError(this.#wrong.message);
        return opened.attempt(trial, own, signal);
      },
      close: async () => {
        this.#open.delete(opened);
        await opened.close();
        if (this.#open.size === 0) clearTimeout(this.#lonely);
      },
    };
  }

  /** Waits until every answer that needs a retest has had one. Throws `WrongAnswers`. */
  async settled(): Promise<void> {
    for (const opened of this.#open) await opened.audited();
    if (this.#wrong) throw this.#wrong;
  }

  async close(): Promise<void> {
    clearTimeout(this.#lonely);
    for (const opened of this.#open) await opened.close();
    await this.#connection.close();
  }

  /** A quarter more than there are slots, so that the next order is ready when a test ends. */
  #remote(): number {
    let slots = 0;
    for (const each of this.#shared.slots.values()) slots += each;
    return Math.floor(slots * 1.25);
  }

  #watchLoneliness(): void {
    clearTimeout(this.#lonely);
    if (this.#shared.slots.size > 0 || this.#open.size === 0) return;
    const { jobs, patience = 60 } = this.#options;
    this.#lonely = setTimeout(() => {
      const time = patience === 60 ? 'a minute' : `${patience} s`;
      this.#host.say(
        jobs > 0
          ? `No worker for ${time}: tests run on this machine only (-j ${jobs}).`
          : `No worker for ${time}, and -j 0 runs no tests here: waiting. Start a worker, or press Ctrl-C and resume with -j 1.`,
      );
    }, patience * 1000).unref();
  }
}
