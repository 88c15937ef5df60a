/** One command to run. */
export interface Invocation {
  readonly argv: readonly string[];
  /** An absolute path. The command sees it as PWD too. */
  readonly cwd: string;
  /** The whole environment. Passing the same object again is cheapest. */
  readonly env: Readonly<Record<string, string>>;
  /** A file to read stdin from; without it, stdin is empty. */
  readonly stdin?: string;
  /** In seconds, without those for which it waits for a busy CPU. */
  readonly timeout: number;
}

/** How a command ended: either `exit` or `signal` is set, never both. */
export interface Run {
  readonly exit?: number;
  /** As a name: `SIGSEGV`. */
  readonly signal?: string;
  readonly timedOut: boolean;
  /** It exceeded a limit: it was killed, or could not start another process. */
  readonly exceeded?: 'memory' | 'processes';
  readonly seconds: number;
  /** Seconds of these for which it waited for a busy CPU, as far as the system says. */
  readonly waited?: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** It wrote more than is kept: the middle is missing. */
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
  /** Folders to remove if this process ends without closing the runner, for instance by kill -9. */
  readonly folders?: readonly string[];
  /** `shell`: persistent shells (Linux). `spawn`: a plain spawn for each command. Without it, the best that works here. */
  readonly way?: 'shell' | 'spawn';
}

export interface Runner {
  /**
   * Runs a command. When the promise settles, none of its processes is left. A slot runs one command at a time. When the
   * signal aborts, the command is killed at once, and the promise rejects with the signal's reason.
   */
  run(invocation: Invocation, slot: number, signal: AbortSignal): Promise<Run>;
  /** Kills everything that runs, and leaves nothing behind. */
  close(): Promise<void>;
}
