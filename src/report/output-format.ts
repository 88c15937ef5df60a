/** What a format is in which a result can be written to a file of its own. */
export interface OutputFormat {
  /** `sarif` is the option `--sarif <file>`. */
  readonly name: string;
  /** What the help says about the option. */
  readonly description: string;
  /** The jobs whose result it can hold. */
  readonly jobs: readonly string[];
  /** Options of these jobs that change the result into one that it can't hold. */
  readonly without: readonly string[];
  /** `json`: the result as `--json` prints it. `version`: of culprit. */
  write(json: Readonly<Record<string, unknown>>, version: string): string;
}
