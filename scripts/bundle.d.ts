/** Types for the tests, which join the modules from the sources. */
export interface Joined {
  readonly from: string;
  readonly entries: readonly string[];
  readonly to: string;
}
export function joinModules(what: Joined): Promise<unknown>;
export function bundle(dist: string, entries: readonly string[]): Promise<void>;
