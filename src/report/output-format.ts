/** What an output format is: a form in which a result can be written to a separate file. */
export interface OutputFormat {
  /** `sarif` is the option `--sarif <file>`. */
  readonly name: string;
  /** The help text of the option. */
  readonly description: string;
  /** The jobs whose results it can express. */
  readonly jobs: readonly string[];
  /** Options of these jobs whose results it can't express. */
  readonly without: readonly string[];
  /** `json`: the result as `--json` prints it. `version`: culprit's. */
  write(json: Readonly<Record<string, unknown>>, version: string): string;
}
