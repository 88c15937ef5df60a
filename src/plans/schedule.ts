/** Which pass is next, and with how much effort: a pure machine over what each pass has achieved so far. */

/**
 * How hard a pass looks: only at large removals; at everything while each question removes much; at everything while
 * something is soon found; at everything while something is found; at everything, with proof. The first two are for large
 * artifacts: a small cause in a large artifact is found in a few questions that each remove most of it.
 */
export type Effort = 'rough' | 'brief' | 'hasty' | 'quick' | 'thorough';

/** What the schedule knows about a pass. */
export interface Hints {
  /** Its own name, for events and the page: `lines`, `hoist`, `declarations with uses`. */
  readonly name: string;
  /** It needs a test for nearly every part, so it waits until the artifact is this small, or until others find nothing more. */
  readonly largest?: number;
  /** For a larger artifact it offers only large removals, as long as they help: that means fewer questions. */
  readonly rough?: number;
  /** Before the proof, it stops if its questions remove little of the artifact: other passes may remove more with fewer. */
  readonly isPriced?: boolean;
  /** Passes after it may make most of its questions superfluous, so at first it stops soon if it finds nothing. */
  readonly givesWay?: boolean;
  /**
   * It prepares for the others: it runs only in the first stages, and again at once if it removed half. If its questions remove
   * little, it gives way to the other early passes, and comes back after them.
   */
  readonly early?: boolean;
  /** After it removed something, it has other deltas: it runs again at once if it quickly removed an eighth. */
  readonly isRenewed?: boolean;
  /** It is early, and takes turns with the others that lead, before the rest of the early passes. */
  readonly leads?: boolean;
  /** It also runs before the early passes. */
  readonly opens?: boolean;
  /** It rarely finds what others miss, and asks many questions, so it waits until the others find nothing more. */
  readonly late?: boolean;
  /** A last resort that proves nothing: after it found nothing, it waits until the artifact is smaller. */
  readonly lastResort?: boolean;
  /**
   * When it leaves out deltas that another pass, or an earlier run of its own, refused alone. In the first round, a pass that
   * removes neighbours together looks at all of them: together may work where each alone is refused.
   */
  readonly skipsRefused?: 'always' | 'after the first round';
  /** It ignores whitespace: until the last proof it does not run again if only whitespace was removed. */
  readonly ignoresWhitespace?: boolean;
  /** Its deltas come from a run of its own: that it found nothing before says nothing about them. */
  readonly isObserved?: boolean;
  /** The deltas of its result are the remaining deltas of its input, so a finished search is valid for the result as it is. */
  readonly stable?: boolean;
}

/** What identifies an artifact, and its size if it has one. */
export interface Fingerprint {
  readonly identity: string;
  /** The same for artifacts that differ only in whitespace. */
  readonly identityIgnoringWhitespace: string;
  readonly size?: number;
}

/** The state, as plain data. */
export interface Schedule {
  readonly stage: number;
  readonly round: number;
  /** The number of the pass in the round. */
  readonly at: number;
  /** The size at the start of the round. */
  readonly size?: number;
  readonly shrunk: boolean;
  /** A pass of this round asked many questions and removed little: for now, everything seems needed. */
  readonly lowYield: boolean;
  /** For each pass and effort, the artifact in which it found nothing. */
  readonly fruitless: Readonly<Record<string, string>>;
  /** For each pass, in haste and not, how many deltas it had when it last found nothing. */
  readonly fruitlessOf: Readonly<Record<string, number>>;
}

export type Step =
  | { readonly kind: 'run'; readonly at: number; readonly effort: Effort; readonly round: number }
  | { readonly kind: 'done' };

/** The result of running a pass. */
export type PassResult =
  | { readonly kind: 'nothing offered' }
  | {
      readonly kind: 'searched';
      readonly questions: number;
      readonly deltas: number;
      /** The artifact before and after; the same one if nothing was accepted. */
      readonly before: Fingerprint;
      readonly after: Fingerprint;
      readonly accepted: boolean;
      /** The search finished, with a proof if its strategy gives one. */
      readonly proved: boolean;
    };

interface Stage {
  readonly effort: Effort;
  /** Whether passes for small artifacts also run on large ones. */
  readonly large?: boolean;
  /** Whether late passes run. */
  readonly late?: boolean;
  /** Whether only early passes run, and those that open; or only those that lead; or those that gave way, now with more patience. */
  readonly early?: 'those that lead' | 'the rest' | 'those that gave way';
}

/** Each stage begins when a round of the stage before removed nothing, or not much. */
const stages: readonly Stage[] = [
  { effort: 'quick', early: 'those that lead' },
  { effort: 'hasty', early: 'the rest' },
  { effort: 'brief' },
  { effort: 'quick', early: 'those that gave way' },
  { effort: 'rough' },
  { effort: 'hasty' },
  { effort: 'quick' },
  { effort: 'quick', large: true },
  { effort: 'quick', large: true, late: true },
  { effort: 'thorough', large: true, late: true },
];
const firstLarge = stages.findIndex(stage => stage.large);
const firstBrief = stages.findIndex(stage => !stage.early);
const firstQuick = stages.findIndex(stage => stage.effort === 'quick' && !stage.early);

/** A round that removes this fraction of a large artifact is worth repeating. */
const much = 8;

/** A pass runs again at once if each of its questions removed one part in this many. */
const quick = 64;

/** A pass that found nothing runs again before the proof only if this fraction of its deltas is gone. */
const enough = 4;

/** Questions without a success after which a pass stops early, as long as others may still find something. */
export const patience = 48;
/** The same for a brief search, and for an early pass: the passes after it may remove more. */
export const briefPatience = 24;
/** The same for a pass that gives way. */
export const hastyPatience = 12;

/** In a smaller artifact, early passes have little to offer, and nothing must run before them. */
const smallest = 4_000;

/** In a larger artifact, an early pass that finds nothing soon lets all others have a look first. */
const hastyAbove = 20_000;

export const startSchedule = ({ size }: Fingerprint): Schedule => ({
  stage: 0,
  round: 1,
  at: 0,
  ...(size === undefined ? {} : { size }),
  shrunk: false,
  lowYield: false,
  fruitless: {},
  fruitlessOf: {},
});

/**
 * Skips passes that cannot find anything in this artifact. The result is minimal after a thorough round that changed nothing.
 */
export function nextPass(
  schedule: Schedule,
  passes: readonly Hints[],
  now: Fingerprint,
): { readonly schedule: Schedule; readonly step: Step } {
  let state = schedule;
  for (;;) {
    if (state.lowYield || state.at >= passes.length) {
      const following = nextRound(state, now);
      if (!following) return { schedule: state, step: { kind: 'done' } };
      state = following;
      continue;
    }
    const effort = effortFor(state, passes[state.at]!, now);
    if (effort) return { schedule: state, step: { kind: 'run', at: state.at, effort, round: state.round } };
    state = { ...state, at: state.at + 1 };
  }
}

function nextRound(state: Schedule, { size }: Fingerprint): Schedule | undefined {
  const { large, effort } = stages[state.stage]!;
  const isSpent = state.lowYield || (!isMuch(state.size, size) && (state.stage < firstQuick || !state.shrunk));
  const isBack = large === true && state.shrunk;
  if (!isBack && effort === 'thorough') return undefined;
  const isEarly = stages[state.stage]!.early !== undefined;
  // After much was removed, smaller parts count as large, and early passes have more to offer.
  const again = state.stage <= firstBrief ? 0 : state.stage;
  const stage = isBack ? firstLarge : isSpent ? state.stage + 1 : again;
  const { size: _, ...rest } = state;
  const round = isEarly ? state.round : state.round + 1;
  const start = { ...rest, stage, round, at: 0, shrunk: false, lowYield: false };
  return size === undefined ? start : { ...start, size };
}

/** An empty artifact has nothing to gain: removing 0 of 0 bytes would otherwise count as much, forever. */
const isMuch = (before: number | undefined, now: number | undefined): boolean =>
  before !== undefined && now !== undefined && before > 0 && (before - now) * much >= before;

/** `undefined` if the pass does not run now, or is known to find nothing. */
function effortFor({ stage: number, fruitless }: Schedule, pass: Hints, now: Fingerprint): Effort | undefined {
  const stage = stages[number]!;
  const isAbove = (limit: number | undefined) => limit !== undefined && now.size !== undefined && now.size > limit;
  if ((pass.late && !stage.late) || (pass.early && !stage.early)) return undefined;
  if (stage.early && (stage.early === 'those that lead') !== (pass.leads === true)) return undefined;
  if (stage.early === 'those that gave way' && !(pass.early && pass.givesWay)) return undefined;
  if (stage.early && !pass.early && !(pass.opens && isAbove(smallest))) return undefined;
  if (isAbove(pass.largest) && !stage.large) return undefined;
  const isWhole = number < firstQuick && !pass.early && !isAbove(pass.rough);
  const isPatient = stage.early !== undefined && !isAbove(hastyAbove);
  const asked = isWhole ? 'hasty' : isPatient ? 'quick' : stage.effort;
  const effort = asked === 'hasty' && !pass.givesWay ? 'quick' : asked;
  // A pass that finds nothing with one effort finds nothing with less.
  const efforts = effort === 'thorough' ? [effort] : ([effort, 'quick'] as const);
  return efforts.some(each => fruitless[keyOf(pass, each)] === subjectOf(pass, each, now)) ? undefined : effort;
}

/**
 * Whether a pass with this many deltas should run now. If it found nothing in nearly as many, it would rarely find something in
 * these: it waits for the proof, which looks at everything. Shorter names and less whitespace do not count: the deltas stay.
 */
export function isDue({ fruitlessOf }: Schedule, pass: Hints, effort: Effort, deltas: number): boolean {
  const before = fruitlessOf[nameAt(pass, effort)];
  // Passes that lead, and those with a run of their own, come back only after much was removed.
  const comesBack = pass.leads === true || pass.isObserved === true;
  return effort === 'thorough' || comesBack || before === undefined || (before - deltas) * enough >= before;
}

/** That a pass found nothing in haste says nothing about the others of its questions. */
const nameAt = ({ name }: Hints, effort: Effort): string => (effort === 'hasty' ? `${name} hasty` : name);

const keyOf = ({ name }: Hints, effort: Effort): string => `${name} ${effort}`;

/**
 * What a pass has already seen: a last resort waits for a smaller artifact, a whitespace-blind pass for more than changed
 * whitespace.
 */
function subjectOf(
  pass: Hints,
  effort: Effort,
  { identity, identityIgnoringWhitespace: ignoringWhitespace, size }: Fingerprint,
): string {
  if (pass.lastResort && size !== undefined) return `${size}`;
  return pass.ignoresWhitespace && effort !== 'thorough' ? ignoringWhitespace : identity;
}

export function answerPass(schedule: Schedule, pass: Hints, effort: Effort, result: PassResult): Schedule {
  if (result.kind === 'nothing offered') return { ...schedule, at: schedule.at + 1 };
  const { before, after, accepted, proved, questions } = result;
  const isSettled = proved && (!accepted || pass.stable === true);
  // What was proven before an artifact of the same size (a byte that became zero, an empty file less) was proven of another one.
  const isOther = effort === 'thorough' || after.size === undefined || after.size < (before.size ?? 0);
  const shrunk = schedule.shrunk || (accepted && isOther);
  // A pass that prepares for the others and quickly removed half runs again: in the other half, smaller parts count as large.
  const gained = (before.size ?? 0) - (after.size ?? 0);
  const isAgain =
    pass.early === true &&
    gained > 0 &&
    (pass.isRenewed ? isMuch(before.size, after.size) : gained >= (after.size ?? 0)) &&
    gained * quick >= questions * (before.size ?? 0);
  return {
    ...schedule,
    at: isAgain ? schedule.at : schedule.at + 1,
    shrunk,
    lowYield: effort === 'brief' && questions >= briefPatience && !isMuch(before.size, after.size),
    fruitlessOf: fruitlessAfter(schedule, pass, effort, result),
    fruitless: isSettled ? { ...schedule.fruitless, ...settled(pass, effort, after) } : schedule.fruitless,
  };
}

function settled(pass: Hints, effort: Effort, on: Fingerprint): Readonly<Record<string, string>> {
  const own = { [keyOf(pass, effort)]: subjectOf(pass, effort, on) };
  return effort === 'thorough' ? { ...own, [keyOf(pass, 'quick')]: subjectOf(pass, 'quick', on) } : own;
}

/** A search for large removals only says nothing about the small ones. */
function fruitlessAfter(
  { fruitlessOf }: Schedule,
  pass: Hints,
  effort: Effort,
  { accepted, deltas }: Extract<PassResult, { kind: 'searched' }>,
): Readonly<Record<string, number>> {
  const name = nameAt(pass, effort);
  const { [name]: _, ...others } = fruitlessOf;
  if (accepted) return others;
  return effort === 'rough' || effort === 'brief' ? fruitlessOf : { ...others, [name]: deltas };
}
