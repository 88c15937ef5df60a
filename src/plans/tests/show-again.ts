/** Shows the outcome of the target a second time, if possible with only a few tests: those that left something behind. */
import { type Arrangement, keepTests, only, shownTest, type TestName } from '../../circumstances/tests.js';
import { UserError, type Verdict } from '../../core/index.js';
import type { Asking, Settled, Suspected } from './first-run.js';
import { judge } from './judge.js';
import { identify } from './search.js';
import { suspectsOf } from './suspects.js';

/** How many of the likeliest suspects are tried together, before all of them are. */
const fewSuspects = [1, 4];
/** With more changes than this, what the result leaves behind is looked at in a run of its own. */
const mostChanges = 5_000;

/**
 * A test that fails only sometimes must not be blamed on others, so its outcome has to show twice. The second time is used: a
 * run of a few suspects is short, and if the target has its outcome there, the search is nearly over.
 */
export async function showAgain(suspected: Suspected, asking: Asking): Promise<Settled> {
  const { before, ...rest } = suspected;
  const { arrangement, target, changed } = rest;
  const few = changed.reduce((sum, { changes }) => sum + changes.length, 0) <= mostChanges;
  const settled = { ...rest, changed: few ? changed : [] };
  const { folder, options } = asking.context;
  // If one run says little, the search asks for itself.
  if ((options.repeat ?? 1) > 1)
    return { ...settled, begin: arrangement, suspect: (await demand(suspected, asking)) > 1 };
  // It ran alone already, and had the other outcome.
  folder.journal.record(identify(only(target)), { outcome: 'pass' });
  for (const tests of guesses(suspectsOf(changed, before, target), before.length)) {
    const begin = keepTests(arrangement, [...tests, target]);
    if ((await ask(begin, suspected, asking)).outcome === 'fail') return { ...settled, begin };
  }
  const begin = upToTarget(suspected, asking);
  if (begin && (await ask(begin, suspected, asking)).outcome === 'fail') return { ...settled, begin };
  await demand(suspected, asking);
  return { ...settled, begin: arrangement };
}

/** The likeliest suspect, the likeliest few, all of them: as long as that is not most of the suite. */
function guesses(suspects: readonly TestName[], count: number): readonly (readonly TestName[])[] {
  const sizes = [...fewSuspects.filter(size => size < suspects.length), suspects.length];
  return sizes.filter(size => size > 0 && (size === 1 || size * 2 <= count)).map(size => suspects.slice(0, size));
}

/**
 * Tests run one after another, so one that runs after the target can't matter. Its file can, if all files are loaded first.
 * Nothing if the target is the last test, or if the runner has an order of its own.
 */
function upToTarget({ arrangement, before, target }: Suspected, { chosen }: Asking): Arrangement | undefined {
  const { orders, loadsAllFirst = false } = chosen.runner;
  if (orders !== 'files and tests') return undefined;
  const cut = keepTests(arrangement, [...before, target], () => loadsAllFirst);
  return identify(cut) === identify(arrangement) ? undefined : cut;
}

async function ask(tested: Arrangement, suspected: Suspected, { suite, context, timeout }: Asking): Promise<Verdict> {
  const { journal } = context.folder;
  const identity = identify(tested);
  const known = journal.recall(identity);
  if (known) return known;
  const verdict = judge(await suite.run({ arrangement: tested, timeout, signal: context.signal }), tested, suspected);
  journal.record(identity, verdict);
  return verdict;
}

/** Runs all tests again in the same order. Returns the number of tries. */
async function demand(suspected: Suspected, { suite, context, timeout }: Asking): Promise<number> {
  const { repeat = 1 } = context.options;
  const { arrangement, target, state } = suspected;
  for (let n = 1; ; n++) {
    const ran = await suite.run({ arrangement, timeout, signal: context.signal });
    const verdict = judge(ran, arrangement, suspected);
    if (verdict.outcome === 'fail') return n;
    if (n >= Math.max(1, repeat))
      throw new UserError(
        `${shownTest(target)} ${state} once, and not when the same tests ran again in the same order${verdict.reason ? ` (${verdict.reason})` : ''}.`,
        'It may depend on time or chance, not on other tests. If it shows only sometimes, add --repeat 5.',
        1,
      );
  }
}
