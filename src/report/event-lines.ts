/** The stream of `--events`: one JSON object per line, as `schema/events.schema.json` describes it. */
import type { Event } from '../engine/events.js';

/** Increases when a reader of the old stream could misread the new one. New fields and new types of events do not count. */
export const streamVersion = 1;

/** Longer configurations are left out: a line stays short, however large the input. */
const longestConfiguration = 64;

export interface StreamStart {
  readonly job: string;
  readonly run: string;
}

export const startLine = ({ job, run }: StreamStart): string => line({ type: 'run', version: streamVersion, job, run });

export const eventLine = (event: Event): string =>
  line(
    event.type === 'answered' && event.configuration.length > longestConfiguration
      ? { ...event, configuration: [] }
      : event,
  );

/** The last line of a run with a result: what `--json` prints. */
export const resultLine = (result: Readonly<Record<string, unknown>>): string => line({ type: 'result', ...result });

/** The last line of a command without a result. */
export const failureLine = (failure: Readonly<Record<string, unknown>>): string => line({ type: 'error', ...failure });

const line = (value: object): string => JSON.stringify(value);
