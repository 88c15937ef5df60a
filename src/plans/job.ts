/** What all jobs share: their options, the context they run in, and what they hand over at the end. */
import type { UserError } from '../core/index.js';
import type { Ended, Event } from '../engine/index.js';
import type { ReportData } from '../report/page/data.js';
import type { Ending } from '../report/panel.js';
import type { Terminal } from '../report/terminal.js';
import type { RunFolder } from '../run/run-folder.js';

/** Options that every job has. */
export interface CommonOptions {
  readonly jobs?: number;
  readonly timeout?: number;
  readonly memory?: number;
  readonly maxTests?: number;
  readonly maxTime?: number;
  readonly output?: string;
  readonly run?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly repeat?: number;
  readonly sandbox?: boolean;
  readonly strategy?: string;
  readonly cache?: boolean;
}

export type Page = Partial<ReportData> & { readonly title: string };

/** What a job hands over when it is over; the shell around it says it to people and programs. */
export interface JobResult {
  readonly ended: Ended;
  readonly ending: Ending;
  /** The line of `--json`, without what every job has. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly page: Page;
  /** Something that the user must know though there is a result: it is said last, and decides the exit code. */
  readonly problem?: UserError;
}

/** What a job may use while it runs. */
export interface JobContext {
  readonly folder: RunFolder;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly options: CommonOptions;
  /** Seconds are up. */
  readonly outOfTime: () => boolean;
  /** Passes events on to the journal, the terminal and the page, and returns what the search came to. */
  follow<Result>(run: AsyncGenerator<Event, Result>): Promise<Result>;
  see(event: Event): void;
  /** Seconds of the whole run, over all of its legs. */
  readonly seconds: () => number;
  /** What the page shows beside the events while the run goes; asked for each time that it is written. */
  showing(page: () => Page): void;
}
