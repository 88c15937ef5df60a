/** Which branches and functions a run takes, and which of them only the failing one of two runs takes. */

/** A branch or a function. Lines count from 1. What `column` and the end mean depends on the reader. */
export interface Spot {
  readonly kind: 'branch' | 'function';
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The function that it is in, or is. */
  readonly function?: string;
}

/** How often a branch was taken, and how often the run reached it. */
export interface Taken {
  readonly times: number;
  readonly of: number;
}

/** The branches of one file in one run. */
export interface FileBranches {
  /** The branches that the reader can identify by name. */
  readonly spots: readonly Spot[];
  /** `undefined`: unknown. */
  taken(spot: Spot): Taken | undefined;
}

/** By path. */
export type Branches = ReadonlyMap<string, FileBranches>;

export interface Divergence {
  readonly file: string;
  readonly line: number;
  readonly kind: Spot['kind'];
  readonly function?: string;
}

/** Maps the lines of a file in one run to the same lines in the other run; `undefined` for a line that only one of them has. */
export interface LineMap {
  toFailing(file: string, line: number): number | undefined;
  toPassing(file: string, line: number): number | undefined;
}

/** Both runs execute the same files. */
export const sameLines: LineMap = { toFailing: (_, line) => line, toPassing: (_, line) => line };

interface Ranked extends Divergence {
  /** The share of decisions that the failing run takes this way; the passing run never does. */
  readonly share: number;
  /**
   * How much the two runs differ in how often they reach the decision: until they diverge, they reach everything equally
   * often.
   */
  readonly apart: number;
  readonly of: number;
}

/**
 * What the failing run takes and the passing run does not, the likeliest divergence first: decisions that always go the
 * other way, that both runs reach equally often, that are in the program's own files, and that are made least often.
 * Branches come before functions, because a branch leads to each function. This proves nothing: it suggests where to look.
 */
export function divergences(passing: Branches, failing: Branches, lines: LineMap = sameLines): readonly Divergence[] {
  const found = new Map<string, Ranked>();
  for (const [file, now] of failing) {
    const before = passing.get(file);
    if (!before) continue;
    const moved = (spot: Spot, to: (file: string, line: number) => number | undefined): Spot[] => {
      const [line, endLine] = [to(file, spot.line), to(file, spot.endLine)];
      return line === undefined || endLine === undefined ? [] : [{ ...spot, line, endLine }];
    };
    const pairs = [
      ...before.spots.flatMap(spot => moved(spot, lines.toFailing).map(there => [spot, there] as const)),
      ...now.spots.flatMap(spot => moved(spot, lines.toPassing).map(there => [there, spot] as const)),
    ];
    for (const [was, is] of pairs) {
      const [p, f] = [before.taken(was), now.taken(is)];
      if (!p || !f || p.times > 0 || f.times === 0) continue;
      // What the passing run never reached is a consequence of an earlier divergence.
      if (was.kind === 'branch' && p.of === 0) continue;
      const { kind, line } = is;
      const name = is.function ? { function: is.function } : {};
      const share = f.of === 0 ? 0 : Math.min(1, f.times / f.of);
      const ranked = { file, line, kind, ...name, share, apart: Math.abs(f.of - p.of), of: f.of };
      const key = `${file}:${line}`;
      const known = found.get(key);
      if (!known || compare(ranked, known) < 0) found.set(key, ranked);
    }
  }
  return [...found.values()].sort(compare).map(({ share: _, apart: __, of: ___, ...divergence }) => divergence);
}

const isForeign = (path: string): boolean => /(^|\/)(node_modules|site-packages|dist-packages)\//.test(path);

const compare = (a: Ranked, b: Ranked): number =>
  Number(a.kind === 'function') - Number(b.kind === 'function') ||
  b.share - a.share ||
  a.apart - b.apart ||
  Number(isForeign(a.file)) - Number(isForeign(b.file)) ||
  a.of - b.of ||
  (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
