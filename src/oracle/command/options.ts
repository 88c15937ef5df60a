/** What a command oracle is opened with. */
import type { Artifact, Entry } from '../../core/artifact.js';
import type { Given } from '../../sources/files.js';
import type { Farm } from './remote-runner.js';

export interface OracleOptions {
  /** The command's words; one word with blanks in it is a shell line. */
  readonly command: readonly string[];
  readonly differs?: string;
  /** The command reads the input, a single file, as its standard input. */
  readonly stdin?: boolean;
  readonly given: readonly Given[];
  /** The inputs are alternatives: an artifact is one of them, and `{}` is its path. */
  readonly oneOf?: boolean;
  /** The unreduced input: its words do not count in a signature. */
  readonly original?: Artifact;
  readonly jobs: number;
  readonly memory?: number;
  readonly processes?: number;
  readonly sandbox?: boolean;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that the workspaces are copies of: words stay as typed, and paths in the output are those of this folder. */
  readonly mirrors?: string;
  /** The job has no input: `{}` is a word like any other, as for `find -exec` and in JavaScript. */
  readonly isInputless?: boolean;
  /** Removes from an output what must not be stored anywhere. */
  readonly cleaned?: (output: Uint8Array) => Uint8Array;
  /** Words that name something in the artifact: they are not resolved in the user's folder. */
  readonly inside?: (word: string) => boolean;
  /** Words that name what the command writes, and the name that each gets in the workspace. */
  readonly outputs?: ReadonlyMap<string, string>;
  /** Files that are in every workspace next to the artifact, restored before each test. */
  readonly beside?: ReadonlyMap<string, Entry>;
  /** Where an input lies in a workspace, by its name, if not at the top. */
  readonly places?: ReadonlyMap<string, string>;
  /** The folder inside a workspace in which the build and the command run, if the artifact has it. */
  readonly folder?: string;
  /** Run in the workspace before the command; what it makes stays there from test to test. */
  readonly build?: string;
  /** How many bytes a workspace will hold, if that may be too much for memory. */
  readonly bytes?: number;
  /** Workers on other machines that may run tests as well. */
  readonly farm?: Farm;
  /** Runtimes may keep compiled code from test to test. A sandbox has no folder that its tests share, and stays cold. */
  readonly warm?: boolean;
}

/** Inspects a workspace with an artifact in it, but without any earlier build. */
export interface Look<T> {
  /** Before the build. */
  placed?(root: string, tmp: string): void;
  /** Additional environment variables of the build. It is then another one than that of the tests, so what it makes is removed afterwards. */
  forBuild?(root: string, tmp: string): Readonly<Record<string, string>>;
  /** Between the build and the command. Returns additional environment variables for the command. */
  built?(root: string, tmp: string): Readonly<Record<string, string>>;
  /** After the command. */
  ran(root: string, tmp: string): T;
}
