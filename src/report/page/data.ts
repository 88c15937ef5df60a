/** The data of the page. */
import type { Made } from '../../run/machine.js';
import { type ComparedFile, type Comparison, compare } from '../compare.js';
import { itemsOf } from '../log.js';
import { proof } from '../panel.js';
import {
  measure,
  type Noticed,
  type Pass,
  type ReportState,
  type Row,
  rowsOf,
  secondsOf,
  speedOf,
  unitOf,
} from '../state.js';

/** Deltas that form a tree, each with what is known about it. */
export interface TreeItem {
  readonly label: string;
  readonly status: 'set aside' | 'innocent' | 'culprit';
  readonly detail?: string;
  /** Shown unchanged when the item is opened: a hunk, lines of code. */
  readonly code?: string;
  readonly children?: readonly TreeItem[];
}

export interface Picture {
  readonly caption: string;
  readonly pngBase64: string;
}

export interface Table {
  readonly caption?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows (from 0) that remain in the result: they are highlighted. */
  readonly remaining?: readonly number[];
}

/** An event in an order of events. */
export interface TimelineItem {
  readonly id: string;
  readonly what: string;
  readonly text: string;
  /** Milliseconds since the program began, by the schedule's clock. */
  readonly at: number;
  /** Its place in the order decides. */
  readonly decisive?: true;
}

/** Two orders of the same events: one in which the program passes, one in which it fails. */
export interface Timeline {
  readonly passing: readonly TimelineItem[];
  readonly failing: readonly TimelineItem[];
  /** Events before these, which are the same in both. */
  readonly skipped: number;
}

/** A chain of causes, next to the source that it runs through. */
export interface ChainView {
  readonly rows: readonly {
    readonly place: string;
    readonly variable: string;
    readonly passing: string;
    readonly failing: string;
    readonly tests: number;
  }[];
  /** In words, the most likely defect first. */
  readonly transitions: readonly string[];
  readonly sources: readonly { readonly file: string; readonly lines: readonly SourceLine[] }[];
}

export interface SourceLine {
  readonly number: number;
  readonly text: string;
  readonly causes: readonly string[];
  /** The rank of the transition that it belongs to, from 1. */
  readonly transition?: number;
  readonly onlyFailing?: true;
}

/** A place in a version: `lib/x.js:109–112`, with its lines, `-` and `+`. */
export interface AnswerPlace {
  readonly where: string;
  readonly code: string;
  /** Places of one cause only fail together; each cause is enough by itself. */
  readonly cause?: number;
}

/** A patch that people can copy, and what it does. */
export interface AnswerPatch {
  readonly name: string;
  readonly text: string;
  readonly effect: string;
}

/** The answer of a job that looks for a cause: what to take back, what is to blame, and the patches that prove it. */
export interface Answer {
  /** What is to blame. */
  readonly places: readonly AnswerPlace[];
  /** The smallest revert, if there is such a thing; empty if it is the cause itself. */
  readonly revert?: readonly AnswerPlace[];
  /** In a sentence, if it is too large to be read: then there are no places. */
  readonly cause?: string;
  /** What is there only so that the cause builds or runs. */
  readonly needed?: readonly string[];
  /** Commits, in words. */
  readonly commits?: readonly string[];
  /** The first belongs to the revert, the second to the cause. */
  readonly patches?: readonly AnswerPatch[];
  /** If the search was stopped: the likeliest places so far, with the evidence against them. */
  readonly suspects?: readonly { readonly score: string; readonly where: string; readonly reason: string }[];
}

/** Candidates of the search, each as edits of the artifact that it was made from. */
export interface Candidates {
  readonly texts: readonly string[];
  /** By number, the files of an artifact: for each path, the number of its text. */
  readonly bases: Readonly<Record<number, Readonly<Record<string, number>>>>;
  /** By step. */
  readonly rows: Readonly<Record<number, Candidate>>;
}

/**
 * For each file that changed, what is left of it: two numbers are a range of the old text, a string is new text; null if
 * the file is gone.
 */
export type Candidate = readonly [base: number, changes: Readonly<Record<string, readonly (number | string)[] | null>>];

/** A group of failing inputs, with a row for each of its variants. */
export interface GroupView {
  readonly number: number;
  readonly files: number;
  readonly variants: readonly {
    readonly failure: string;
    readonly stacks: readonly string[];
    readonly count: number;
    /** Files that contain the form verbatim. */
    readonly containing: number;
    /** The first of its files. */
    readonly files: readonly string[];
    readonly form?: string;
    readonly bytes?: number;
    readonly isMinimal: boolean;
    readonly command?: string;
  }[];
}

/** What a page is made of: the fold of the events, and what only the caller knows. A section appears if there is data for it. */
export interface ReportData extends ReportState {
  readonly title: string;
  /** The command that reproduces the failure on the result. */
  readonly reproduce?: string;
  /** The command that resumes a stopped run. */
  readonly resume?: string;
  readonly output?: string;
  readonly run?: string;
  readonly original?: string | Uint8Array;
  readonly result?: string | Uint8Array;
  /** Several files, instead of `original` and `result`. */
  readonly files?: readonly ComparedFile[];
  readonly candidates?: Candidates;
  readonly answer?: Answer;
  readonly made?: Made;
  readonly versions?: Readonly<Record<string, string>>;
  /** The command line of culprit. */
  readonly called?: string;
  /** What the command printed on the original, or the end of it. */
  readonly printed?: string;
  readonly tree?: readonly TreeItem[];
  readonly pictures?: readonly Picture[];
  readonly table?: Table;
  readonly timeline?: Timeline;
  readonly chain?: ChainView;
  readonly groups?: readonly GroupView[];
}

/** What the page's own code (assets/main.js) reads. */
export interface PageData {
  readonly title: string;
  readonly job: string;
  readonly signature?: string;
  readonly rule?: string;
  readonly command?: string;
  readonly reproduce?: string;
  readonly resume?: string;
  readonly output?: string;
  readonly run?: string;
  readonly unit: 'bytes' | 'deltas';
  readonly before: number;
  readonly best: number;
  readonly counts: ReportState['counts'];
  readonly seconds: number;
  readonly speed: number;
  readonly ended?: string;
  readonly proof: string;
  /** The proof says everything: nothing became smaller. */
  readonly hasSentence?: true;
  readonly minimal: readonly string[];
  readonly passes: readonly Pass[];
  readonly series: readonly (readonly [step: number, size: number])[];
  readonly rows: readonly Row[];
  readonly otherFailures: readonly Noticed[];
  readonly notes: readonly Noticed[];
  readonly comparisons: readonly Comparison[];
  readonly candidates?: Candidates;
  readonly answer?: Answer;
  readonly made?: Made;
  readonly versions?: Readonly<Record<string, string>>;
  readonly called?: string;
  readonly printed?: string;
  readonly tree: readonly TreeItem[];
  readonly pictures: readonly Picture[];
  readonly table?: Table;
  readonly timeline?: Timeline;
  readonly chain?: ChainView;
  readonly groups?: readonly GroupView[];
  /** Where updates come from, if the page is served. */
  readonly live?: string;
}

const mostFiles = 200;
/**
 * Above this, the comparison waits for the end of the run: a page that is rewritten every few seconds must not hold up tests.
 */
const mostWhileRunning = { original: 1_000_000, result: 200_000 };

export function pageData(data: ReportData, from = 0): PageData {
  const optional = [
    'signature',
    'rule',
    'command',
    'reproduce',
    'resume',
    'output',
    'run',
    'table',
    'timeline',
    'chain',
    'candidates',
    'answer',
    'made',
    'versions',
    'called',
    'printed',
    'groups',
  ] as const;
  const given = Object.fromEntries(optional.filter(key => data[key] !== undefined).map(key => [key, data[key]]));
  return {
    ...given,
    title: data.title,
    job: data.job,
    unit: unitOf(data),
    before: measure(data, data.before),
    best: measure(data, data.best),
    counts: data.counts,
    seconds: secondsOf(data),
    speed: speedOf(data),
    ...(data.ended && { ended: data.ended.ended }),
    proof: proof(data),
    ...(data.ended?.sentence !== undefined && { hasSentence: true as const }),
    minimal: data.ended?.minimal ?? [],
    passes: data.passes,
    series: itemsOf(data.series).map(({ step, size }) => [step, size] as const),
    rows: rowsOf(data).filter(row => row.step > from),
    otherFailures: data.otherFailures,
    notes: data.notes,
    comparisons: comparisonsOf(data),
    tree: data.tree ?? [],
    pictures: data.pictures ?? [],
  };
}

export function comparisonsOf(data: ReportData): readonly Comparison[] {
  const single =
    data.original === undefined
      ? []
      : [{ original: data.original, ...(data.result !== undefined && { result: data.result }) }];
  const files = data.files ?? single;
  return files.slice(0, mostFiles).map(file => {
    const { original, result, ...rest } = file;
    const small = original.length <= mostWhileRunning.original && (result?.length ?? 0) <= mostWhileRunning.result;
    if (data.ended || result === undefined || small) return compare(file);
    return {
      ...rest,
      originalBytes: original.length,
      resultBytes: result.length,
      note: 'Shown when the run is done.',
    };
  });
}
