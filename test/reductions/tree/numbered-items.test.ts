import { expect, test } from 'vitest';
import { of } from '../../../src/core/index.js';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { withoutEach } from '../without-each.js';

const itemsOf = async (file: string, text: string, keep?: RegExp) =>
  (await structureOf(file, keep ? { keep } : {})).numberedItems(text);

test('a node of a graph goes with its links, and the numbers after it are one less', async () => {
  const graph = '{"nodes":[{},{},{},{},{}],"links":[{"from":0,"to":3},{"from":4,"to":3},{"from":1,"to":2}]}';
  const found = await itemsOf('a.json', graph);
  expect(withoutEach(found)[0]).toBe('{"nodes":[{},{},{},{}],"links":[{"from":3,"to":2},{"from":0,"to":1}]}');
  expect(found!.build(of([3, 4]))).toBe('{"nodes":[{},{}],"links":[{"from":1,"to":0}]}');
});

test('numbers are matched with lists by name, and by where they are; what is left empty goes as well', async () => {
  const scene = `{"scenes":[{"nodes":[3,4]}],
"nodes":[{"mesh":0},{"mesh":1},{"mesh":2},{"mesh":3},{"children":[0,1,2]}],
"meshes":[{"parts":[{"points":0}]},{"parts":[{"points":2}]},{"parts":[{"points":4}]},{"parts":[{"points":1},{"points":3}]}],
"data":["a","b","c","d","e"]}`;
  const found = await itemsOf('a.json', scene);
  const without = withoutEach(found);
  expect(without).toHaveLength(14);
  // Without a, nothing is left of the first mesh, and nothing names the first node.
  expect(without.map(text => text!.replaceAll('\n', ''))).toContain(
    '{"scenes":[{"nodes":[2,3]}],"nodes":[{"mesh":0},{"mesh":1},{"mesh":2},{"children":[0,1]}],' +
      '"meshes":[{"parts":[{"points":1}]},{"parts":[{"points":3}]},{"parts":[{"points":0},{"points":2}]}],"data":["b","c","d","e"]}',
  );
});

test('in YAML, too', async () => {
  const text = 'nodes:\n- a\n- b\n- c\n- d\nedges:\n- [3, 1]\n- [0, 2]\n';
  expect(withoutEach(await itemsOf('a.yaml', text))[0]).toBe('nodes:\n- b\n- c\n- d\nedges:\n- [2, 0]\n');
});

test('other numbers name nothing, nor do those of a program', async () => {
  expect(await itemsOf('a.json', '{"list":["a","b","c","d"],"sizes":[1,2.5,3],"many":[7,8,9]}')).toBeUndefined();
  expect(await itemsOf('a.js', 'f({nodes:[a,b,c,d],links:[[0,1],[2,3]]})')).toBeUndefined();
});

test('what the user keeps has its numbers', async () => {
  expect(await itemsOf('a.json', '{"nodes":["a","b","c","d"],"links":[[0,1],[2,3]]}', /c/)).toBeUndefined();
});

test('a long list of numbers is looked at once', async () => {
  expect(await itemsOf('a.json', `{"count":150000,"items":[${'1,'.repeat(149_999)}1]}`)).toBeUndefined();
});
