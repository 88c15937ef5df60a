/** What was found, for people: a chain of causes from the input to the failure, and the transitions between them. */
import { greatestOf, leastOf } from '../../core/lists.js';
import type { Location } from '../../oracle/states/protocol.js';
import { type Cause, type Finding, type Gap, gapsOf, isCause, type Searching, sameValues } from './bisect.js';
import type { Place } from './places.js';

/** From here on, this variable carries the failure. */
export interface Row {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
  readonly variable: string;
  readonly passing: string;
  readonly failing: string;
  readonly tests: number;
  /** Its number among the places. */
  readonly place: number;
}

export interface Range {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Lines in which one cause turns into another. */
export interface Transition extends Range {
  readonly cause: string;
  readonly effect: string;
  /** Lines that the failing run executes between the two places, in the file above. */
  readonly lines: readonly number[];
  /** Those of them that the passing run never reaches. */
  readonly onlyFailing: readonly number[];
  /** Lines in other functions that the failing run executes on the way. */
  readonly also: readonly Range[];
  /** Nothing between the two places can be inspected. */
  readonly narrowed: boolean;
}

export interface Chain {
  readonly chain: readonly Row[];
  readonly transitions: readonly Transition[];
}

export interface Observations extends Searching {
  readonly places: readonly Place[];
  readonly locations: readonly Location[];
  readonly onlyFailing: ReadonlySet<number>;
  /** The failing run's trace: location and depth. */
  readonly trace: Int32Array;
}

const mostRows = 10;

export function chainOf(observed: Observations): Chain {
  const gaps = gapsOf(observed);
  const causes = [...observed.findings]
    .filter((each): each is [number, Cause] => isCause(each[1]))
    .sort(([a], [b]) => a - b);
  // A row for each cause that differs from the previous one.
  const starts = new Set(gaps.map(({ right }) => right));
  const rows = causes.filter(([place]) => starts.has(place)).map(([place, cause]) => rowOf(place, cause, observed));
  const transitions = gaps
    .filter(({ left, right }) => observed.findings.has(left) || observed.findings.has(right))
    .map((gap, i) => ({ transition: transitionOf(gap, observed), rank: rankOf(gap, observed) - i / 1000 }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ transition }) => transition);
  return { chain: shortened(rows), transitions };
}

/** The first and the last row show where it begins and ends; of the others, those that name a different variable are kept. */
function shortened(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= mostRows) return rows;
  const isNew = (row: Row, i: number) => i === 0 || i === rows.length - 1 || row.variable !== rows[i - 1]!.variable;
  const few = rows.filter(isNew);
  return few.length <= mostRows ? few : [...few.slice(0, mostRows - 1), few.at(-1)!];
}

function rowOf(place: number, cause: Cause, { places, locations }: Observations): Row {
  const { path, line, column, function: name } = locations[places[place]!.location]!;
  const { differences, tests } = cause;
  return {
    file: path,
    line,
    column,
    function: name,
    variable: differences.map(variableOf).join(' and '),
    passing: differences.map(each => each.passing).join(' and '),
    failing: differences.map(each => each.failing).join(' and '),
    tests,
    place,
  };
}

const variableOf = ({ variable, of }: Cause['differences'][number]): string =>
  of === undefined ? variable : `${variable} (of ${of})`;
const namesOf = (cause: Cause): string => cause.differences.map(variableOf).join(' and ');

function transitionOf({ left, right, inside }: Gap, observed: Observations): Transition {
  const { places, locations, findings, onlyFailing, trace } = observed;
  const [a, b] = [findings.get(left), findings.get(right)];
  const steps: number[] = [];
  const to = places[right]?.at ?? trace.length / 2 - 1;
  for (let at = places[left]?.at ?? 0; at <= to; at++) steps.push(trace[2 * at]!);
  const ranges = new Map<string, { file: string; lines: Set<number> }>();
  for (const step of steps) {
    const { path, line, function: name } = locations[step]!;
    const range = ranges.get(`${path} ${name}`) ?? { file: path, lines: new Set() };
    range.lines.add(line);
    ranges.set(`${path} ${name}`, range);
  }
  // On the way into a call or out of it, the function that is called: its statements turn one cause into the other.
  const ends = [places[left], places[right]].filter(place => place !== undefined);
  const home = ends.toSorted((x, y) => y.depth - x.depth)[0]!;
  const { path, function: name } = locations[home.location]!;
  const own = ranges.get(`${path} ${name}`)!;
  ranges.delete(`${path} ${name}`);
  const lines = [...own.lines].sort((x, y) => x - y);
  const diverging = new Set(
    steps
      .filter(step => onlyFailing.has(step))
      .map(step => locations[step]!)
      .filter(each => each.path === path && each.function === name)
      .map(each => each.line),
  );
  return {
    file: own.file,
    from: lines[0]!,
    to: lines.at(-1)!,
    cause: isCause(a) ? namesOf(a) : 'the input',
    effect: isCause(b) ? namesOf(b) : 'the failure',
    lines,
    onlyFailing: lines.filter(line => diverging.has(line)),
    also: [...ranges.values()].map(({ file, lines }) => ({ file, from: leastOf(lines), to: greatestOf(lines) })),
    narrowed: inside.length === 0,
  };
}

/**
 * How likely a transition contains the defect. A new variable says more than a new value. Lines that only the failing run
 * executes say most, followed by a true or false that turns into a value. A value that is only passed on says little, and
 * so do reading the input and reporting the failure. Among equals, the first one comes first: what is wrong there is wrong
 * from then on.
 */
function rankOf(gap: Gap, observed: Observations): number {
  const [a, b] = [observed.findings.get(gap.left), observed.findings.get(gap.right)];
  const { onlyFailing } = transitionOf(gap, observed);
  const isMoved = isCause(a) && isCause(b) && sameValues(a, b);
  return (
    (isCause(a) && isCause(b) ? 8 : 0) +
    (isDecision(a) ? 3 : 0) +
    (isDecision(b) ? 1 : 0) +
    (onlyFailing.length > 0 ? 4 : 0) +
    (gap.by === 'variable' ? 2 : 0) -
    (isMoved ? 8 : 0)
  );
}

/** A value that is true in one run and false in the other: the runs diverge here too, even if not by a statement. */
const isDecision = (finding: Finding | undefined): boolean =>
  isCause(finding) && finding.differences.some(({ failing }) => failing === 'true' || failing === 'false');
