/** The fewest edits that make new pass: one by itself, several that do no harm, or one that needs some of these to be built or run. */
import { type Configuration, deltasOf, empty, isEmpty, minus, of, size } from '../../../core/index.js';
import type { Event } from '../../../engine/index.js';
import type { Asker } from '../levels/asker.js';
import type { CodeEdit, EditWords } from './code-edits.js';
import { isApart } from './same-words.js';

/** The search for several of them may ask this many questions that bring nothing. */
const mostIdle = 16;
/** Of those that can't be built or run by themselves, this many are tried with the others. */
const mostHelped = 24;
/** How often what has helped may help others. */
const mostRounds = 3;

/**
 * Each by itself; then those that say the same together; then those that do no harm together, for a failure that two of them cause; then each that can't be built or run with all of those: what
 * it uses may be what another one brings back. Empty if that is not enough.
 */
export async function* fewestEdits(
  asker: Asker,
  { edits, alike }: { readonly edits: readonly CodeEdit[]; readonly alike: readonly (readonly number[])[] },
  { pass, isSingle = false }: EditWords,
): AsyncGenerator<Event, Configuration> {
  const { everything } = asker;
  const without = (some: readonly number[]) => minus(everything, of(some));
  const each = [...edits.keys()];
  const outcomes = yield* asker.askUntilPass(
    pass,
    each.map(at => without([at])),
  );
  if (outcomes.at(-1) === 'pass') return of([outcomes.length - 1]);
  const some = yield* fewestAlike(asker, alike, pass);
  if (isSingle || !isEmpty(some)) return some;
  const those = (outcome: 'fail' | 'unresolved') => each.filter(at => outcomes[at] === outcome && !edits[at]!.isAlone);
  const harmless = those('fail');
  let together: Configuration = of(harmless.slice(0, 1));
  for (const these of withoutOverlaps(harmless, edits)) {
    const { passing, failing } = yield* asker.down(everything, of(these), at => edits[at]!.likely, mostIdle);
    if (!isEmpty(passing)) return yield* asker.back(minus(everything, passing), empty, pass);
    const made = minus(everything, failing);
    if (size(made) > size(together)) together = made;
  }
  return yield* withHelp(asker, edits, { pass, together, broken: those('unresolved').slice(0, mostHelped) });
}

/** Those of them that say the same: what is removed in one place was added in another one. Empty if none of these groups is enough. */
export async function* fewestAlike(
  asker: Asker,
  alike: readonly (readonly number[])[],
  pass: string,
): AsyncGenerator<Event, Configuration> {
  if (alike.length === 0) return empty;
  const groups = alike.map(of);
  const outcomes = yield* asker.askUntilPass(
    pass,
    groups.map(group => minus(asker.everything, group)),
  );
  return outcomes.at(-1) === 'pass' ? yield* asker.back(groups[outcomes.length - 1]!, empty, pass) : empty;
}

interface Helped {
  readonly pass: string;
  /** They do no harm together. */
  readonly together: Configuration;
  /** What can't be built or run by itself. */
  readonly broken: readonly number[];
}

/** What one round brings back may be what an edit of the next one needs. */
async function* withHelp(
  asker: Asker,
  edits: readonly CodeEdit[],
  { pass, ...first }: Helped,
): AsyncGenerator<Event, Configuration> {
  let { together, broken } = first;
  for (let round = 0; round < mostRounds && !isEmpty(together) && broken.length > 0; round++) {
    const questions = broken.map(at => of([at, ...apartFrom(at, together, edits)]));
    const outcomes = yield* asker.askUntilPass(
      pass,
      questions.map(some => minus(asker.everything, some)),
    );
    if (outcomes.at(-1) === 'pass') return yield* asker.back(questions[outcomes.length - 1]!, empty, pass);
    const more = broken.filter((_, i) => outcomes[i] === 'fail');
    if (more.length === 0) return empty;
    broken = broken.filter((_, i) => outcomes[i] === 'unresolved');
    for (const at of more) together = of([at, ...apartFrom(at, together, edits)]);
  }
  return empty;
}

const apartFrom = (at: number, some: Configuration, edits: readonly CodeEdit[]): readonly number[] =>
  [...deltasOf(some)].filter(other => isApart(edits[at]!, edits[other]!));

/** A condition can become either side, but not both: the first of each place, then the second with what is elsewhere. */
function withoutOverlaps(these: readonly number[], edits: readonly CodeEdit[]): readonly (readonly number[])[] {
  const taking = (order: readonly number[]) => {
    const taken: number[] = [];
    for (const at of order) if (taken.every(each => isApart(edits[at]!, edits[each]!))) taken.push(at);
    return taken;
  };
  const first = taking(these);
  const second = taking([...these.filter(at => !first.includes(at)), ...first]);
  return (first.length === these.length ? [first] : [first, second]).filter(some => some.length > 1);
}
