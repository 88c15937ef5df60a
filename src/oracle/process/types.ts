/** One command to run. */
export interface Invocation {
  readonly argv: readonly string[];
  /** An absolute path. The command sees it as PWD too. */
  readonly cwd: string;
  /** The whole environment. Cheapest when the same object is passed again. */
  readonly env: Readonly<Record<string, string>>;
  /** A file to read from; nothing to read when left out. */
  readonly stdin?: string;
  /** In seconds, without those for which it waits for a busy CPU. */
  readonly timeout: number;
}

/** How a command ended: exactly one of `exit` and `signal` is there. */
export interface Run {
  readonly exit?: number;
  /** With its name: `SIGSEGV`. */
  readonly signal?: string;
  readonly timedOut: boolean;
  /** It used more than a test may, and was killed or could not start another process. */
  readonly exceeded?: 'memory' | 'processes';
  readonly seconds: number;
  /** Seconds of these for which it waited for a busy CPU, as far as the system says. */
  readonly waited?: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** More was written than is kept: the middle is missing. */
  readonly truncated: boolean;
}

export interface Limits {
  /** Memory that one process may allocate, in MB. */
  readonly memory?: number;
  /** Memory that all processes of a test may use together, in MB (default: half of the machine's). */
  readonly total?: number;
  /** How many processes a test may have at a time (default: 4096). */
  readonly processes?: number;
  /** Bytes kept of stdout, and of stderr: the first half and the last half. */
  readonly output: number;
  /** No file grows beyond this many bytes, stdout and stderr included: the writer gets SIGXFSZ. */
  readonly fileSize: number;
}

export interface Sandbox {
  /** The folders that a slot's commands may write to. Everything else is read-only; /tmp is private; no network. */
  writable(slot: number): readonly string[];
}

export interface RunnerOptions {
  /** How many commands may run at the same time; slots are numbered from 0. */
  readonly slots: number;
  readonly limits: Limits;
  readonly sandbox?: Sandbox;
  /** Folders that are removed when this process ends without having closed the runner, by kill -9 for instance. */
  readonly folders?: readonly string[];
  /** `shell`: persistent shells (Linux). `spawn`: a plain spawn for each command. Left out: the best that works here. */
  readonly way?: 'shell' | 'spawn';
}

export interface Runner {
  /**
   * Runs a command; no process of it is left when the promise settles. One command at a time in a slot.
   * When the signal aborts, the command is killed at once and the promise rejects with the signal's reason.
   */
  run(invocation: Invocation, slot: number, signal: AbortSignal): Promise<Run>;
  /** Kills whatever runs, and leaves nothing behind. */
  close(): Promise<void>;
}
