/** An attempt at the command, and what is known about the first ones. */
import type { Run } from '../process/types.js';
import type { SignatureContext } from '../signature/read.js';
import type { Asked } from './rules.js';

/** One attempt at the command: the run, and for `--differs` the run of the other command. */
export interface Attempt {
  readonly run: Run;
  readonly other?: Run;
  /** The command was not run: this is how the build before it ended. */
  readonly unbuilt?: boolean;
  /** What the command wrote beside the workspace, if that was asked for. */
  readonly written?: string;
}

/** What was run, and its outcome, before anything is reduced. */
export interface FirstRunFacts {
  readonly asked: Asked;
  /** The command as the user can type it, `{}` replaced. */
  readonly command: string;
  /** The command as it was run, with the path of the input in its workspace. */
  readonly ran?: string | undefined;
  /** The folder in which the user can type it. */
  readonly where: string;
  /** The words of the command as they were given, to see what may be wrong with them. */
  readonly argv: readonly string[];
  /** The names of the artifact in the working directory. */
  readonly names: readonly string[];
  /** The command reads the input as its standard input. */
  readonly stdin?: boolean;
  readonly original: Attempt;
  /** The same again: is the failure stable? */
  readonly again?: Attempt;
  /** The empty input: does the failure need one? */
  readonly empty?: Attempt;
  /** Seconds, as given by the user. */
  readonly timeout?: number;
  /** Continue although the empty input fails too. */
  readonly force?: boolean;
  /** What was run, if it is not an input: `the new version (v1.3)`. The command then runs inside it. */
  readonly called?: string;
  /** Where it was run, if neither an input nor a version varies: `in the environment of ci.env`. */
  readonly setting?: Setting;
  /** Options that this job does not have, so no message may suggest them. */
  readonly lacks?: readonly string[];
  readonly context: SignatureContext;
}

/** Where a command runs, if its input does not vary. */
export interface Setting {
  /** `in the environment of ci.env`, `as given`. */
  readonly phrase: string;
  /** Typing the command is not enough to be in it. */
  readonly elsewhere?: boolean;
  /** What may be wrong with it. */
  readonly advice?: string;
}
