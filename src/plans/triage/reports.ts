/** Which bug reports contain a known minimal form: a simplified test case finds its duplicates (Hildebrandt and Zeller 2000, §1). */
import type { BugReport } from '../../sources/bug-reports.js';
import type { Group } from './model.js';

/** A form with fewer characters than this, not counting whitespace, occurs everywhere. */
export const shortestForm = 6;

export interface ReportMatch {
  readonly path: string;
  readonly title: string;
  /** Numbers of the groups whose form the report contains, from 1. */
  readonly groups: readonly number[];
}

/** Whitespace is ignored: a report is often indented differently than a file. */
const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

export function matchReports(reports: readonly BugReport[], groups: readonly Group[]): readonly ReportMatch[] {
  const forms = groups.map(formsOf);
  return reports.map(({ path, title, code }) => {
    const blocks = code.map(withoutBlanks);
    const found = forms.flatMap((own, i) =>
      own.some(form => blocks.some(each => each.includes(form))) ? [i + 1] : [],
    );
    return { path, title, groups: found };
  });
}

/** How many groups have a form that is too short to search for. */
export const countTooShort = (groups: readonly Group[]): number =>
  groups.filter(group => formsOf(group).length === 0).length;

const formsOf = ({ variants }: Group): readonly string[] =>
  variants.flatMap(({ reduction }) => {
    if (!reduction) return [];
    const all = [reduction.form, ...(reduction.others ?? []).map(({ form }) => form)];
    return all
      .map(form => withoutBlanks(Buffer.from(form).toString('utf8')))
      .filter(({ length }) => length >= shortestForm);
  });
