/** The reports of agents that note steps: the lines that ran, the lines that can have a step, and the functions. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Coverage, type CoverageName, isBlank } from '../coverage.js';
import { idleLines, pathsIn, type Unexecuted, type WatchedRun } from './runtime.js';

/** What the processes of a run say about one file. */
export interface ReportedLines {
  readonly ran: Set<number>;
  /** Lines that can have a step. */
  readonly listed: Set<number>;
  /** Functions, from line to line. */
  readonly scopes: Map<string, Scope>;
}

interface Scope {
  readonly first: number;
  readonly last: number;
}

/** Copies an agent into the folder of a run: its own path may have blanks in it, which RUBYOPT and PERL5OPT cannot have. */
export function placeAgent(folder: string, name: string, agent: URL): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  copyFileSync(fileURLToPath(agent), join(folder, name));
}

/** By path. Each process writes a file `<name>-….txt`. */
function readReported(name: CoverageName, run: WatchedRun): ReadonlyMap<string, ReportedLines> {
  const pathOf = pathsIn(run);
  const found = new Map<string, ReportedLines>();
  for (const file of readdirSync(run.folder).sort()) {
    if (!file.startsWith(`${name}-`) || !file.endsWith('.txt')) continue;
    let lines: ReportedLines | undefined;
    for (const line of readFileSync(join(run.folder, file), 'utf8').split('\n')) {
      const [word, rest = ''] = /^(\w+) (.*)$/.exec(line)?.slice(1) ?? [];
      const numbers = rest.split(' ').map(Number);
      if (word === 'file') {
        const path = pathOf(rest);
        lines = path !== undefined && run.files.has(path) ? (found.get(path) ?? noLines()) : undefined;
        if (lines) found.set(path!, lines);
      } else if (word === 'ran') for (const each of numbers) lines?.ran.add(each);
      else if (word === 'listed') for (const each of numbers) lines?.listed.add(each);
      else if (word === 'scope') lines?.scopes.set(rest, { first: numbers[0]!, last: numbers[1]! });
    }
  }
  return found;
}

const noLines = (): ReportedLines => ({ ran: new Set(), listed: new Set(), scopes: new Map() });

export function readLines(name: CoverageName, run: WatchedRun): Coverage {
  const [executed, undecided] = [new Map<string, ReadonlySet<number>>(), new Map<string, ReadonlySet<number>>()];
  for (const [path, reported] of readReported(name, run)) {
    const entry = run.files.get(path);
    const count = entry?.kind === 'file' ? entry.bytes.reduce((n, byte) => n + Number(byte === 10), 1) : 0;
    const judged = judgeLines(reported, count);
    executed.set(path, judged.executed);
    undecided.set(path, judged.undecided);
  }
  const coverage: Coverage = { kinds: [name], executed, undecided };
  return isBlank(coverage) ? { ...coverage, kinds: [] } : coverage;
}

export const readIdle = (name: CoverageName, run: WatchedRun): Unexecuted =>
  idleLines(new Map([...readReported(name, run)].map(([path, { ran }]) => [path, ran])), run.files);

/**
 * What a run says about each line of a file. A line that cannot have a step belongs to the one before or after it in the same
 * function, and it is not known to which: it ran if one of them did, and is undecided otherwise, unless the function was not
 * entered. The first line of a function that was only defined is undecided, too.
 */
export function judgeLines(
  { ran, listed, scopes }: ReportedLines,
  count: number,
): { readonly executed: ReadonlySet<number>; readonly undecided: ReadonlySet<number> } {
  const [executed, undecided] = [new Set<number>(), new Set<number>()];
  const around = innermost([...scopes.values()], count);
  const starts = new Map([...scopes.values()].map(scope => [scope.first, scope]));
  const entered = new Set<Scope | undefined>([undefined]);
  for (const scope of scopes.values())
    if (scope.first === scope.last || [...ran].some(line => line > scope.first && line <= scope.last))
      entered.add(scope);
  /** For each function: whether the last step ran, and the lines after one that did not. */
  const last = new Map<Scope | undefined, boolean>();
  const waiting = new Map<Scope | undefined, number[]>();
  for (let line = 1; line <= count; line++) {
    const [scope, started] = [around[line], starts.get(line)];
    const isStep = ran.has(line) || listed.has(line);
    if (started) {
      if (entered.has(started)) executed.add(line);
      else if (ran.has(line) || !isStep) undecided.add(line);
    } else if (isStep) {
      if (ran.has(line)) executed.add(line);
    } else if (last.get(scope)) executed.add(line);
    else if (entered.has(scope)) waiting.set(scope, [...(waiting.get(scope) ?? []), line]);
    if (!isStep) continue;
    for (const each of waiting.get(scope) ?? []) (ran.has(line) ? executed : undecided).add(each);
    waiting.delete(scope);
    last.set(scope, ran.has(line));
  }
  for (const lines of waiting.values()) for (const line of lines) undecided.add(line);
  return { executed, undecided };
}

/** The innermost function around each line; its first line belongs to what is around it. */
function innermost(scopes: readonly Scope[], count: number): readonly (Scope | undefined)[] {
  const around: (Scope | undefined)[] = Array.from({ length: count + 1 }, () => undefined);
  for (const scope of [...scopes].sort((a, b) => a.first - b.first || b.last - a.last))
    for (let line = scope.first + 1; line <= Math.min(scope.last, count); line++) around[line] = scope;
  return around;
}
