/** The tests of a suite as deltas: whole files first, then the tests in them, then files that are only loaded, then their order. */
import { type Circumstance, type Configuration, deltasOf, has } from '../core/index.js';

export interface TestName {
  /** The file (for Go, the package), relative to the folder of the run, with `/`. */
  readonly file: string;
  /** The titles from the outermost group to the test, joined by ` › `. */
  readonly name: string;
}

/** A file and, in order, those of its tests that run. A file without tests is still loaded. */
export interface TestFile {
  readonly file: string;
  readonly tests: readonly string[];
}

/** Which tests run, in which order. */
export type Arrangement = readonly TestFile[];

export const shownTest = ({ file, name }: TestName): string => `${file} › ${name}`;

export const isSameTest = (a: TestName, b: TestName): boolean => a.file === b.file && a.name === b.name;

/** The tests in the order in which they run. */
export const testsOf = (arrangement: Arrangement): readonly TestName[] =>
  arrangement.flatMap(({ file, tests }) => tests.map(name => ({ file, name })));

/** The tests grouped by file; a file is where `order` puts it, or where its first test is. */
export function arrange(tests: readonly TestName[], order: readonly string[] = []): Arrangement {
  const files = new Map<string, string[]>(order.map(file => [file, []]));
  for (const { file } of tests) if (!files.has(file)) files.set(file, []);
  for (const { file, name } of tests) files.get(file)!.push(name);
  return [...files].map(([file, names]) => ({ file, tests: names }));
}

export const only = ({ file, name }: TestName): Arrangement => [{ file, tests: [name] }];

/** Only these tests. Files without one of them are loaded only if they are in `loaded`. */
export function keepTests(
  arrangement: Arrangement,
  tests: readonly TestName[],
  loaded: (file: string) => boolean = () => false,
): Arrangement {
  const kept = new Set(tests.map(shownTest));
  return arrangement
    .map(({ file, tests }) => ({ file, tests: tests.filter(name => kept.has(shownTest({ file, name }))) }))
    .filter(({ file, tests }) => tests.length > 0 || loaded(file));
}

/** Each other file is a delta, and so is the rest of the file that the target is in. The target always runs. */
export function byFile(arrangement: Arrangement, target: TestName): Circumstance<Arrangement> {
  const removable = arrangement.filter(({ file, tests }) => file !== target.file || tests.length > 1);
  const numbers = new Map(removable.map(({ file }, delta) => [file, delta]));
  return {
    name: 'file',
    count: removable.length,
    build: configuration =>
      arrangement.flatMap(part => {
        const delta = numbers.get(part.file);
        if (delta === undefined || has(configuration, delta)) return [part];
        return part.file === target.file ? only(target) : [];
      }),
    weights: removable.map(({ file, tests }) => tests.length - (file === target.file ? 1 : 0)),
    describe: delta => removable[delta]!.file,
  };
}

/**
 * Each other test is a delta. Its file stays loaded when the last of its tests is removed. `selectedBy`: tests that the
 * runner can't distinguish are one delta, and those that it can't distinguish from the target always run.
 */
export function byTest(
  arrangement: Arrangement,
  target: TestName,
  selectedBy: (test: TestName) => string = shownTest,
): Circumstance<Arrangement> {
  const own = selectedBy(target);
  const names = [...new Set(testsOf(arrangement).map(selectedBy))].filter(name => name !== own);
  return {
    name: 'test',
    count: names.length,
    build(configuration) {
      const kept = new Set([own, ...numbered(names, configuration)]);
      return arrangement.map(({ file, tests }) => ({
        file,
        tests: tests.filter(name => kept.has(selectedBy({ file, name }))),
      }));
    },
    describe: delta => names[delta]!,
  };
}

/** Each file that is only loaded is a delta. */
export function byLoadedFile(arrangement: Arrangement): Circumstance<Arrangement> {
  const loaded = arrangement.filter(({ tests }) => tests.length === 0);
  return {
    name: 'loaded file',
    count: loaded.length,
    build(configuration) {
      const kept = new Set(numbered(loaded, configuration));
      return arrangement.filter(part => part.tests.length > 0 || kept.has(part));
    },
    describe: delta => loaded[delta]!.file,
  };
}

/** One delta: the order. Without it the same tests run in the other order. */
export const byOrder = (arrangement: Arrangement, other: Arrangement): Circumstance<Arrangement> => ({
  name: 'order',
  count: 1,
  build: configuration => (has(configuration, 0) ? arrangement : other),
  describe: () => 'the order of the tests',
});

/** The target runs last, and all others in reverse. */
export function othersReversed(arrangement: Arrangement, target: TestName): Arrangement {
  const reversed = arrangement.map(({ file, tests }) => ({ file, tests: tests.toReversed() })).toReversed();
  const own = reversed.find(({ file }) => file === target.file)!;
  const tests = [...own.tests.filter(name => name !== target.name), target.name];
  return [...reversed.filter(part => part !== own), { file: own.file, tests }];
}

/** The order of a seed: a small generator shuffles the files, and the tests in each. The same on every machine. */
export function shuffled(arrangement: Arrangement, seed: number, canOrderTests = true): Arrangement {
  const random = generator(seed);
  const deal = <Item>(items: readonly Item[]): readonly Item[] => {
    const left = [...items];
    for (let i = left.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [left[i], left[j]] = [left[j]!, left[i]!];
    }
    return left;
  };
  return deal(arrangement).map(({ file, tests }) => ({ file, tests: canOrderTests ? deal(tests) : tests }));
}

const numbered = <Item>(items: readonly Item[], configuration: Configuration): readonly Item[] =>
  [...deltasOf(configuration)].map(delta => items[delta]!);

/** A 32-bit mixing generator: plain arithmetic, so that a seed means the same order everywhere. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
