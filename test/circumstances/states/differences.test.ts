import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateDifferences } from '../../../src/circumstances/states/circumstance.js';
import { compareStates } from '../../../src/circumstances/states/differences.js';
import type { Node, State, Value } from '../../../src/circumstances/states/graph.js';
import { all, of } from '../../../src/core/index.js';

const state = (variables: Record<string, Value>, nodes: readonly Node[] = []): State => ({
  frames: [{ frame: 0, function: 'f', path: '/f.js', line: 1 }],
  roots: Object.entries(variables).map(([name, value]) => ({ frame: 0, scope: 0, name, value })),
  nodes,
});
const list = (...a: Value[]): Node => ({ k: 'list', c: 'Array', a, e: [] });
const object = (fields: Record<string, Value>): Node => ({ k: 'object', c: 'Object', e: Object.entries(fields) });
const variables = (passing: State, failing: State) =>
  compareStates(passing, failing)!.differences.map(({ variable }) => variable);

const graphs = fc.integer({ min: 1, max: 8 }).chain(count => {
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.integer(),
    fc.string(),
    fc.constant(null),
    fc.nat(count - 1).map(id => ['r', id] as const),
  );
  const node = fc.oneof(
    fc.array(value, { maxLength: 4 }).map(values => list(...values)),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), value).map(object),
    fc.array(fc.tuple(value, value), { maxLength: 3 }).map((m): Node => ({ k: 'map', c: 'Map', m, e: [] })),
    fc.array(value, { maxLength: 3 }).map((a): Node => ({ k: 'set', c: 'Set', a, e: [] })),
  );
  const roots = fc.dictionary(fc.constantFrom('x', 'y', 'z'), value);
  return fc.record({ roots, nodes: fc.array(node, { minLength: count, maxLength: count }) });
});

test('a state does not differ from itself, whatever cycles and aliases it has', () => {
  fc.assert(
    fc.property(graphs, ({ roots, nodes }) => {
      expect(variables(state(roots, nodes), state(roots, nodes))).toEqual([]);
    }),
  );
});

test('any two states at one place can be compared, and every set of their differences can be built', () => {
  fc.assert(
    fc.property(graphs, graphs, (a, b) => {
      const [passing, failing] = [state(a.roots, a.nodes), state(b.roots, b.nodes)];
      const compared = compareStates(passing, failing)!;
      const circumstance = stateDifferences('here', compared, failing);
      expect(circumstance.build(all(circumstance.count))?.changes).toHaveLength(circumstance.count);
      for (let delta = 0; delta < circumstance.count; delta++)
        expect(circumstance.build(of([delta]))?.changes).toHaveLength(1);
    }),
  );
});

test('an object with two names differs once, and is known by both', () => {
  const at = (n: number) => state({ a: ['r', 0], b: ['r', 0] }, [object({ n })]);
  const { differences } = compareStates(at(1), at(2))!;
  expect(differences.map(({ variable, names }) => [variable, names])).toEqual([['a.n', ['1 f: a.n', '1 f: b.n']]]);
});

test('two names for one object are not two names for two equal objects', () => {
  const one = state({ a: ['r', 0], b: ['r', 0] }, [object({ n: 1 })]);
  const two = state({ a: ['r', 0], b: ['r', 1] }, [object({ n: 1 }), object({ n: 1 })]);
  expect(variables(one, two)).toEqual(['b']);
  expect(variables(two, one)).toEqual(['b']);
});

test('a cyclic list of another length differs where it is longer', () => {
  const ring = (...values: number[]): readonly Node[] =>
    values.map((value, i) => object({ value, next: ['r', (i + 1) % values.length] }));
  expect(variables(state({ ring: ['r', 0] }, ring(1, 2)), state({ ring: ['r', 0] }, ring(1, 2, 3)))).toEqual([
    'ring.next.next',
  ]);
});

test('entries of a map are paired by their keys, objects among them in their order', () => {
  const map = (n: number, extra: readonly (readonly [Value, Value])[] = []): State =>
    state({ m: ['r', 0] }, [{ k: 'map', c: 'Map', m: [[['r', 1], n], ['x', 1], ...extra], e: [] }, object({ id: 1 })]);
  expect(variables(map(1), map(1))).toEqual([]);
  expect(variables(map(1), map(2))).toEqual(['m.entry(0)']);
  expect(variables(map(1), map(1, [['y', 2]]))).toEqual(['m.get("y")']);
});

test('100,000 values that differ are compared as one list', () => {
  const many = (shift: number) =>
    state({ list: ['r', 0] }, [list(...Array.from({ length: 100_000 }, (_, i) => i + shift))]);
  const compared = compareStates(many(0), many(1))!;
  expect(compared.differences.map(({ variable }) => variable)).toEqual(['list']);
});

test('what cannot be seen is no difference, and what cannot be made is not applied', () => {
  const hidden = (label: string): State => state({ p: ['r', 0], n: 1 }, [{ k: 'opaque', c: label }]);
  expect(variables(hidden('Promise'), hidden('Promise'))).toEqual([]);
  const [passing, failing] = [state({ p: 1 }), hidden('Promise')];
  const circumstance = stateDifferences('here', compareStates(passing, failing)!, failing);
  expect(circumstance.build(all(circumstance.count))).toBeUndefined();
});

test('two stacks with other callers are not the same place', () => {
  const called = (line: number): State => ({
    ...state({}),
    frames: [
      { frame: 0, function: 'f', path: '/f.js', line: 1 },
      { frame: 1, function: 'g', path: '/f.js', line },
    ],
  });
  expect(compareStates(called(7), called(7))).toBeDefined();
  expect(compareStates(called(7), called(8))).toBeUndefined();
});
