/** Which tests changed something that was still changed when the target ran: the likeliest ones to make it fail. */
import { isSameTest, shownTest, type TestName } from '../../circumstances/tests.js';
import type { Changes, Trace } from '../../oracle/test-runners/types.js';

/** In the order in which they are listed. */
const kinds = [
  ...['environment variable', 'global', 'constant', 'module state', 'file', 'temporary file'],
  ...['working directory', 'import path', 'threads', 'logging', 'timers'],
];
/** These outlive the process that made them. */
const lasting = new Set(['file', 'temporary file']);
/** Many tests leave these behind, and few others notice. */
const seldomMatters = new Set(['temporary file', 'threads', 'timers']);

/** One thing that tests share, as it was before the first change and as the target finds it. */
interface Item {
  readonly kind: string;
  readonly name: string;
  readonly was: string | null;
  is: string | null;
  /** The tests that changed it, in order. */
  readonly by: TestName[];
}

/** Everything that differs for the target from what the first test found. */
function leftBehind(changed: readonly Changes[], before: readonly TestName[], target: TestName): readonly Item[] {
  const places = new Map(before.map((test, i) => [shownTest(test), i]));
  const session = sessionOf(changed, target);
  const items = new Map<string, Item>();
  for (const { by, changes, session: its } of changed) {
    if (by && !places.has(shownTest(by))) continue;
    for (const [kind, name, was, is] of changes) {
      if (!lasting.has(kind) && session !== undefined && its !== session) continue;
      const key = `${kind}\0${name}`;
      const item = items.get(key) ?? { kind, name, was, is, by: [] };
      item.is = is;
      if (by) item.by.push(by);
      items.set(key, item);
    }
  }
  return [...items.values()].filter(({ was, is }) => was !== is);
}

/** The process of the target is known if it, or another test of its file, changed something. */
function sessionOf(changed: readonly Changes[], target: TestName): string | undefined {
  const own = changed.find(({ by }) => by && isSameTest(by, target));
  return (own ?? changed.find(({ by }) => by?.file === target.file))?.session;
}

/**
 * The tests that left something behind, likeliest first: a change that few tests make says more about them than one that
 * most of them make, and a later one is more likely to be still in force. `before`: the tests that ran before the target.
 */
export function suspectsOf(
  changed: readonly Changes[],
  before: readonly TestName[],
  target: TestName,
): readonly TestName[] {
  const scores = new Map<string, number>();
  for (const { kind, by } of leftBehind(changed, before, target)) {
    const names = new Set(by.map(shownTest));
    const score = (seldomMatters.has(kind) ? 0.25 : 1) / names.size;
    for (const name of names) scores.set(name, Math.max(scores.get(name) ?? 0, score));
  }
  return before
    .filter(test => scores.has(shownTest(test)))
    .toReversed()
    .sort((a, b) => scores.get(shownTest(b))! - scores.get(shownTest(a))!);
}

/** What these tests leave behind for the target. */
export const tracesOf = (changed: readonly Changes[], tests: readonly TestName[], target: TestName): readonly Trace[] =>
  leftBehind(changed, tests, target)
    .map(({ kind, name, was, is }): Trace => ({ kind, name, change: changeOf(was, is) }))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (a.name < b.name ? -1 : 1));

const changeOf = (was: string | null, is: string | null): Trace['change'] =>
  was === null ? 'added' : is === null ? 'removed' : 'changed';
