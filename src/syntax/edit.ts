/** What an edit of a text is: replacements that only make sense together. */

/** Replace base[start, end) by `text`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One reduction of a text: one or more replacements that only make sense together. They do not overlap each other. */
export interface Edit {
  readonly spans: readonly Span[];
  /** In words, for people: `hoist call_expression`. */
  readonly label?: string;
}

/** By how much it makes the text shorter. */
export const gainOf = (edit: Edit): number =>
  edit.spans.reduce((sum, span) => sum + span.end - span.start - span.text.length, 0);

/** A blank may replace what is deleted, so that its neighbours do not merge into one word. */
export const isDeletion = (span: Span): boolean => span.text === '' || span.text === ' ';
