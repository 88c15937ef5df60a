/** Which pass is next, and with how much effort: a pure machine over what each pass has brought so far. */

/**
 * How hard a pass looks: only at what removes much; at everything while each question removes much; at everything while something is
 * found; at everything, with proof. The first two are for large artifacts: a small cause in a large artifact is found in a few
 * questions that each remove most of it.
 */
export type Effort = 'rough' | 'brief' | 'quick' | 'thorough';

/** What the schedule knows of a pass. */
export interface Hints {
  /** Its own name, for events and the page: `lines`, `hoist`, `declarations with uses`. */
  readonly name: string;
  /** It needs a test for nearly every part, so it waits until the artifact is no larger than this, or others find nothing more. */
  readonly largest?: number;
  /** Of a larger artifact it offers only what removes much, as long as that helps: there is less to ask for then. */
  readonly rough?: number;
  /** It makes room for the others: it takes part only in the first stage, and at once again if it removed half. */
  readonly early?: boolean;
  /** It seldom finds what others leave, and asks for much: it waits until the others find nothing more. */
  readonly late?: boolean;
  /** A last resort that proves nothing: once it found nothing, it waits until the artifact is smaller. */
  readonly lastResort?: boolean;
  /** Blank space means nothing to it: until the last proof it does not look again if only that was removed. */
  readonly ignoresWhitespace?: boolean;
  /** The deltas of its result are those of its input that remained: a finished search holds for the result as it is. */
  readonly stable?: boolean;
}

/** What an artifact is known by, and its size if it has one. */
export interface Standing {
  readonly identity: string;
  /** The same for artifacts that differ in blank space only. */
  readonly identityIgnoringWhitespace: string;
  readonly size?: number;
}

/** The state: plain data. */
export interface Schedule {
  readonly stage: number;
  readonly round: number;
  /** The pass in the round, by number. */
  readonly at: number;
  /** The size at the start of the round. */
  readonly size?: number;
  readonly shrunk: boolean;
  /** A pass of this round asked for long and brought little: everything is needed for the moment. */
  readonly lowYield: boolean;
  /** For a pass and an effort, on what it found nothing. */
  readonly fruitless: Readonly<Record<string, string>>;
}

export type Step =
  | { readonly kind: 'run'; readonly at: number; readonly effort: Effort; readonly round: number }
  | { readonly kind: 'done' };

/** What a run of a pass brought. */
export type Brought =
  | { readonly kind: 'nothing offered' }
  | {
      readonly kind: 'searched';
      readonly questions: number;
      /** The artifact before and after; the same one if nothing was accepted. */
      readonly before: Standing;
      readonly after: Standing;
      readonly accepted: boolean;
      /** The search came to its end, with a proof if its strategy gives one. */
      readonly proved: boolean;
    };

interface Stage {
  readonly effort: Effort;
  /** Whether passes for small artifacts look at large ones too. */
  readonly large?: boolean;
  /** Whether late passes take part. */
  readonly late?: boolean;
}

/** Each stage begins when a round of the one before it made nothing, or not much, smaller. */
const stages: readonly Stage[] = [
  { effort: 'brief' },
  { effort: 'rough' },
  { effort: 'quick' },
  { effort: 'quick', large: true },
  { effort: 'quick', large: true, late: true },
  { effort: 'thorough', large: true, late: true },
];
const firstLarge = stages.findIndex(stage => stage.large);
const firstQuick = stages.findIndex(stage => stage.effort === 'quick');

/** A round that makes a large artifact smaller by this part of it was worth another one like it. */
const much = 8;

/** Questions without a success after which a pass gives way, as long as others may still find something. */
export const patience = 48;

export const startSchedule = ({ size }: Standing): Schedule => ({
  stage: 0,
  round: 1,
  at: 0,
  ...(size === undefined ? {} : { size }),
  shrunk: false,
  lowYield: false,
  fruitless: {},
});

/** Skips what has nothing to look for on this artifact. The result is minimal after a thorough round that changed nothing. */
export function nextPass(
  schedule: Schedule,
  passes: readonly Hints[],
  now: Standing,
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

function nextRound(state: Schedule, { size }: Standing): Schedule | undefined {
  const { large, effort } = stages[state.stage]!;
  const isSpent = state.lowYield || (!isMuch(state.size, size) && (state.stage < firstQuick || !state.shrunk));
  const isBack = large === true && state.shrunk;
  if (!isBack && effort === 'thorough') return undefined;
  const stage = isBack ? firstLarge : isSpent ? state.stage + 1 : state.stage;
  const { size: _, ...rest } = state;
  const start = { ...rest, stage, round: state.round + 1, at: 0, shrunk: false, lowYield: false };
  return size === undefined ? start : { ...start, size };
}

/** Of nothing, nothing can be gained: 0 of 0 bytes would otherwise be much, again and again. */
const isMuch = (before: number | undefined, now: number | undefined): boolean =>
  before !== undefined && now !== undefined && before > 0 && (before - now) * much >= before;

/** Nothing, if the pass does not take part now or is known to find nothing. */
function effortFor({ stage: number, fruitless }: Schedule, pass: Hints, now: Standing): Effort | undefined {
  const stage = stages[number]!;
  const isAbove = (limit: number | undefined) => limit !== undefined && now.size !== undefined && now.size > limit;
  if ((pass.late && !stage.late) || (pass.early && number > 0)) return undefined;
  if (isAbove(pass.largest) && !stage.large) return undefined;
  const effort = number < firstQuick && !isAbove(pass.rough) ? 'quick' : stage.effort;
  // What finds nothing with one effort finds nothing with less.
  const efforts = effort === 'thorough' ? [effort] : ([effort, 'quick'] as const);
  return efforts.some(each => fruitless[keyOf(pass, each)] === subjectOf(pass, each, now)) ? undefined : effort;
}

const keyOf = ({ name }: Hints, effort: Effort): string => `${name} ${effort}`;

/** What a pass has looked at: a last resort waits for a smaller artifact, a blind pass for more than other blank space. */
function subjectOf(
  pass: Hints,
  effort: Effort,
  { identity, identityIgnoringWhitespace: gist, size }: Standing,
): string {
  if (pass.lastResort && size !== undefined) return `${size}`;
  return pass.ignoresWhitespace && effort !== 'thorough' ? gist : identity;
}

export function answerPass(schedule: Schedule, pass: Hints, effort: Effort, brought: Brought): Schedule {
  if (brought.kind === 'nothing offered') return { ...schedule, at: schedule.at + 1 };
  const { before, after, accepted, proved, questions } = brought;
  const isSettled = proved && (!accepted || pass.stable === true);
  const shrunk = schedule.shrunk || (accepted && (after.size === undefined || after.size < (before.size ?? 0)));
  // A pass that makes room and removed half looks at the other half, of which smaller parts are large ones.
  const isAgain =
    pass.early && before.size !== undefined && before.size > 0 && after.size !== undefined
      ? after.size * 2 <= before.size
      : false;
  return {
    ...schedule,
    at: isAgain ? schedule.at : schedule.at + 1,
    shrunk,
    lowYield: effort === 'brief' && questions >= patience && !isMuch(before.size, after.size),
    fruitless: isSettled ? { ...schedule.fruitless, ...settled(pass, effort, after) } : schedule.fruitless,
  };
}

function settled(pass: Hints, effort: Effort, on: Standing): Readonly<Record<string, string>> {
  const own = { [keyOf(pass, effort)]: subjectOf(pass, effort, on) };
  return effort === 'thorough' ? { ...own, [keyOf(pass, 'quick')]: subjectOf(pass, 'quick', on) } : own;
}
