/** What the command oracle asks of workers on other machines. It does not know about queues: `remote/` implements this. */
import type { Artifact } from '../../core/artifact.js';
import type { Aside } from './aside.js';
import type { Attempt } from './attempt.js';

/** What a worker must know to run the same command. */
export interface Setup {
  /** The command, with the names of files as they are on this machine. */
  readonly argv: readonly string[];
  readonly differs?: string;
  readonly build?: string;
  /** The names of the inputs: `{}` is the path of the only one, or else the workspace. */
  readonly names: readonly string[];
  /** An artifact has only one of these inputs, and `{}` is its path. */
  readonly oneOf?: boolean;
  /** There is no input, and `{}` is a word like any other. */
  readonly isInputless?: boolean;
  /** The command reads the input as its standard input. */
  readonly stdin?: boolean;
  /** The folder inside a workspace in which the command runs. */
  readonly folder?: string;
  readonly memory?: number;
  readonly processes?: number;
  /** The path of a workspace here: a worker shows its own workspace under this path. */
  readonly workspace: string;
  /** The artifact that each worker is tried on before it takes part; without it, the first artifact that is tested. */
  readonly original?: Artifact;
}

/** One run of the command on one artifact. */
export interface Trial {
  readonly artifact: Artifact;
  /** Seconds. */
  readonly timeout: number;
  /** Build from scratch. */
  readonly anew: boolean;
  readonly aside?: Aside;
}

/** What the oracle does itself. */
export interface LocalRunner {
  /** Runs the trial on this machine. */
  here(trial: Trial, signal: AbortSignal): Promise<Attempt>;
  /** What a worker returned, as it would look if it had run here. */
  read(attempt: Attempt): Attempt;
  /** The verdict as text: attempts that mean the same have the same text. */
  meaning(attempt: Attempt): string;
}

export interface RemoteRunner {
  /** Runs the trial on a worker or here. The caller need not know where, and gets the same verdict. */
  attempt(trial: Trial, own: LocalRunner, signal: AbortSignal): Promise<Attempt>;
  close(): Promise<void>;
}

export interface Farm {
  /** Offers the command to the workers. */
  open(setup: Setup): RemoteRunner;
}
