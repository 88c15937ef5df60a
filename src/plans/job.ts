/** A job is a value that describes what is special about it; `runJob` owns everything that all jobs share. */
import type { Artifact } from '../core/artifact.js';
import type { Test, UserError } from '../core/index.js';
import type { Ended, Event, ExploreOptions, Memory, Size } from '../engine/index.js';
import type { Farm } from '../oracle/command/remote-runner.js';
import type { ReportData } from '../report/page/data.js';
import type { Output } from '../run/output.js';
import type { RunFolder } from '../run/run-folder.js';
import type { Confirming } from './confirm.js';
import type { Proof } from './proof.js';

/** Options that every job has. */
export interface JobOptions {
  readonly jobs?: number;
  readonly timeout?: number;
  readonly memory?: number;
  readonly processes?: number;
  readonly maxTests?: number;
  readonly maxTime?: number;
  readonly output?: string;
  readonly force?: boolean;
  readonly run?: string;
  readonly json?: boolean;
  readonly events?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly repeat?: number;
  /** Whether the failure shows only sometimes, or how often it does. */
  readonly flaky?: 'auto' | 'off' | number;
  /** How sure each verdict must be if it does. */
  readonly confidence?: number;
  readonly sandbox?: boolean;
  readonly strategy?: string;
  readonly cache?: boolean;
  /** The Redis over which workers on other machines run tests. */
  readonly workers?: string | false;
  readonly key?: string;
  readonly trustWorkers?: readonly string[];
  readonly sendEnv?: readonly string[];
}

/** A parsed command line. It is stored in the run's header, so that `resume` starts the same job without parsing arguments again. */
export interface Request<Options extends JobOptions = JobOptions> {
  readonly job: string;
  /** What comes before `--`: paths, versions, a recording. */
  readonly inputs: readonly string[];
  /** What comes after it. */
  readonly command: readonly string[];
  readonly options: Options;
}

/** What a job may use while it runs. */
export interface Context {
  readonly folder: RunFolder;
  readonly options: JobOptions;
  readonly signal: AbortSignal;
  /** How many tests run at a time on this machine. */
  readonly workers: number;
  /** Workers on other machines, if any. */
  readonly farm?: Farm;
  /** A line for people; --quiet drops it. */
  say(line: string): void;
  /** Passes an event to the journal, the terminal and the page. */
  see(event: Event): void;
}

/** `Tested` is what a test receives; `Best` is what the job makes smaller: usually the same, but a pair for `isolate`. */
export interface Job<Tested, Best = Tested, End extends Found<Best> = Found<Best>> {
  readonly name: string;
  /** Names the run's folder: `.culprit/<runName>-<n>`. */
  readonly runName: string;
  /** Where the results go. */
  readonly outputs?: readonly (Output | undefined)[];
  /** Starts what the tests need, in the run's folder. */
  open(context: Context): Promise<Opened<Tested, Best, End>>;
}

export interface Opened<Tested, Best = Tested, End extends Found<Best> = Found<Best>> {
  /** Runs the original and decides what counts as the failure; a resumed run reads it from the journal. */
  firstRun(): Promise<Expected<Tested, Best>>;
  search(search: Search<Tested, Best>): AsyncGenerator<Event, End>;
  /** The end with an older result, if the last one turned out to fail too rarely. Nothing is claimed about it. */
  goBack?(end: End, best: Best): End;
  /** Writes a smaller result to disk. Not called while a run is replayed: earlier results are already on disk. */
  keep(best: Best): void;
  /** The page while the search runs. */
  page(best: Best): Page;
  /** The candidate that is being tested, for people who want to look at it. */
  look?(): string | undefined;
  present(end: End): Presentation | Promise<Presentation>;
  close(): Promise<void>;
}

/** The failure that counts, and the test that looks for it. */
export interface Expected<Tested, Best = Tested> {
  readonly original: Best;
  readonly before: Size;
  /** Progress is shown in deltas only, because bytes mean nothing here. */
  readonly countsDeltas?: boolean;
  readonly rule: string;
  readonly signature?: string;
  readonly command?: string;
  readonly test: Test<Tested>;
  /** For tests that do not always give the same answer. */
  readonly probe?: Probe<Tested, Best>;
  /** The files to keep of an artifact that fails in a different way. */
  readonly kept?: (artifact: Tested) => Artifact;
}

export interface Called {
  readonly original: string;
  readonly empty: string;
}

/** What a job must provide so that flaky tests can be made reliable. */
export interface Probe<Tested, Best> {
  readonly original: Tested;
  /** What should not fail: the empty input, or the passing side. */
  readonly empty?: Tested;
  /** What the two are, in words. */
  readonly called?: Called;
  readonly identify: (artifact: Tested) => string;
  /** The part of a result that is tested. Without it, results are not measured. */
  readonly testedOf?: (best: Best) => Tested;
  /** Seconds that the first run took. */
  readonly seconds: number;
  /** The first runs did not agree. */
  readonly suspect: boolean;
  /** There was only one first run: the search checks on its way whether the failure is stable. */
  readonly isUnchecked?: boolean;
  /** How its runs are made, if not as in the search: with `--build`, from scratch. */
  readonly test?: Test<Tested>;
}

/** What the first run knows; the job adds how artifacts are distinguished. */
export type Look<Tested> = Omit<Probe<Tested, unknown>, 'identify' | 'testedOf'>;

/** What the driver passes to a search. */
export interface Search<Tested, Best = Tested> {
  readonly test: Test<Tested>;
  readonly settings: ExploreOptions<Tested> & Confirming;
  /** Makes another test of the same artifacts as reliable as `test`. `kind`: how it differs. */
  steady(test: Test<Tested>, kind: string): Test<Tested>;
  /** Single runs of the test, if the failure shows only sometimes: for a search that makes its own decisions. */
  readonly flaky?: SingleRuns<Tested>;
  /** Called with each smaller result. */
  keep(best: Best): void;
}

export interface SingleRuns<Tested> {
  readonly test: Test<Tested>;
  /** Where single runs are stored. */
  readonly memory: Memory;
  /** How often the failure shows if it is there, and if it is not. */
  readonly present: number;
  readonly absent: number;
  readonly confidence: number;
}

/** How a search ended. */
export interface Found<Best> {
  readonly ended: Ended;
  /** What was proven: the circumstances in which no single delta can be removed. */
  readonly minimal: readonly string[];
  readonly best: Best;
  readonly after: Size;
  /** The same as data, so that `verify` can check it: the sets, and their neighbours. */
  // biome-ignore lint/suspicious/noExplicitAny: only the job that made them knows what is tested.
  readonly proofs?: readonly Proof<any>[];
  /** The end in a sentence, if the result is not something smaller. */
  readonly sentence?: string;
}

export type Page = Partial<ReportData> & { readonly title: string };

/** A result for people and for programs. */
export interface Presentation {
  readonly output?: string;
  /** Where the smallest form of the result is, if the output is laid out for reading. */
  readonly smallest?: string;
  /** The command that reproduces the failure. */
  readonly reproduce?: string;
  /** What is printed at the end. */
  readonly result?: string;
  /** The result is a text about what was found, and not the thing itself: it is printed even if it is long. */
  readonly inWords?: boolean;
  /** What `--json` has beyond the fields of every job. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The page; by default, the page of the search. */
  readonly page?: Page;
  /** What the user must know although there is a result: it is printed last, and decides the exit code. */
  readonly problem?: UserError;
}

/** Makes a job from a request. Problems with the request are reported before anything is run. */
export type JobMaker = (request: Request, resumed?: RunFolder) => Promise<AnyJob>;

// biome-ignore lint/suspicious/noExplicitAny: the driver treats all artifacts the same and inspects none.
export type AnyJob = Job<any, any, any>;
