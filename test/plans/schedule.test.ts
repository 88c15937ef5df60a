import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answerPass,
  type Effort,
  type Fingerprint,
  type Hints,
  isDue,
  nextPass,
  type Schedule,
  startSchedule,
} from '../../src/plans/schedule.js';

interface Run {
  readonly round: number;
  readonly pass: string;
  readonly effort: Effort;
  readonly on: Fingerprint;
  readonly after: Fingerprint;
}

/** An artifact is a size and a version; blank space is the version's parity. */
const standing = (size: number, version: number): Fingerprint => ({
  identity: `${size}.${version}`,
  identityIgnoringWhitespace: `${size}.${version >> 1}`,
  size,
});

/**
 * Runs a schedule to its end. `gains` says what each run brings, in turn: bytes, or 0 for another artifact of the same size.
 * `asked`: the number of questions of an early pass.
 */
function simulate(size: number, passes: readonly Hints[], gains: readonly (number | undefined)[], asked = 60) {
  let now = standing(size, 0);
  let version = 0;
  let schedule: Schedule = startSchedule(now);
  const runs: Run[] = [];
  for (let i = 0; i < 10_000; i++) {
    const { schedule: state, step } = nextPass(schedule, passes, now);
    expect(nextPass(schedule, passes, now)).toEqual({ schedule: state, step });
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    schedule = state;
    if (step.kind === 'done') return { runs, now };
    const pass = passes[step.at]!;
    const gain = gains[i];
    const accepted = gain !== undefined && gain <= now.size!;
    const after = accepted ? standing(now.size! - gain, ++version) : now;
    runs.push({ round: step.round, pass: pass.name, effort: step.effort, on: now, after });
    const [before, questions] = [now, pass.early ? asked : 60];
    schedule = answerPass(schedule, pass, step.effort, {
      kind: 'searched',
      questions,
      deltas: before.size!,
      before,
      after,
      accepted,
      proved: true,
    });
    now = after;
  }
  throw new Error('the schedule does not end');
}

const hints: fc.Arbitrary<Omit<Hints, 'name'>> = fc.record(
  {
    largest: fc.constantFrom(100, 10_000),
    rough: fc.constantFrom(50, 4_000),
    early: fc.boolean(),
    opens: fc.boolean(),
    late: fc.boolean(),
    givesWay: fc.boolean(),
    lastResort: fc.boolean(),
    blind: fc.boolean(),
    stable: fc.boolean(),
  },
  { requiredKeys: [] },
);
const plans = fc
  .array(hints, { minLength: 1, maxLength: 6 })
  .map(list => list.map((each, i) => ({ ...each, name: `p${i}` })));
const gains = fc.array(fc.oneof(fc.constant(undefined), fc.nat(3), fc.nat(4_000)), { maxLength: 60 });

test('it ends, and every pass that is not early had its last look, with proof, at what came out', () => {
  fc.assert(
    fc.property(fc.nat(20_000), plans, gains, (size, passes, brings) => {
      const { runs, now } = simulate(size, passes, brings);
      for (const pass of passes) {
        if (pass.early) continue;
        const last = runs.findLast(run => run.pass === pass.name && run.effort === 'thorough');
        expect(last, `${pass.name} never had a thorough run`).toBeDefined();
        const isSame = pass.lastResort ? last!.after.size === now.size : last!.after.identity === now.identity;
        expect(isSame || pass.stable, `${pass.name} last looked at ${last!.after.identity}, not ${now.identity}`).toBe(
          true,
        );
        if (!pass.stable) expect(last!.on.identity === last!.after.identity).toBe(true);
      }
    }),
  );
});

test('after a proof, another artifact of the same size is proven again', () => {
  const { runs, now } = simulate(
    10,
    [{ name: 'letters' }, { name: 'zeros', late: true }],
    Array(60)
      .fill(undefined)
      .with(firstProof + 1, 0),
  );
  expect(runs.filter(run => run.effort === 'thorough').map(run => run.pass)).toEqual([
    'letters',
    'zeros',
    'letters',
    'zeros',
  ]);
  expect(runs.at(-1)!.on.identity).toBe(now.identity);
});

/** The number of the first run with proof, if two passes find nothing. */
const firstProof = 2;

test('no pass is asked twice for the same with the same effort, unless it makes room', () => {
  fc.assert(
    fc.property(fc.nat(20_000), plans, gains, (size, passes, brings) => {
      const { runs } = simulate(size, passes, brings);
      const asked = runs
        .filter(run => run.on.identity === run.after.identity)
        .map(run => `${run.pass} ${run.effort} ${run.on.identity}`);
      expect(new Set(asked).size).toBe(asked.length);
    }),
  );
});

test('an early pass runs again at once only if few questions removed half', () => {
  const passes: readonly Hints[] = [
    { name: 'bodies', early: true },
    { name: 'large parts', early: true },
    { name: 'nodes' },
  ];
  const second = (asked: number) => simulate(50_000, passes, [25_000], asked).runs[1]!.pass;
  expect([second(10), second(100)]).toEqual(['bodies', 'large parts']);
});

test('a pass that has other deltas after it removed something runs again at once if few questions removed an eighth', () => {
  const passes: readonly Hints[] = [
    { name: 'promising', early: true, isRenewed: true },
    { name: 'large parts', early: true },
    { name: 'nodes' },
  ];
  const second = (gain: number, asked: number) => simulate(50_000, passes, [gain], asked).runs[1]!.pass;
  expect([second(10_000, 10), second(10_000, 20), second(5_000, 1)]).toEqual([
    'promising',
    'large parts',
    'large parts',
  ]);
});

test('early passes take turns until a turn of all of them removes little, and only then do the others run', () => {
  const passes: readonly Hints[] = [
    { name: 'comments', opens: true },
    { name: 'bodies', early: true },
    { name: 'large parts', early: true },
    { name: 'nodes' },
  ];
  const order = (gains: readonly (number | undefined)[]) =>
    simulate(100_000, passes, gains)
      .runs.slice(0, 8)
      .map(({ pass }) => pass);
  expect(order([1_000, 20_000, undefined, undefined, 100])).toEqual([
    ...['comments', 'bodies', 'large parts'],
    ...['comments', 'bodies', 'large parts'],
    ...['comments', 'nodes'],
  ]);
});

test('passes that lead take turns before the rest of the early ones, and again after these removed much', () => {
  const passes: readonly Hints[] = [
    { name: 'large parts', early: true },
    { name: 'uses', early: true, leads: true },
    { name: 'users', early: true, leads: true },
    { name: 'nodes' },
  ];
  const order = (gains: readonly (number | undefined)[]) =>
    simulate(100_000, passes, gains)
      .runs.slice(0, 8)
      .map(({ pass }) => pass);
  expect(order([1_000, 20_000, undefined, undefined, 20_000])).toEqual([
    ...['uses', 'users'],
    ...['uses', 'users'],
    'large parts',
    ...['uses', 'users'],
    'large parts',
  ]);
});

test('the order of a run, as a table', () => {
  const passes: readonly Hints[] = [
    { name: 'large parts', early: true },
    { name: 'nodes', rough: 4_000 },
    { name: 'names', largest: 20_000, givesWay: true },
    { name: 'letters', late: true },
  ];
  // Large parts remove half, then half again; nodes find something once; then nothing brings anything.
  const { runs } = simulate(50_000, passes, [25_000, 12_500, undefined, 1_000], 6);
  expect(runs.map(run => `${run.round} ${run.pass} ${run.effort} ${run.on.size} → ${run.after.size}`)).toEqual([
    '1 large parts quick 50000 → 25000',
    '1 large parts quick 25000 → 12500',
    '1 large parts quick 12500 → 12500',
    '1 nodes brief 12500 → 11500',
    '2 nodes rough 11500 → 11500',
    '2 names hasty 11500 → 11500',
    '3 nodes quick 11500 → 11500',
    '4 names quick 11500 → 11500',
    '6 letters quick 11500 → 11500',
    '7 nodes thorough 11500 → 11500',
    '7 names thorough 11500 → 11500',
    '7 letters thorough 11500 → 11500',
  ]);
});

test('a pass that found nothing waits for its proof, unless a quarter of its deltas is gone', () => {
  const fingerprint = standing(100, 0);
  const pass: Hints = { name: 'nodes' };
  const after = answerPass(startSchedule(fingerprint), pass, 'quick', {
    kind: 'searched',
    questions: 9,
    deltas: 40,
    before: fingerprint,
    after: fingerprint,
    accepted: false,
    proved: true,
  });
  expect([40, 31, 30].map(deltas => isDue(after, pass, 'quick', deltas))).toEqual([false, false, true]);
  expect(isDue(after, pass, 'thorough', 40)).toBe(true);
  expect(isDue(after, { name: 'lines' }, 'quick', 40)).toBe(true);
  // What it finds in haste is another matter.
  expect(isDue(after, pass, 'hasty', 40)).toBe(true);
  expect(isDue(after, { ...pass, leads: true }, 'quick', 40)).toBe(true);
});

test('in a large artifact, an early pass that gives way stops soon at first, and has its full turn after the others', () => {
  const passes: readonly Hints[] = [
    { name: 'halves', early: true },
    { name: 'bodies', early: true, givesWay: true },
    { name: 'nodes', rough: 4_000 },
  ];
  const order = (size: number) =>
    simulate(size, passes, [])
      .runs.slice(0, 4)
      .map(({ pass, effort }) => `${pass} ${effort}`);
  expect(order(50_000)).toEqual(['halves quick', 'bodies hasty', 'nodes brief', 'bodies quick']);
  expect(order(15_000)).toEqual(['halves quick', 'bodies quick', 'nodes brief', 'nodes rough']);
});
